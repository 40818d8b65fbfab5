(_ body: (_) @end)
(type_spec type: (struct_type (field_declaration_list) @end))
(type_spec type: (interface_type "{" @end))
(struct_type (field_declaration_list) @inner)
(interface_type (_) @hidden)
[(interpreted_string_literal) (raw_string_literal) (rune_literal) (int_literal) (float_literal) (imaginary_literal)] @hidden
(argument_list) @inner
(comment) @dropped
(ERROR) @error
