(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function
(assignment left: (identifier) @name right: (lambda)) @function
; A constant is one by its name.
((module (expression_statement (assignment left: (identifier) @name right: [
  (integer) (float) (string) (concatenated_string) (true) (false) (none) (unary_operator) (binary_operator) (not_operator)
  (boolean_operator) (comparison_operator) (conditional_expression) (list) (tuple) (dictionary) (set) (call)
  (list_comprehension) (dictionary_comprehension) (set_comprehension) (parenthesized_expression)]) @constant)) (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
((module (expression_statement (assignment left: (identifier) @name right: [
  (integer) (float) (string) (concatenated_string) (true) (false) (none) (unary_operator) (binary_operator) (not_operator)
  (boolean_operator) (comparison_operator) (conditional_expression) (list) (tuple) (dictionary) (set) (call)
  (list_comprehension) (dictionary_comprehension) (set_comprehension) (parenthesized_expression)]) @variable)) (#not-match? @name "^_*[A-Z][A-Z0-9_]*$"))
; Above a definition, and not inside it: part of its text.
(decorator) @decoration
