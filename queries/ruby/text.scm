[(string) (regex) (subshell) (delimited_symbol) (character) (bare_string)] @literal
(heredoc_beginning) @heredoc
(heredoc_body) @dedented
(interpolation) @code
(comment) @comment
