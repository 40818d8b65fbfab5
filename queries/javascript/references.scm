; inherits: ecmascript
(class_heritage (identifier) @inherit)
(class_heritage (member_expression object: (_) @on property: (property_identifier) @inherit))

(formal_parameters (identifier) @parameter)
(formal_parameters (assignment_pattern left: (identifier) @parameter))
(field_definition property: (property_identifier) @field value: (new_expression constructor: (identifier) @type_of))
