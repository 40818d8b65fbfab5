; C as well. A name may be qualified (`Foo::bar`).
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition
  declarator: (function_declarator declarator: [(field_identifier) (qualified_identifier) (destructor_name) (operator_name)] @name)) @method
(function_definition
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function
(function_definition
  declarator: (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (qualified_identifier)] @name))) @method
(function_definition
  declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @function
(function_definition
  declarator: (reference_declarator (function_declarator declarator: (identifier) @name))) @function
(function_definition
  declarator: (reference_declarator (function_declarator declarator: [(field_identifier) (qualified_identifier) (operator_name)] @name))) @method
(class_specifier name: (type_identifier) @name body: (_)) @class
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(type_definition declarator: (type_identifier) @name) @type
(alias_declaration name: (type_identifier) @name) @type
(namespace_definition name: (_) @name) @module
(preproc_function_def name: (identifier) @name) @function
(init_declarator declarator: (identifier) @name value: (lambda_expression)) @function
(preproc_def name: (identifier) @name value: (_)) @constant
((declaration (type_qualifier) @qualifier
  declarator: (init_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (pointer_declarator (type_qualifier) declarator: (identifier) @name)]) @constant)
  (#any-of? @qualifier "const" "constexpr" "constinit"))
((field_declaration (storage_class_specifier) (type_qualifier) @qualifier
  declarator: (field_identifier) @name default_value: (_)) @constant
  (#any-of? @qualifier "const" "constexpr"))
; A specialisation of a template is a definition of its own, with its arguments in its name.
(class_specifier name: [(template_type) (qualified_identifier)] @name body: (_)) @class
(struct_specifier name: [(template_type) (qualified_identifier)] @name body: (_)) @class
(union_specifier name: [(template_type) (qualified_identifier)] @name body: (_)) @class
(function_definition declarator: (function_declarator declarator: (template_function) @name)) @function
(function_definition
  declarator: (pointer_declarator declarator: (function_declarator declarator: [(template_function) (operator_name)] @name))) @function
(function_definition
  declarator: (reference_declarator (function_declarator declarator: (template_function) @name))) @function
(function_definition declarator: (operator_cast) @name) @method
(function_definition declarator: (qualified_identifier name: (operator_cast)) @name) @method
