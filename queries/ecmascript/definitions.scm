; A capture names the kind of the definition; @name is its name.
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(class_declaration name: (_) @name) @class
(method_definition
  name: [(property_identifier) (private_property_identifier) (computed_property_name) (string (string_fragment))] @name) @method

(function_expression name: (identifier) @name) @function
(generator_function name: (identifier) @name) @function

; Constants, variables, fields and properties that hold a function or a class.
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(class name: (_) @name) @class
(variable_declarator name: (identifier) @name value: (class !name)) @class
(pair key: [(property_identifier) (computed_property_name) (string (string_fragment))] @name value: [(arrow_function) (function_expression) (generator_function)]) @method
(assignment_expression
  left: (member_expression object: (_) @receiver property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]) @function
; `res.set = res.header = function …`: both names.
(assignment_expression
  left: (member_expression object: (_) @receiver property: (property_identifier) @name)
  right: (assignment_expression
    left: (member_expression)
    right: [(arrow_function) (function_expression) (generator_function)])) @function
(assignment_expression
  left: (subscript_expression index: (string (string_fragment) @name))
  right: [(arrow_function) (function_expression) (generator_function)]) @function
(assignment_expression
  left: (identifier) @name
  right: [(arrow_function) (function_expression) (generator_function)]) @function
(assignment_expression
  left: (member_expression object: (_) @receiver property: (property_identifier) @name)
  right: (class !name) (#not-eq? @name "exports")) @class
(assignment_expression
  left: (subscript_expression index: (string (string_fragment) @name))
  right: (class !name)) @class
(assignment_expression left: (identifier) @name right: (class !name)) @class
; Constants and variables of the file, but not what is imported. Where one holds a function or a class, that counts.
((program [
  (lexical_declaration "const" (variable_declarator name: (identifier) @name value: (_)? @value) @constant)
  (lexical_declaration "let" (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
  (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)])
  (#not-match? @value "^(await +)?(require|import) *\\("))
((export_statement declaration: [
  (lexical_declaration "const" (variable_declarator name: (identifier) @name value: (_)? @value) @constant)
  (lexical_declaration "let" (variable_declarator name: (identifier) @name value: (_)? @value) @variable)
  (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @variable)])
  (#not-match? @value "^(await +)?(require|import) *\\("))
; What a file hands out without a name is called `default`, as others import it. @unnamed gives no name to what it holds.
(export_statement "default" @unnamed value: [(arrow_function) (function_expression !name) (generator_function !name)] @function)
(export_statement "default" @unnamed value: (class !name) @class)
(export_statement "default" @unnamed value: [(object) (array) (call_expression) (new_expression)] @module)
(assignment_expression
  left: (member_expression object: (identifier) @receiver property: (property_identifier) @name @unnamed)
  right: (class !name) (#eq? @receiver "module") (#eq? @name "exports")) @class
; Above a definition, and not inside it: part of its text.
(decorator) @decoration
