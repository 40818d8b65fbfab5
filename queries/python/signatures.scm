(_ body: (_) @end)
(default_parameter value: (_) @default)
(typed_default_parameter value: (_) @default)
(keyword_argument value: (_) @default)
[(string) (concatenated_string) (integer) (float)] @hidden
(call arguments: (_) @inner)
[(dictionary) (list_comprehension) (set)] @inner
(comment) @dropped
(ERROR) @error
