; inherits: ecmascript
(field_definition
  property: [(property_identifier) (private_property_identifier) (computed_property_name)] @name
  value: [(arrow_function) (function_expression)]) @method
; What stands in the value of a field is no member of the class.
(field_definition property: [(property_identifier) (private_property_identifier)] @name value: [(object) (class !name)]) @scope
