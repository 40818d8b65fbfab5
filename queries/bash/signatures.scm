(_ body: (_) @end)
(function_definition "(" @tight)
(comment) @dropped
(ERROR) @error
