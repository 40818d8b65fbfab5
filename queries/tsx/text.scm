; inherits: typescript
(jsx_text) @loose
(parenthesized_expression "(" @layout [(jsx_element) (jsx_self_closing_element)] ")" @layout)
