(class_definition name: (identifier) @name) @class
(function_definition name: (identifier) @name) @function
(assignment left: (identifier) @name right: (lambda)) @function
; Above a definition, and not inside it: part of its text.
(decorator) @decoration
