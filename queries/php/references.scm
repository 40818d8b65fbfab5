(function_call_expression function: (name) @call)
(function_call_expression function: (qualified_name prefix: (_) @on (name) @call))
(member_call_expression object: (_) @on name: (name) @call)
(nullsafe_member_call_expression object: (_) @on name: (name) @call)
(scoped_call_expression scope: (_) @on name: (name) @call)
(object_creation_expression (name) @call)
(object_creation_expression (qualified_name prefix: (_) @on (name) @call))
(base_clause (name) @inherit)
(base_clause (qualified_name prefix: (_) @on (name) @inherit))
(class_interface_clause (name) @inherit)
(class_interface_clause (qualified_name prefix: (_) @on (name) @inherit))
(use_declaration (name) @inherit)
(namespace_use_clause (qualified_name (name) @import) @from !alias)
(namespace_use_clause (qualified_name (name) @import) @from alias: (name) @as)
(namespace_use_declaration (namespace_use_clause . (name) @import @from .))
(namespace_use_declaration (namespace_name) @from body: (namespace_use_group)) @importing
(namespace_use_group (namespace_use_clause . (name) @import !alias))
(namespace_use_group (namespace_use_clause . (name) @import alias: (name) @as))
(include_expression (string (string_content) @from)) @all
(require_expression (string (string_content) @from)) @all
(require_once_expression (string (string_content) @from)) @all
(include_once_expression (string (string_content) @from)) @all

(namespace_definition name: (namespace_name) @from !body) @namespace
