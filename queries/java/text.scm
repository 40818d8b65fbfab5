[(string_literal) (character_literal)] @literal
(string_literal (multiline_string_fragment)) @dedented
(string_interpolation) @code
[(line_comment) (block_comment)] @comment
