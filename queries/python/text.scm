(string) @literal
(interpolation) @code
(comment) @comment
; What documents a definition is no value: formatters indent it.
(module . (expression_statement (string) @loose))
(block . (expression_statement (string) @loose))
