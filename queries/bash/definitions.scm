(function_definition name: (word) @name) @function
