import { type ParseError, parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { appendItem, removeValue, setValue } from '../../../src/server/agents/edit-json';

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
  [
    'a line with spaces around its comma and its end',
    '{"servers": {"a": {} , "b": {} } }',
    '{"servers": {"a": {} , "b": {},\n  "new": {\n    "command": "run"\n  }\n} }',
  ],
  [
    'a comma at the end, behind a space',
    '{\n  "servers": {\n    "a": {} ,\n  }\n}',
    '{\n  "servers": {\n    "a": {} ,\n    "new": {\n      "command": "run"\n    },\n  }\n}',
  ],
  [
    'an object whose last line is not indented',
    '{\n  "a": 1,\n"b": 2\n}',
    '{\n  "a": 1,\n"b": 2,\n"servers": {\n  "new": {\n    "command": "run"\n  }\n}\n}',
  ],
  [
    'an object that two tabs indent',
    '{\n\t\t"a": 1\n}',
    '{\n\t\t"a": 1,\n\t\t"servers": {\n\t\t\t"new": {\n\t\t\t\t"command": "run"\n\t\t\t}\n\t\t}\n}',
  ],
])('a value is set into %s, and all around it stays', (_, before, after) => {
  const text = setValue(before, PATH, VALUE);
  expect(text).toBe(after);
  const errors: ParseError[] = [];
  expect(parse(text, errors, { allowTrailingComma: true }).servers.new).toEqual(VALUE);
  expect(errors).toEqual([]);
});

test('a list is set on one line', () => {
  expect(setValue('{"servers": {"new": [1]}}', PATH, ['a', 'b'])).toBe('{"servers": {"new": ["a","b"]}}');
});

const LIST = ['hooks', 'stop'];
const ENTRY = { run: 'it' };

test.each([
  ['an empty list', '{"hooks": {"stop": []}}', '{"hooks": {"stop": [\n  {\n    "run": "it"\n  }\n]}}'],
  [
    'a list with items on lines of their own',
    '{\n  "hooks": {\n    "stop": [\n      1,\n      2\n    ]\n  }\n}\n',
    '{\n  "hooks": {\n    "stop": [\n      1,\n      2,\n      {\n        "run": "it"\n      }\n    ]\n  }\n}\n',
  ],
  [
    'a list with a comment behind its last item',
    '{\n  "hooks": {\n    "stop": [\n      1 // one\n    ]\n  }\n}\n',
    '{\n  "hooks": {\n    "stop": [\n      1, // one\n      {\n        "run": "it"\n      }\n    ]\n  }\n}\n',
  ],
  [
    'a list that is indented otherwise than its file',
    '{\n  "hooks": {\n    "stop": [\n            1\n    ]\n  }\n}',
    '{\n  "hooks": {\n    "stop": [\n            1,\n            {\n              "run": "it"\n            }\n    ]\n  }\n}',
  ],
  ['a list on one line', '{"hooks": {"stop": [1, 2 ]}}', '{"hooks": {"stop": [1, 2, {"run":"it"} ]}}'],
  [
    'a list with a comma behind its last item',
    '{\r\n\t"hooks": {\r\n\t\t"stop": [\r\n\t\t\t1,\r\n\t\t]\r\n\t}\r\n}',
    '{\r\n\t"hooks": {\r\n\t\t"stop": [\r\n\t\t\t1,\r\n\t\t\t{\r\n\t\t\t\t"run": "it"\r\n\t\t\t},\r\n\t\t]\r\n\t}\r\n}',
  ],
])('an item is added at the end of %s, and all around it stays', (_, before, after) => {
  const text = appendItem(before, LIST, ENTRY);
  expect(text).toBe(after);
  const errors: ParseError[] = [];
  expect(parse(text, errors, { allowTrailingComma: true }).hooks.stop.at(-1)).toEqual(ENTRY);
  expect(errors).toEqual([]);
});

test.each(['{"hooks": {}}', '{"hooks": {"stop": {}}}'])('an item is added to a list alone: %s', (text) => {
  expect(() => appendItem(text, LIST, ENTRY)).toThrow('no list');
});

test.each<[what: string, path: (string | number)[], before: string, after: string]>([
  ['a property between others', ['b'], '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n', '{\n  "a": 1,\n  "c": 3\n}\n'],
  ['the last property, with the comma before it', ['b'], '{\n  "a": 1,\n  "b": 2\n}\n', '{\n  "a": 1\n}\n'],
  ['the only property', ['a'], '{\n  "a": 1\n}\n', '{\n}\n'],
  ['a property of one line', ['a'], '{"a": 1, "b": 2}', '{ "b": 2}'],
  ['the last property of one line', ['b'], '{"a": 1, "b": 2}', '{"a": 1}'],
  ['the first item of a list', ['a', 0], '{\n  "a": [\n    1,\n    2\n  ]\n}', '{\n  "a": [\n    2\n  ]\n}'],
  ['the last item of a list', ['a', 1], '{\n  "a": [\n    1,\n    2\n  ]\n}', '{\n  "a": [\n    1\n  ]\n}'],
  ['the last item of a list on one line', ['a', 1], '{"a": [1, {"b": 2} ]}', '{"a": [1 ]}'],
  ['a value of several lines', ['a'], '{\r\n  "a": {\r\n    "b": 1\r\n  },\r\n  "c": 2\r\n}', '{\r\n  "c": 2\r\n}'],
  [
    'a property, but no comment',
    ['b'],
    '{\n  // first\n  "a": 1, // one\n  // second\n  "b": 2 // two\n}\n',
    '{\n  // first\n  "a": 1 // one\n  // second\n  // two\n}\n',
  ],
  ['no end of its line behind a comment', ['a'], '{ // one\n  "a": 1 }', '{ // one\n  }'],
  ['no item on its line behind a comment', ['a', 0], '{"a": [ // one\n  1, 2]}', '{"a": [ // one\n  2]}'],
  ['no empty line', ['b'], '{\n  "a": 1,\n\n  "b": 2,\n  "c": 3\n}', '{\n  "a": 1,\n\n  "c": 3\n}'],
  ['a property that is not indented', ['b'], '{\n"a": 1,\n"b": 2,\n"c": 3\n}', '{\n"a": 1,\n"c": 3\n}'],
  ['a property before a comma at the end', ['b'], '{\n  "a": 1,\n  "b": 2,\n}\n', '{\n  "a": 1,\n}\n'],
  ['nothing where nothing is', ['b', 'c'], '{"a": 1}', '{"a": 1}'],
  ['nothing of the root', [], '{"a": 1}', '{"a": 1}'],
])('takes out %s, and all around it stays', (_, path, before, after) => {
  const text = removeValue(before, path);
  expect(text).toBe(after);
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
});
