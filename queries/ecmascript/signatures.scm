; What of a definition's text is no part of its signature. @end: it ends before this. @default: a value, shown as "…" behind
; its "=". @hidden: shown as "…". @inner: what stands between its brackets is. @dropped: left out. @kept: needs no check.
; @tight: no space before it.
; What lies inside of one of these is not looked at; of two that begin at one place, the outer one counts.
(_ body: (_) @end)
; One parameter without brackets would look like a value.
(arrow_function parameter: (identifier)) @end
(assignment_pattern right: (_) @default)
(object_assignment_pattern right: (_) @default)
[(string) (template_string) (number) (regex)] @hidden
[(arguments) (object) (array) (parenthesized_expression) (class_body) (statement_block)] @inner
[(comment) (decorator)] @dropped
(ERROR) @error
