(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name) @constant))
(program (declaration_command ["declare" "typeset"] (variable_assignment name: (variable_name) @name) @variable))
(program (declaration_command "export" (variable_assignment name: (variable_name) @name) @variable))
