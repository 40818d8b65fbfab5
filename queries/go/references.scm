; @package is the import of a whole module that is used by the last part of its name.
(call_expression function: (identifier) @call)
(call_expression function: (selector_expression operand: (_) @on field: (field_identifier) @call))
(call_expression function: (index_expression operand: (identifier) @call))
(composite_literal type: (type_identifier) @call)
(composite_literal type: (generic_type type: (type_identifier) @call))
(composite_literal type: (qualified_type package: (package_identifier) @on name: (type_identifier) @call))
(import_spec !name path: (interpreted_string_literal (interpreted_string_literal_content) @from)) @package
(import_spec
  name: (package_identifier) @as
  path: (interpreted_string_literal (interpreted_string_literal_content) @from)) @all
(import_spec name: (dot) path: (interpreted_string_literal (interpreted_string_literal_content) @from)) @all
(field_declaration !name type: (type_identifier) @inherit)
(field_declaration !name type: (pointer_type (type_identifier) @inherit))
(field_declaration !name type: (qualified_type package: (package_identifier) @on name: (type_identifier) @inherit))
(type_elem . (type_identifier) @inherit .)

(parameter_declaration name: (identifier) @parameter)
(variadic_parameter_declaration name: (identifier) @parameter)
(short_var_declaration left: (expression_list (identifier) @local)) @after
(var_spec name: (identifier) @local) @after
(const_spec name: (identifier) @local) @after
(range_clause left: (expression_list (identifier) @local)) @after
(type_switch_statement alias: (expression_list (identifier) @local))
[(func_literal) (function_type)] @block
(parameter_declaration
  name: (identifier) @parameter
  type: [(type_identifier) @type_of (pointer_type (type_identifier) @type_of)])
