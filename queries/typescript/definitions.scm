; A capture names the kind of the definition; @name is its name.
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (property_identifier) @name) @method
(method_definition name: (private_property_identifier) @name) @method

; Constants, variables, fields and properties that hold a function or a class.
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(class name: (_) @name) @class
(variable_declarator name: (identifier) @name value: (class !name)) @class
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @method
(assignment_expression
  left: (member_expression property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]) @function
(assignment_expression
  left: (identifier) @name
  right: [(arrow_function) (function_expression) (generator_function)]) @function
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function) (function_expression)]) @method

(abstract_class_declaration name: (type_identifier) @name) @class
(abstract_method_signature name: (property_identifier) @name) @method
(function_signature name: (identifier) @name) @function
(method_signature name: (property_identifier) @name) @method
(interface_declaration name: (type_identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(type_alias_declaration name: (type_identifier) @name) @type
(internal_module name: [(identifier) (nested_identifier)] @name) @module
(module name: (identifier) @name) @module
