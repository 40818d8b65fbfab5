(command name: (command_name (word) @call))
(command
  name: (command_name (word) @source (#any-of? @source "source" "."))
  argument: [(word) @from (string (string_content) @from)]) @all
