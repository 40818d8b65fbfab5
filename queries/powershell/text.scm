(string_literal) @literal
(sub_expression) @code
(comment) @comment
