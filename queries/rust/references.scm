(call_expression function: (identifier) @call)
(call_expression function: (field_expression value: (_) @on field: (field_identifier) @call))
(call_expression function: (scoped_identifier path: (_) @on name: (identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (scoped_identifier path: (_) @on name: (identifier) @call)))
(call_expression function: (generic_function function: (field_expression value: (_) @on field: (field_identifier) @call)))
(macro_invocation macro: (identifier) @call)
(struct_expression name: (type_identifier) @call)
(struct_expression name: (scoped_type_identifier path: (_) @on name: (type_identifier) @call))
(impl_item trait: (type_identifier) @inherit)
(impl_item trait: (generic_type type: (type_identifier) @inherit))
(impl_item trait: (scoped_type_identifier path: (_) @on name: (type_identifier) @inherit))
(trait_bounds (type_identifier) @inherit)
(mod_item name: (identifier) @from @as !body) @all
(use_declaration argument: (scoped_identifier path: (_) @from name: (identifier) @import))
(use_declaration
  argument: (use_as_clause path: (scoped_identifier path: (_) @from name: (identifier) @import) alias: (identifier) @as))
(use_wildcard . (_) @from) @all
(scoped_use_list path: (_) @from list: (use_list (identifier) @import))
(scoped_use_list
  path: (_) @from
  list: (use_list (use_as_clause path: (identifier) @import alias: (identifier) @as)))

(parameter pattern: (identifier) @parameter)
(closure_parameters (identifier) @parameter)
(let_declaration pattern: (identifier) @local) @after
(tuple_pattern (identifier) @local)
(tuple_struct_pattern type: (_) (identifier) @local)
(match_pattern (identifier) @local)
(for_expression pattern: (identifier) @local)
[(closure_expression) (match_arm) (for_expression)] @block
(parameter
  pattern: (identifier) @parameter
  type: [(type_identifier) @type_of (reference_type type: (type_identifier) @type_of)])
