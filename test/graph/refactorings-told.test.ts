import { judgeRefactorings } from './judge-refactorings';
import { DECORATED, FORMAT, PARSE, PUT, ROWS, SAME, WARN } from './refactored-sources';

const OTHER_PUT = 'export class Zeros {\n  put(rows: Row[]): number {\n    return rows.length;\n  }\n}\n';

/** Those that leave a memory where it is, or have it reported. */
judgeRefactorings([
  {
    title: 'lines that shift leave it where it is',
    change: ({ edit }) => edit('src/text.ts', '// Text in and out.', '// Text\n// in\n// and out.\n'),
    shown: ['src/text.ts parse unchanged'],
    moves: 0,
  },
  {
    title: 'a function that is deleted leaves it reported as gone',
    change: ({ edit }) => edit('src/text.ts', PARSE, ''),
    shown: ['gone'],
    moves: 0,
  },
  {
    title: 'a file that is deleted leaves it reported as gone',
    change: ({ remove }) => remove('src/text.ts'),
    shown: ['gone'],
    moves: 0,
  },
  {
    title: 'a function that is deleted, built, and added again has it back',
    change: async ({ edit, build }) => {
      await edit('src/text.ts', PARSE, '');
      await build();
      await edit('src/text.ts', FORMAT, `${FORMAT}\n${PARSE}`);
    },
    shown: ['src/text.ts parse unchanged'],
    moves: 0,
  },
  {
    title: 'a function that is deleted, built, and added again with another body has it back as changed',
    change: async ({ edit, build }) => {
      await edit('src/text.ts', PARSE, '');
      await build();
      await edit('src/text.ts', FORMAT, `${FORMAT}\n${PARSE.replace("','", "';'")}`);
    },
    shown: ['src/text.ts parse changed'],
    moves: 0,
  },
  {
    title: 'a copy under the same name elsewhere leaves it on the original',
    change: ({ write }) => write('src/copy.ts', PARSE),
    shown: ['src/text.ts parse unchanged'],
    moves: 0,
  },
  {
    title: 'a copy under another name in the same file leaves it on the original',
    change: ({ edit }) => edit('src/text.ts', FORMAT, PARSE.replace('parse(', 'parseToo(')),
    shown: ['src/text.ts parse unchanged'],
    moves: 0,
  },
  {
    title: 'two functions in other files with its text, neither with its name, are ambiguous: it is reported',
    change: async ({ edit, write }) => {
      await edit('src/text.ts', PARSE, '');
      await write('src/one.ts', PARSE.replace('parse(', 'one('));
      await write('src/two.ts', PARSE.replace('parse(', 'two('));
    },
    shown: ['gone'],
    moves: 0,
  },
  {
    title: 'two functions that change places leave it on its own',
    about: ['parse()', 'format()'],
    change: ({ write }) => write('src/text.ts', `${FORMAT}\n${PARSE}`),
    shown: ['src/text.ts format unchanged', 'src/text.ts parse unchanged'],
    moves: 0,
  },
  {
    title: 'two functions that change names are both reported',
    about: ['parse()', 'format()'],
    change: ({ write }) =>
      write('src/text.ts', `${PARSE.replace('parse(', 'format(')}\n${FORMAT.replace('format(', 'parse(')}`),
    shown: ['src/text.ts format changed', 'src/text.ts parse changed'],
    moves: 0,
  },
  {
    title: 'a body that changes is reported as changed',
    change: ({ edit }) => edit('src/text.ts', "split(',')", "split(';')"),
    shown: ['src/text.ts parse changed'],
    moves: 0,
  },
  {
    title: 'a body that changes and is taken back is as it was',
    change: async ({ edit, build }) => {
      await edit('src/text.ts', "split(',')", "split(';')");
      await build();
      await edit('src/text.ts', "split(';')", "split(',')");
    },
    shown: ['src/text.ts parse unchanged'],
    moves: 0,
  },
  {
    title: 'a formatter changes nothing',
    change: ({ edit }) =>
      edit(
        'src/text.ts',
        PARSE,
        "export function parse(\n    text: string\n): string[]\n{\n    return text\n        .split(',')\n        .map((part) => part.trim());\n}\n",
      ),
    shown: ['src/text.ts parse unchanged'],
    moves: 0,
  },
  {
    title: 'a comment inside the function is part of its text, one outside is not',
    about: ['parse()', 'format()'],
    change: async ({ edit }) => {
      await edit('src/text.ts', '  return text', '  // Spaces do not count.\n  return text');
      await edit('src/text.ts', 'export function format', '/** The other way. */\nexport function format');
    },
    shown: ['src/text.ts format unchanged', 'src/text.ts parse changed'],
    moves: 0,
  },
  {
    title: 'a new function that takes over its name in the file is reported as changed',
    change: ({ edit }) =>
      edit(
        'src/text.ts',
        PARSE,
        `${PARSE.replace('parse(', 'parseOld(')}\nexport function parse(text: string) {\n  return parseOld(text);\n}\n`,
      ),
    shown: ['src/text.ts parse changed'],
    moves: 0,
  },
  {
    title: 'a file that can no longer be read as text leaves it not judged',
    change: ({ write }) => write('src/text.ts', '\0\0\0'),
    shown: [],
    moves: 0,
  },
  {
    title: 'a syntax error in the middle of an edit does not lose what stands before it',
    change: ({ edit }) => edit('src/text.ts', FORMAT, 'export function format(parts: {{{'),
    shown: ['src/text.ts parse unchanged'],
    moves: 0,
  },
  {
    title: 'two new functions that are like it, each with an inner one, leave it reported as gone',
    about: ['pipe()'],
    change: ({ write }) =>
      write('tools/calls.py', ['one', 'two'].map((name) => DECORATED.replace('pipe(', `${name}(`)).join('\n\n')),
    shown: ['gone'],
    moves: 0,
  },
  {
    title: 'a branch without the function, and back, leaves it as it was',
    change: async ({ git, edit, build }) => {
      git('checkout', '-b', 'other');
      await edit('src/text.ts', PARSE, '');
      git('commit', '-am', 'without');
      await build();
      git('checkout', 'main');
    },
    shown: ['src/text.ts parse unchanged'],
    moves: 0,
  },
  {
    title: 'a wrapper that is left behind where a function was is reported as changed',
    change: async ({ edit, write }) => {
      await write('src/list.ts', PARSE);
      await edit('src/text.ts', PARSE, 'export function parse(text: string) {\n  return list.parse(text);\n}\n');
    },
    shown: ['src/text.ts parse changed'],
    moves: 0,
  },
  {
    title: 'a merge conflict leaves it where its own text stands',
    change: ({ edit }) =>
      edit('src/text.ts', PARSE, `<<<<<<< ours\n${PARSE}=======\n${PARSE.replace("','", "';'")}>>>>>>> theirs\n`),
    shown: ['src/text.ts parse unchanged'],
    moves: 0,
  },
  {
    title: 'two functions with the same text that are both renamed are ambiguous: they are reported',
    about: ['one()', 'two()'],
    change: async ({ write, build }) => {
      await write('src/same.ts', SAME);
      await build();
      await write('src/same.ts', SAME.replace('one(', 'first(').replace('two(', 'second('));
    },
    shown: ['gone'],
    moves: 0,
  },
  {
    title: 'a function that is deleted while its namesake elsewhere is handed out otherwise is reported as gone',
    about: ['src/legacy.js#exports.warnOnce'],
    change: async ({ edit }) => {
      await edit('src/legacy.js', WARN, '');
      await edit('tools/legacy.js', 'exports.warnOnce = function (text)', 'function warnOnce(text)');
    },
    shown: ['gone'],
    moves: 0,
  },
  {
    title: 'a function that is deleted beside another one with the same text is reported as gone',
    about: ['one()'],
    change: async ({ write, build }) => {
      await write('src/same.ts', SAME);
      await build();
      await write('src/same.ts', SAME.slice(SAME.indexOf('export function two')));
    },
    shown: ['gone'],
    moves: 0,
  },
  {
    title:
      'a method that is deleted while another one of its name with another text is new elsewhere is reported as gone',
    about: ['Store.put'],
    change: async ({ edit, write }) => {
      await edit('src/store.ts', PUT, '');
      await write('src/zeros.ts', OTHER_PUT);
    },
    shown: ['gone'],
    moves: 0,
  },
  {
    title:
      'a method that is deleted while two others elsewhere have its name is reported as gone, though one is like it',
    about: ['Store.put'],
    change: async ({ edit, write }) => {
      await edit('src/store.ts', PUT, '');
      await write('src/rows.ts', ROWS);
      await write('src/zeros.ts', OTHER_PUT);
    },
    shown: ['gone'],
    moves: 0,
  },
]);
