(call !receiver method: (identifier) @call)
(call receiver: (_) @on method: (identifier) @call)
(call receiver: (constant) @call method: (identifier) @new (#eq? @new "new"))
(call
  receiver: (scope_resolution scope: (_) @on name: (constant) @call)
  method: (identifier) @new (#eq? @new "new"))
(superclass (constant) @inherit)
(superclass (scope_resolution scope: (_) @on name: (constant) @inherit))
(call
  method: (identifier) @require (#any-of? @require "require" "require_relative" "load")
  arguments: (argument_list (string (string_content) @from))) @all
(call
  method: (identifier) @include (#any-of? @include "include" "extend" "prepend")
  arguments: (argument_list (constant) @inherit))
