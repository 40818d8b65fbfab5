import { judgeRefactorings } from './judge-refactorings';
import { CACHE, FORMAT, PARSE, PUT, READ, ROWS, STORE, WARN } from './refactored-sources';

/** Those that put a memory on another place. */
judgeRefactorings([
  {
    title: 'a function that is renamed in place takes it along',
    change: ({ edit }) => edit('src/text.ts', 'function parse(', 'function parseList('),
    shown: ['src/text.ts parseList moved'],
    moves: 1,
  },
  {
    title: 'a class that is renamed takes the memories on its methods along',
    about: ['Store', 'Store.put'],
    change: ({ edit }) => edit('src/store.ts', 'class Store', 'class Rows'),
    shown: ['src/store.ts Rows moved', 'src/store.ts Rows.put moved'],
    moves: 2,
  },
  {
    title: 'git mv of a file takes it along',
    change: async ({ git }) => git('mv', 'src/text.ts', 'src/words.ts'),
    shown: ['src/words.ts parse moved'],
    moves: 1,
  },
  {
    title: 'a plain mv of a file takes it along, memories on the file itself included',
    about: ['parse()', 'src/text.ts'],
    change: ({ move }) => move('src/text.ts', 'other/words.ts'),
    shown: ['other/words.ts parse moved', 'other/words.ts words.ts moved'],
    moves: 2,
  },
  {
    title: 'a function that is cut out and pasted into another file takes it along',
    change: async ({ edit, read, write }) => {
      await edit('src/text.ts', PARSE, '');
      await write('src/store.ts', `${await read('src/store.ts')}\n${PARSE}`);
    },
    shown: ['src/store.ts parse moved'],
    moves: 1,
  },
  {
    title: 'a function that is renamed while its file is moved takes it along',
    change: async ({ edit, move }) => {
      await edit('src/text.ts', 'function parse(', 'function parseList(');
      await move('src/text.ts', 'src/list.ts');
    },
    shown: ['src/list.ts parseList moved'],
    moves: 1,
  },
  {
    title: 'a file that is split in two leaves each memory on its function',
    about: ['parse()', 'format()'],
    change: async ({ remove, write }) => {
      await remove('src/text.ts');
      await write('src/parse.ts', PARSE);
      await write('src/format.ts', FORMAT);
    },
    shown: ['src/format.ts format moved', 'src/parse.ts parse moved'],
    moves: 2,
  },
  {
    title: 'two files that are merged leave each memory on its symbol, of two methods get as well',
    about: ['Store.get', 'Cache.get'],
    change: async ({ remove, write }) => {
      await remove('src/store.ts');
      await remove('src/cache.ts');
      await write('src/data.ts', `${CACHE}\n${STORE}`);
    },
    shown: ['src/data.ts Cache.get moved', 'src/data.ts Store.get moved'],
    moves: 2,
  },
  {
    title: 'a function that is deleted, built, and added again elsewhere has it there',
    change: async ({ edit, build, write }) => {
      await edit('src/text.ts', PARSE, '');
      await build();
      await write('src/again.ts', PARSE);
    },
    shown: ['src/again.ts parse moved'],
    moves: 1,
  },
  {
    title: 'two functions with its text, one of them in its file: that is it, whatever the other one is called',
    change: async ({ edit, write }) => {
      await edit('src/text.ts', PARSE, PARSE.replace('parse(', 'one('));
      await write('src/two.ts', PARSE);
    },
    shown: ['src/text.ts one moved'],
    moves: 1,
  },
  {
    title: 'a function that is wrapped into a class as it is takes it along',
    about: ['read()'],
    change: ({ write }) => write('tools/read.py', `class Files:\n    ${READ.trimEnd().replaceAll('\n', '\n    ')}\n`),
    shown: ['tools/read.py Files.read moved'],
    moves: 1,
  },
  {
    title: 'a body that changes and a name that changes after that is followed by what they have in common, as changed',
    change: async ({ edit, build }) => {
      await edit('src/text.ts', "split(',')", "split(';')");
      await build();
      await edit('src/text.ts', 'function parse(', 'function parseList(');
    },
    shown: ['src/text.ts parseList changed'],
    moves: 1,
  },
  {
    title: 'a file that is renamed by the case of its letters takes it along',
    change: async ({ git }) => git('mv', 'src/text.ts', 'src/Text.ts'),
    shown: ['src/Text.ts parse moved'],
    moves: 1,
  },
  {
    title: 'a name and a body that change at once are followed by what they have in common, as changed',
    change: async ({ edit }) => {
      await edit('src/text.ts', 'function parse(', 'function parseList(');
      await edit('src/text.ts', "split(',')", "split(';')");
    },
    shown: ['src/text.ts parseList changed'],
    moves: 1,
  },
  {
    title: 'a function with an inner one whose name and text change at once is followed, as changed',
    about: ['pipe()'],
    change: async ({ edit }) => {
      await edit('tools/calls.py', 'def pipe(', 'def chain_all(');
      await edit('tools/calls.py', 'Runs all', 'Calls all');
    },
    shown: ['tools/calls.py chain_all changed'],
    moves: 1,
  },
  {
    title: 'one whose inner functions hold the text that changed is followed, as changed, and so are these',
    about: ['traced()', 'traced.decorate', 'traced.decorate.wrapper'],
    change: async ({ edit }) => {
      await edit('tools/calls.py', 'def traced(', 'def logged(');
      await edit('tools/calls.py', 'print(name, args)', 'print(name, *args)');
    },
    shown: [
      'tools/calls.py logged changed',
      'tools/calls.py logged.decorate changed',
      'tools/calls.py logged.decorate.wrapper changed',
    ],
    moves: 3,
  },
  {
    title:
      'an inner function whose own name, and that of the one around it, change with its text is followed, as changed',
    about: ['pipe.wrapped_pipe'],
    change: async ({ edit }) => {
      await edit('tools/calls.py', 'def pipe(', 'def chain_all(');
      await edit('tools/calls.py', 'def wrapped_pipe(', 'def run(');
      await edit('tools/calls.py', 'return wrapped_pipe', 'return run');
      await edit('tools/calls.py', 'rv = new_value', 'rv = None');
    },
    shown: ['tools/calls.py chain_all.run changed'],
    moves: 1,
  },
  {
    title: 'an inner function stays itself when the one around it gets another name',
    about: ['pipe.wrapped_pipe'],
    change: ({ edit }) => edit('tools/calls.py', 'def pipe(', 'def chain_all('),
    shown: ['tools/calls.py chain_all.wrapped_pipe moved'],
    moves: 1,
  },
  {
    title: 'a function that becomes a method of its file with another text is followed, as changed',
    change: ({ edit }) =>
      edit('src/text.ts', PARSE, `export class Text {\n  static ${PARSE.replace('export function ', '')}}\n`),
    shown: ['src/text.ts Text.parse changed'],
    moves: 1,
  },
  {
    title: 'a file that is renamed while its function changes takes it along, as changed',
    change: async ({ git, edit }) => {
      git('mv', 'src/text.ts', 'src/words.ts');
      await edit('src/words.ts', "split(',')", "split(';')");
    },
    shown: ['src/words.ts parse changed'],
    moves: 1,
  },
  {
    title: 'a plain mv of a file while its function changes takes it along, as changed',
    change: async ({ move, edit }) => {
      await move('src/text.ts', 'other/words.ts');
      await edit('other/words.ts', "split(',')", "split(';')");
    },
    shown: ['other/words.ts parse changed'],
    moves: 1,
  },
  {
    title: 'a function that is moved to a new file and changed there is followed by its name, as changed',
    change: async ({ edit, write }) => {
      await edit('src/text.ts', PARSE, '');
      await write('src/list.ts', PARSE.replace("split(',')", 'split(/[,;]/, limit).reverse()'));
    },
    shown: ['src/list.ts parse changed'],
    moves: 1,
  },
  {
    title:
      'a function that is handed out otherwise in a new file, and changed there, is followed by its name, as changed',
    about: ['src/legacy.js#exports.warnOnce'],
    change: async ({ edit, write }) => {
      await edit('src/legacy.js', WARN, '');
      await write(
        'src/warnings.js',
        `${WARN.replace('exports.warnOnce = function (text)', 'export const warnOnce = (text, type) =>').replace("'Warning'", 'type')}`,
      );
    },
    shown: ['src/warnings.js warnOnce changed'],
    moves: 1,
  },
  {
    title: 'one that is handed out otherwise in its own file, and changed there, is followed by its name, as changed',
    about: ['src/legacy.js#exports.warnOnce'],
    change: async ({ edit }) => {
      await edit('src/legacy.js', 'exports.warnOnce = function (text)', 'function warnOnce(text, type)');
      await edit('src/legacy.js', "'Warning'", 'type');
    },
    shown: ['src/legacy.js warnOnce changed'],
    moves: 1,
  },
  {
    title:
      'one that got overloads on its way to a new file is followed by its name, as changed, and is asked about them',
    change: async ({ edit, write }) => {
      await edit('src/text.ts', PARSE, '');
      const signatures = ['text: string', 'text: string, limit: number'].map(
        (one) => `export function parse(${one}): string[];`,
      );
      const rewritten = PARSE.replace('text: string', 'text: string, limit = 9').replace(
        "split(',')",
        'split(/[,;]/, limit)',
      );
      await write('src/list.ts', `${signatures.join('\n')}\n${rewritten}`);
    },
    shown: ['src/list.ts parse changed', 'src/list.ts parse changed', 'src/list.ts parse changed'],
    moves: 1,
  },
  {
    title: 'a class that is renamed takes the memory on a method along that changed meanwhile',
    about: ['Store.put'],
    change: async ({ edit }) => {
      await edit('src/store.ts', 'class Store', 'class Rows');
      await edit('src/store.ts', 'put(key: string', 'put(name: string');
    },
    shown: ['src/store.ts Rows.put changed'],
    moves: 1,
  },
  {
    title: 'renames and changes over several commits are followed from one to the next',
    change: async ({ git, edit, write, read }) => {
      git('mv', 'src/text.ts', 'src/words.ts');
      git('commit', '-am', 'renamed');
      await write('src/words.ts', `${await read('src/words.ts')}\n${'export const more = 1;\n'.repeat(200)}`);
      git('commit', '-am', 'more');
      git('mv', 'src/words.ts', 'src/lines.ts');
      await edit('src/lines.ts', "split(',')", "split(';')");
      git('commit', '-am', 'renamed again');
    },
    shown: ['src/lines.ts parse changed'],
    moves: 1,
  },
  {
    title: 'a folder that is moved takes it along',
    about: ['upper()', 'src/lib/deep/names.ts'],
    change: ({ move }) => move('src/lib', 'packages/core/lib'),
    shown: ['packages/core/lib/deep/names.ts names.ts moved', 'packages/core/lib/deep/names.ts upper moved'],
    moves: 2,
  },
  {
    title: 'a new thing that takes over its name elsewhere does not take it over',
    change: async ({ edit, write }) => {
      await edit('src/text.ts', 'function parse(', 'function parseList(');
      await write('src/json.ts', 'export function parse(json: string): unknown {\n  return JSON.parse(json);\n}\n');
    },
    shown: ['src/text.ts parseList moved'],
    moves: 1,
  },
  {
    title: 'a branch where the file has another name, and back, leaves it as it was',
    change: async ({ git, build }) => {
      git('checkout', '-b', 'other');
      git('mv', 'src/text.ts', 'src/words.ts');
      git('commit', '-am', 'words');
      await build();
      git('checkout', 'main');
    },
    shown: ['src/text.ts parse unchanged'],
    moves: 0,
  },
  {
    title: 'a function that goes into a namespace as it is takes it along',
    change: ({ edit }) => edit('src/text.ts', PARSE, `export namespace Text {\n${PARSE}}\n`),
    shown: ['src/text.ts Text.parse moved'],
    moves: 1,
  },
  {
    title: 'a branch where it is renamed and then changed, and back, leaves it as it was',
    change: async ({ git, edit, build }) => {
      git('checkout', '-b', 'other');
      await edit('src/text.ts', 'function parse(', 'function parseList(');
      await build();
      await edit('src/text.ts', "split(',')", "split(';')");
      git('commit', '-am', 'other');
      await build();
      git('checkout', 'main');
    },
    shown: ['src/text.ts parse unchanged'],
    moves: 0,
  },
  {
    title:
      'a method that goes into another class elsewhere and is changed on the way takes it along, alone of its name',
    about: ['Store.put'],
    change: async ({ edit, write }) => {
      await edit('src/store.ts', PUT, '');
      await write('src/rows.ts', ROWS);
    },
    shown: ['src/rows.ts Rows.put changed'],
    moves: 1,
  },
]);
