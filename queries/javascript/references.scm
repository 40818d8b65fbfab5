; inherits: ecmascript
(class_heritage (identifier) @inherit)
(class_heritage (member_expression object: (_) @on property: (property_identifier) @inherit))

(formal_parameters (identifier) @parameter)
(formal_parameters (assignment_pattern left: (identifier) @parameter))
