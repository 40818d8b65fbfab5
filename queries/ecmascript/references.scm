; @call, @inherit and @import stand on the name that is meant, @on on what stands before it, @as on what it is called
; in this file. @all is the import of a whole module. @from is where an import comes from; where it stands behind
; what is imported it comes by a match of its own, together with the statement (@importing): a pattern that holds both
; takes time that grows with the square of the list's length.
; @local is a variable and @parameter that of a function: both hide what has the same name around their scope, which is
; the innermost function, or @block. Where there is @after, they do so behind it. @field is one of the class around, which
; hides nothing. @type_of is what a variable is. @export is what a file hands out.
(call_expression function: (identifier) @call)
(call_expression function: (member_expression object: (_) @on property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression object: (_) @on property: (property_identifier) @call))

(import_statement source: (string (string_fragment) @from)) @importing
(export_statement source: (string (string_fragment) @from)) @importing
(import_specifier name: (_) @import !alias)
(import_specifier name: (_) @import alias: (identifier) @as)
(export_specifier name: (_) @export !alias)
(export_specifier name: (_) @export alias: (_) @as)
(export_statement "default" value: (identifier) @export_default)
(export_statement "default" declaration: (_ name: (_) @export_default))
(assignment_expression
  left: (member_expression object: (identifier) @object property: (property_identifier) @property)
  right: (identifier) @export_default (#eq? @object "module") (#eq? @property "exports"))
(assignment_expression
  left: (member_expression object: (identifier) @object property: (property_identifier) @export_default)
  right: [(arrow_function) (function_expression) (generator_function) (class !name)]
  (#eq? @object "module") (#eq? @export_default "exports"))
(assignment_expression
  left: (member_expression object: (identifier) @object property: (property_identifier) @property)
  right: (class name: (_) @export_default) (#eq? @object "module") (#eq? @property "exports"))
(import_clause (identifier) @as) @import_default
(namespace_import (identifier) @as) @all
(namespace_export (_) @as) @all
(export_statement "*") @all

(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @import
    (pair_pattern key: (property_identifier) @import value: (identifier) @as)])
  value: (call_expression function: (identifier) @require (#eq? @require "require")))
(variable_declarator
  name: (identifier) @as
  value: (call_expression function: (identifier) @require (#eq? @require "require"))) @all
(variable_declarator
  value: (call_expression
    function: (identifier) @require (#eq? @require "require")
    arguments: (arguments . (string (string_fragment) @from)))) @importing

(arrow_function parameter: (identifier) @parameter)
(rest_pattern (identifier) @local)
(array_pattern (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: [(identifier) @local (assignment_pattern left: (identifier) @local)])
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)
(variable_declarator name: (identifier) @local)
[(arrow_function) (function_expression) (generator_function) (catch_clause) (for_in_statement)] @block
(variable_declarator name: (identifier) @local value: (new_expression constructor: (identifier) @type_of))
