(struct_item body: (field_declaration_list) @end)
(struct_item body: (ordered_field_declaration_list) @inner)
(function_item body: (_) @end)
(union_item body: (_) @end)
(enum_item body: (_) @end)
(trait_item body: (_) @end)
(mod_item body: (_) @end)
(macro_definition ["(" "[" "{"] @end)
(const_item value: (_) @end)
(let_declaration value: (_) @end)
(array_type length: (_) @hidden)
(const_parameter value: (_) @default)
[(block) (token_tree) (arguments)] @inner
[(attribute_item) (line_comment) (block_comment)] @dropped
[(string_literal) (raw_string_literal) (char_literal) (integer_literal) (float_literal)] @hidden
(lifetime) @kept
(ERROR) @error
