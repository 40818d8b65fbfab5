[(string) (encapsed_string) (shell_command_expression)] @literal
[(heredoc) (nowdoc)] @dedented
(comment) @comment
