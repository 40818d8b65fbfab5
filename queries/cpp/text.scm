[(string_literal) (raw_string_literal) (char_literal) (system_lib_string)] @literal
(preproc_arg) @macro
(comment) @comment
