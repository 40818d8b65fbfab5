; What counts in the text of a symbol. @literal: byte for byte. @dedented: the same without the indentation that all of its
; lines share, @untabbed: without all tabs at the beginning of its lines. @code: what is computed inside of one. @comment and @loose (text that formatters may break elsewhere): only
; their words count. @macro: source that the grammar does not take apart. @heredoc: announces the next @literal of its sort.
[(string) (template_string) (regex)] @literal
(template_substitution) @code
(comment) @comment
