(command command_name: (command_name) @call (#not-match? @call "^([uU]sing|[iI]mport-[mM]odule|ipmo)$"))
(command
  (command_invokation_operator) @operator
  command_name: (command_name_expr [(command_name) (path_command_name . (path_command_name_token) .)] @call)
  (#eq? @operator "&"))
(invokation_expression (variable) @on (member_name (simple_name) @call))
(invokation_expression (type_literal (type_spec) @on) (member_name (simple_name) @call) (#not-match? @call "^[nN]ew$"))
(invokation_expression
  (type_literal (type_spec (type_name (type_identifier) @call .)))
  (member_name (simple_name) @new)
  (#match? @new "^[nN]ew$"))
(class_statement ":" (simple_name) @inherit)

(command
  (command_invokation_operator) @operator
  command_name: (command_name_expr [(command_name) (path_command_name) (string_literal) (member_access)] @from)
  (#eq? @operator ".")) @all
(command
  command_name: (command_name) @word
  command_elements: (command_elements . (command_argument_sep) . [(generic_token) (array_literal_expression)] @from)
  (#match? @word "^([iI]mport-[mM]odule|ipmo)$")) @all
(command
  command_name: (command_name) @word
  command_elements: (command_elements
    (command_parameter) @parameter_name . (command_argument_sep) . [(generic_token) (array_literal_expression)] @from)
  (#match? @word "^([iI]mport-[mM]odule|ipmo)$")
  (#match? @parameter_name "^-[nN]ame$")) @all
(command
  command_name: (command_name) @word
  command_elements: (command_elements
    . (command_argument_sep) . (generic_token) @kind . (command_argument_sep) . [(generic_token) (array_literal_expression)] @from)
  (#match? @word "^[uU]sing$")
  (#match? @kind "^[mM]odule$")) @all

(script_parameter (variable) @parameter)
(class_method_parameter (variable) @parameter)
(script_parameter
  (attribute_list (attribute (type_literal (type_spec (type_name (type_identifier) @type_of .)))))
  (variable) @parameter)
(class_method_parameter (type_literal (type_spec (type_name (type_identifier) @type_of .))) (variable) @parameter)
(script_block_expression) @block
