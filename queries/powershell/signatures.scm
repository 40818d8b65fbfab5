; Parameters may stand in the body; then the signature goes on up to their end.
(function_statement "{" @dropped (script_block (param_block)))
(script_block (param_block) (script_block_body) @end)
(function_statement ["{" "}"] @end)
(class_statement "{" @end)
(enum_statement "{" @end)
(class_method_definition "{" @end)
(script_parameter_default (_) @default)
(attribute (attribute_name)) @dropped
(comment) @dropped
[(string_literal) (integer_literal) (real_literal) (script_block_expression)] @hidden
(ERROR) @error
