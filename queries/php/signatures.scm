(_ body: (_) @end)
(simple_parameter default_value: (_) @default)
(property_promotion_parameter default_value: (_) @default)
[(string) (encapsed_string) (heredoc) (nowdoc) (integer) (float) (shell_command_expression)] @hidden
(arguments) @inner
[(attribute_list) (comment)] @dropped
(ERROR) @error
