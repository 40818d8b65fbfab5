(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function
(assignment left: (identifier) @name right: (lambda)) @function
; Also under a condition at the top of the file. A constant is one by its name.
((module [
  (expression_statement (assignment left: (identifier) @name right: (_)) @constant)
  (if_statement consequence: (block (expression_statement (assignment left: (identifier) @name right: (_)) @constant)))
  (if_statement alternative: (else_clause body: (block (expression_statement (assignment left: (identifier) @name right: (_)) @constant))))
  (try_statement body: (block (expression_statement (assignment left: (identifier) @name right: (_)) @constant)))
  (try_statement (except_clause (block (expression_statement (assignment left: (identifier) @name right: (_)) @constant))))]) (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
((module [
  (expression_statement (assignment left: (identifier) @name right: (_)) @variable)
  (if_statement consequence: (block (expression_statement (assignment left: (identifier) @name right: (_)) @variable)))
  (if_statement alternative: (else_clause body: (block (expression_statement (assignment left: (identifier) @name right: (_)) @variable))))
  (try_statement body: (block (expression_statement (assignment left: (identifier) @name right: (_)) @variable)))
  (try_statement (except_clause (block (expression_statement (assignment left: (identifier) @name right: (_)) @variable))))]) (#not-match? @name "^_*[A-Z][A-Z0-9_]*$"))
; Above a definition, and not inside it: part of its text.
(decorator) @decoration
