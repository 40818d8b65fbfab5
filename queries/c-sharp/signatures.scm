(_ body: (_) @end)
(constructor_initializer) @end
(lambda_expression parameters: (identifier)) @end
(parameter "=" . (_) @default)
[(attribute_list) (comment)] @dropped
[(string_literal) (verbatim_string_literal) (raw_string_literal) (interpolated_string_expression) (character_literal)
 (integer_literal) (real_literal)] @hidden
(argument_list) @inner
(ERROR) @error
