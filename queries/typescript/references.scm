; inherits: ecmascript
(import_require_clause (identifier) @as source: (string (string_fragment) @from)) @all
(export_statement "default" value: [
  (satisfies_expression . (identifier) @export_default)
  (as_expression . (identifier) @export_default)])
(extends_clause value: (identifier) @inherit)
(extends_clause value: (member_expression object: (_) @on property: (property_identifier) @inherit))
(implements_clause (type_identifier) @inherit)
(implements_clause (generic_type name: (type_identifier) @inherit))
(implements_clause (nested_type_identifier module: (_) @on name: (type_identifier) @inherit))
(extends_type_clause (type_identifier) @inherit)
(extends_type_clause (generic_type name: (type_identifier) @inherit))
(extends_type_clause (nested_type_identifier module: (_) @on name: (type_identifier) @inherit))

(required_parameter pattern: (identifier) @parameter)
(optional_parameter pattern: (identifier) @parameter)
[(function_type) (constructor_type) (call_signature) (construct_signature) (method_signature)] @block
(required_parameter pattern: (identifier) @parameter type: (type_annotation (type_identifier) @type_of))
(variable_declarator name: (identifier) @local type: (type_annotation (type_identifier) @type_of))
(public_field_definition name: (property_identifier) @field type: (type_annotation (type_identifier) @type_of))
(public_field_definition name: (property_identifier) @field !type value: (new_expression constructor: (identifier) @type_of))
(required_parameter
  [(accessibility_modifier) "readonly"] pattern: (identifier) @field type: (type_annotation (type_identifier) @type_of))
