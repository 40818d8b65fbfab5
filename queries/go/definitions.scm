; @receiver is the type that a method belongs to.
(function_declaration name: (identifier) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @receiver
    (generic_type type: (type_identifier) @receiver)
    (pointer_type [(type_identifier) @receiver (generic_type type: (type_identifier) @receiver)])]))
  name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (struct_type)) @class
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec
  name: (type_identifier) @name
  type: [(type_identifier) (qualified_type) (function_type) (map_type) (slice_type) (array_type) (channel_type) (pointer_type) (generic_type)]) @type
(type_alias name: (type_identifier) @name) @type
(method_elem name: (field_identifier) @name) @method
(var_spec name: (identifier) @name value: (expression_list (func_literal))) @function
(short_var_declaration left: (expression_list . (identifier) @name .) right: (expression_list . (func_literal) .)) @function
; Constants and variables of the package. What they hold gets no name from them.
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name value: (_)) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name value: (_)) @variable)))
