(call_expression function: (identifier) @call)
(call_expression function: (field_expression argument: (_) @on field: (field_identifier) @call))
(call_expression function: (qualified_identifier scope: (_) @on name: (identifier) @call))
(call_expression function: (qualified_identifier name: (qualified_identifier scope: (_) @on name: (identifier) @call)))
(call_expression function: (template_function name: (identifier) @call))
(new_expression type: (type_identifier) @call)
(base_class_clause (type_identifier) @inherit)
(base_class_clause (template_type name: (type_identifier) @inherit))
(base_class_clause (qualified_identifier scope: (_) @on name: (type_identifier) @inherit))
(preproc_include path: (string_literal (string_content) @from)) @all
(preproc_include path: (system_lib_string) @from) @all

(parameter_declaration declarator: [
  (identifier) @parameter
  (pointer_declarator declarator: (identifier) @parameter)
  (reference_declarator (identifier) @parameter)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @parameter)))])
(declaration declarator: [
  (identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))])
(init_declarator declarator: [
  (identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (reference_declarator (identifier) @local)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))])
(for_range_loop declarator: (identifier) @local)
[(lambda_expression) (catch_clause)] @block
