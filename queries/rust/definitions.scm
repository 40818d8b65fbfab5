; @scope gives its name to what stands in it without being a definition itself.
(impl_item type: (type_identifier) @name) @scope
(impl_item type: (generic_type type: (type_identifier) @name)) @scope
(impl_item type: [(primitive_type) (scoped_type_identifier) (array_type) (tuple_type) (unit_type)] @name) @scope
(impl_item type: (generic_type type: (scoped_type_identifier) @name)) @scope
(impl_item type: (dynamic_type trait: (_) @name)) @scope
(impl_item type: (reference_type type: [(type_identifier) (primitive_type) (scoped_type_identifier) (array_type)] @name)) @scope
(impl_item type: (reference_type type: (generic_type type: [(type_identifier) (scoped_type_identifier)] @name))) @scope
(impl_item type: (reference_type type: (dynamic_type trait: (_) @name))) @scope
(impl_item type: (pointer_type type: [(type_identifier) (generic_type type: (type_identifier))] @name)) @scope
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @class
(union_item name: (type_identifier) @name) @class
(enum_item name: (type_identifier) @name) @enum
(trait_item name: (type_identifier) @name) @interface
(type_item name: (type_identifier) @name) @type
(mod_item name: (identifier) @name body: (_)) @module
(macro_definition name: (identifier) @name) @function
(const_item name: (identifier) @name value: (closure_expression)) @function
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(let_declaration pattern: (identifier) @name value: (closure_expression)) @function
; Above a definition, and not inside it: part of its text.
(attribute_item) @decoration
