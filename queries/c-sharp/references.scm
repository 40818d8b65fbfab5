(invocation_expression function: (identifier) @call)
(invocation_expression function: (member_access_expression expression: _ @on name: (identifier) @call))
(invocation_expression function: (generic_name (identifier) @call))
(invocation_expression function: (member_access_expression expression: _ @on name: (generic_name (identifier) @call)))
(object_creation_expression type: (identifier) @call)
(object_creation_expression type: (generic_name (identifier) @call))
(base_list (identifier) @inherit)
(base_list (generic_name (identifier) @inherit))
(using_directive !name (identifier) @from) @all
(using_directive !name (qualified_name) @from) @all
(using_directive name: (identifier) @as (qualified_name) @from) @all

(parameter name: (identifier) @parameter)
(implicit_parameter) @parameter
(variable_declarator name: (identifier) @local)
(foreach_statement left: (identifier) @local)
(declaration_expression name: (identifier) @local)
(declaration_pattern name: (identifier) @local)
[(lambda_expression) (foreach_statement)] @block
(file_scoped_namespace_declaration name: (_) @from) @namespace
