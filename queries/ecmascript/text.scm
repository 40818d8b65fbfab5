; What counts in the text of a symbol. @literal: byte for byte. @dedented: the same without the indentation that all of its
; lines share, @untabbed: without all tabs at the beginning of its lines. @code: what is computed inside of one. @comment and
; @loose (text that formatters may break elsewhere): only their words count. @layout: a bracket that only a formatter needs.
; @macro: source that the grammar does not take apart. @heredoc: announces the next @literal of its sort.
[(string) (template_string) (regex)] @literal
(template_substitution) @code
(comment) @comment
; Other expressions may mean something else without their brackets: (a, b), ({}).
(return_statement (parenthesized_expression "(" @layout ")" @layout))
(arrow_function body: (parenthesized_expression
  "(" @layout [(binary_expression) (ternary_expression) (call_expression) (await_expression)] ")" @layout))
(variable_declarator value: (parenthesized_expression
  "(" @layout [(binary_expression) (ternary_expression) (call_expression) (await_expression)] ")" @layout))
(assignment_expression right: (parenthesized_expression
  "(" @layout [(binary_expression) (ternary_expression) (call_expression) (await_expression)] ")" @layout))
