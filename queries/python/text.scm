(string) @literal
(interpolation) @code
(comment) @comment
; What documents a definition is no value: formatters indent it.
(module . (expression_statement (string) @loose))
(block . (expression_statement (string) @loose))
; A tuple is no expression in brackets.
[(return_statement (parenthesized_expression "(" @layout ")" @layout))
  (assignment right: (parenthesized_expression "(" @layout ")" @layout))
  (augmented_assignment right: (parenthesized_expression "(" @layout ")" @layout))
  (assert_statement (parenthesized_expression "(" @layout ")" @layout))
  (for_statement right: (parenthesized_expression "(" @layout ")" @layout))
  (if_statement condition: (parenthesized_expression "(" @layout ")" @layout))
  (elif_clause condition: (parenthesized_expression "(" @layout ")" @layout))
  (while_statement condition: (parenthesized_expression "(" @layout ")" @layout))]
