; inherits: ecmascript
(required_parameter value: (_) @default)
(optional_parameter value: (_) @default)
(type_parameter value: (default_type (_) @default))
(type_alias_declaration value: (object_type) @end)
(union_type . "|" @dropped)
(template_literal_type) @hidden
