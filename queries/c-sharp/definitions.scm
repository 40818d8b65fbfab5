(namespace_declaration name: (_) @name) @module
(file_scoped_namespace_declaration name: (_) @name) @module
(class_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(destructor_declaration name: (identifier) @destructor_of) @method
(indexer_declaration "this" @indexer) @method
(local_function_statement name: (identifier) @name) @function
(variable_declarator name: (identifier) @name (lambda_expression)) @function
(field_declaration (modifier) @modifier (variable_declaration (variable_declarator name: (identifier) @name (_)) @constant)
  (#any-of? @modifier "const" "readonly"))
; What stands behind the word `operator`.
(operator_declaration operator: _ @operator_of) @method
(conversion_operator_declaration type: (_) @operator_of) @method
