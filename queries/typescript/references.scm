; @call, @inherit and @import stand on the name that is meant; @from on where it is imported from.
(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression property: (property_identifier) @call))

(import_statement
  (import_clause (named_imports (import_specifier name: (identifier) @import)))
  source: (string (string_fragment) @from))
(import_statement (import_clause (identifier) @import) source: (string (string_fragment) @from))
(import_statement
  (import_clause (namespace_import (identifier) @import))
  source: (string (string_fragment) @from))
(export_statement
  (export_clause (export_specifier name: (identifier) @import))
  source: (string (string_fragment) @from))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @import)
  value: (call_expression
    function: (identifier) @require (#eq? @require "require")
    arguments: (arguments (string (string_fragment) @from))))
(variable_declarator
  name: (identifier) @import
  value: (call_expression
    function: (identifier) @require (#eq? @require "require")
    arguments: (arguments (string (string_fragment) @from))))

(extends_clause value: (identifier) @inherit)
(extends_clause value: (member_expression property: (property_identifier) @inherit))
(implements_clause (type_identifier) @inherit)
(implements_clause (generic_type name: (type_identifier) @inherit))
(extends_type_clause (type_identifier) @inherit)
(extends_type_clause (generic_type name: (type_identifier) @inherit))
