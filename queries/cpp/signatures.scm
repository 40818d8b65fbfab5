(_ body: (_) @end)
(init_declarator value: (lambda_expression) @end)
(preproc_function_def value: (_) @end)
[(field_initializer_list) (requires_clause) (default_method_clause) (delete_method_clause) (pure_virtual_clause)] @end
(optional_parameter_declaration default_value: (_) @default)
(optional_type_parameter_declaration default_type: (_) @default)
[(attribute_declaration) (attribute_specifier) (ms_declspec_modifier) (alignas_qualifier) (throw_specifier)] @dropped
(noexcept (_)) @dropped
"__extension__" @dropped
(explicit_function_specifier (_)) @dropped
[(comment) (preproc_def) (preproc_call) (preproc_include)] @dropped
[(string_literal) (raw_string_literal) (concatenated_string) (char_literal) (number_literal)] @hidden
[(decltype) (sizeof_expression) (alignof_expression) (argument_list) (initializer_list)] @inner
(ERROR) @error
