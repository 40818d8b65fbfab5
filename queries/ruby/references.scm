(call method: (identifier) @call)
(call receiver: (constant) @call method: (identifier) @new (#eq? @new "new"))
(superclass (constant) @inherit)
(superclass (scope_resolution name: (constant) @inherit))
(call
  method: (identifier) @require (#any-of? @require "require" "require_relative" "load")
  arguments: (argument_list (string (string_content) @import @from)))
(call
  method: (identifier) @include (#any-of? @include "include" "extend" "prepend")
  arguments: (argument_list (constant) @inherit))
