(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(compact_constructor_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(variable_declarator name: (identifier) @name value: (lambda_expression)) @function
(field_declaration (modifiers "final") declarator: (variable_declarator name: (identifier) @name value: (_)) @constant)
(constant_declaration declarator: (variable_declarator name: (identifier) @name) @constant)
; What stands in a class without a name belongs to no class of that name.
(object_creation_expression type: [(type_identifier) (scoped_type_identifier)] @anonymous (class_body)) @scope
(object_creation_expression type: (generic_type . [(type_identifier) (scoped_type_identifier)] @anonymous) (class_body)) @scope
(enum_constant name: (identifier) @name body: (class_body)) @scope
