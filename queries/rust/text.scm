[(string_literal) (raw_string_literal) (char_literal)] @literal
[(line_comment) (block_comment)] @comment
