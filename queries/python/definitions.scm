(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function
(assignment left: (identifier) @name right: (lambda)) @function
; A constant of the file, or what is called like one.
(module (expression_statement (assignment left: (identifier) @name right: [
  (integer) (float) (string) (concatenated_string) (true) (false) (none) (unary_operator) (binary_operator) (not_operator)
  (boolean_operator) (comparison_operator) (conditional_expression) (list) (tuple) (dictionary) (set) (call)
  (list_comprehension) (dictionary_comprehension) (set_comprehension) (parenthesized_expression)]) @constant))
; Above a definition, and not inside it: part of its text.
(decorator) @decoration
