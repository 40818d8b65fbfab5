[(string) (raw_string) (ansi_c_string) (translated_string) (heredoc_body) (regex)] @literal
(heredoc_redirect "<<-" (heredoc_body) @untabbed)
[(command_substitution) (process_substitution) (arithmetic_expansion) (subscript)] @code
(comment) @comment
