; inherits: ecmascript
(jsx_text) @loose
