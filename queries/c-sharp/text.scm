[(string_literal) (verbatim_string_literal) (character_literal) (interpolated_string_expression)] @literal
(raw_string_literal) @dedented
(interpolation) @code
(comment) @comment
