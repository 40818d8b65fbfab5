(_ body: (_) @end)
(method "end" @end)
(singleton_method "end" @end)
(class "end" @end)
(module "end" @end)
(assignment right: (_) @end)
(optional_parameter value: (_) @default)
(keyword_parameter value: (_) @default)
[(string) (chained_string) (heredoc_beginning) (regex) (string_array) (symbol_array) (subshell) (character) (integer)
 (float) (simple_symbol) (delimited_symbol)] @hidden
(argument_list) @inner
(comment) @dropped
(ERROR) @error
