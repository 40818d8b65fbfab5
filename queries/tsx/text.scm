; inherits: typescript
(jsx_text) @loose
