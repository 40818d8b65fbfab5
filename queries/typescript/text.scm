; inherits: ecmascript
(template_literal_type) @literal
(template_type) @code
