; inherits: ecmascript
(public_field_definition
  name: [(property_identifier) (private_property_identifier) (computed_property_name)] @name
  value: [(arrow_function) (function_expression)]) @method
(abstract_class_declaration name: (type_identifier) @name) @class
(abstract_method_signature name: [(property_identifier) (computed_property_name)] @name) @method
(function_signature name: (identifier) @name) @function
(method_signature name: [(property_identifier) (computed_property_name)] @name) @method
(property_signature name: (property_identifier) @name type: (type_annotation (function_type))) @method
(interface_declaration name: (type_identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(type_alias_declaration name: (type_identifier) @name) @type
(internal_module name: [(identifier) (nested_identifier)] @name) @module
(module name: (identifier) @name) @module
; What stands in the value of a field is no member of the class.
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name value: [(object) (class !name)]) @scope
; A default export of which is said what it is: that is part of its text.
(export_statement "default" @unnamed value: [
  (satisfies_expression . [(object) (array) (call_expression) (new_expression)])
  (as_expression . [(object) (array) (call_expression) (new_expression)])
  (satisfies_expression . (as_expression . [(object) (array) (call_expression) (new_expression)]))] @module)
(export_statement "default" @unnamed value: [
  (satisfies_expression . (parenthesized_expression [(arrow_function) (function_expression !name)]))
  (as_expression . (parenthesized_expression [(arrow_function) (function_expression !name)]))] @function)
(export_statement "default" @unnamed value: (satisfies_expression . (class !name)) @class)
