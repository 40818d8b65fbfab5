import { type ParseError, parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { setValue } from '../../../src/server/agents/edit-json';

const PATH = ['servers', 'new'];
const VALUE = { command: 'run' };

test.each([
  ['an empty object', '{}', '{\n  "servers": {\n    "new": {\n      "command": "run"\n    }\n  }\n}'],
  [
    'an object with other things',
    '{\n  "a": 1\n}\n',
    '{\n  "a": 1,\n  "servers": {\n    "new": {\n      "command": "run"\n    }\n  }\n}\n',
  ],
  ['no entry yet', '{\n\t"servers": {}\n}', '{\n\t"servers": {\n\t\t"new": {\n\t\t\t"command": "run"\n\t\t}\n\t}\n}'],
  [
    'a comment behind the last entry',
    '{\n  "servers": {\n    "a": {} // a\n  }\n}',
    '{\n  "servers": {\n    "a": {}, // a\n    "new": {\n      "command": "run"\n    }\n  }\n}',
  ],
  [
    'a comma and a comment behind the last entry',
    '{\n  "servers": {\n    "a": {}, /* a */\n    // end\n  }\n}',
    '{\n  "servers": {\n    "a": {}, /* a */\n    "new": {\n      "command": "run"\n    },\n    // end\n  }\n}',
  ],
  ['one line', '{"servers": {"a": {}}}', '{"servers": {"a": {},\n  "new": {\n    "command": "run"\n  }\n}}'],
  [
    'an entry with that name',
    '{"servers": {"new": 1, "b": [1,2]}}',
    '{"servers": {"new": {\n  "command": "run"\n}, "b": [1,2]}}',
  ],
  [
    'a comment in an empty object',
    '{"servers": { // none yet\n}}',
    '{"servers": {\n  "new": {\n    "command": "run"\n  } // none yet\n}}',
  ],
])('a value is set into %s, and all around it stays', (_, before, after) => {
  const text = setValue(before, PATH, VALUE);
  expect(text).toBe(after);
  const errors: ParseError[] = [];
  expect(parse(text, errors, { allowTrailingComma: true }).servers.new).toEqual(VALUE);
  expect(errors).toEqual([]);
});
