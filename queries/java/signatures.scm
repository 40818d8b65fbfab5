(_ body: (_) @end)
(lambda_expression parameters: (identifier)) @end
(annotation_type_element_declaration "default" @end)
[(annotation) (marker_annotation) (line_comment) (block_comment)] @dropped
[(string_literal) (character_literal) (decimal_integer_literal) (hex_integer_literal) (octal_integer_literal)
 (binary_integer_literal) (decimal_floating_point_literal) (hex_floating_point_literal)] @hidden
(argument_list) @inner
(ERROR) @error
