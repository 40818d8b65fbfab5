(method_invocation !object name: (identifier) @call)
(method_invocation object: (_) @on name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(object_creation_expression type: (generic_type (type_identifier) @call))
(method_reference . (_) @on (identifier) @call .)
(superclass (type_identifier) @inherit)
(superclass (generic_type (type_identifier) @inherit))
(super_interfaces (type_list (type_identifier) @inherit))
(super_interfaces (type_list (generic_type (type_identifier) @inherit)))
(extends_interfaces (type_list (type_identifier) @inherit))
(extends_interfaces (type_list (generic_type (type_identifier) @inherit)))
(import_declaration (scoped_identifier name: (identifier) @import) @from .)
(import_declaration (scoped_identifier) @from (asterisk)) @all

(package_declaration [(identifier) (scoped_identifier)] @from) @namespace
(formal_parameter type: (type_identifier) @type_of name: (identifier) @parameter)
(local_variable_declaration
  type: (type_identifier) @type_of
  declarator: (variable_declarator name: (identifier) @local))
(field_declaration type: (type_identifier) @type_of declarator: (variable_declarator name: (identifier) @local))
(lambda_expression) @block
