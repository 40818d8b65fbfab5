(namespace_definition name: (namespace_name) @name body: (_)) @module
(class_declaration name: (name) @name) @class
(trait_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(enum_declaration name: (name) @name) @enum
(method_declaration name: (name) @name) @method
(function_definition name: (name) @name) @function
(assignment_expression left: (variable_name (name) @name) right: [(anonymous_function) (arrow_function)]) @function
(const_declaration (const_element (name) @name) @constant)
