import { expect, it } from 'vitest';
import { type Check, OPEN, withRepositoryHere } from '../support/check-repository';

it('tells the same whether a build has followed the change or not: moved, renamed, put over another, and back', async () => {
  await withRepositoryHere(async ({ found, git, write, remove, build, svc }) => {
    await remove('src/open.ts');
    await write('src/db.ts', OPEN);
    git('add', '-A');
    for (const args of [['--staged'], []]) expect(await found(...args)).toEqual([]);
    expect((await svc(['build'])).out).toContain('followed their code to another place: 1');
    for (const args of [['--staged'], []]) expect(await found(...args)).toEqual([]);
    await write('src/db.ts', OPEN.replace('open()', 'connectTo()'));
    await build();
    for (const args of [['--staged'], []]) expect(await found(...args)).toEqual([]);
    git('commit', '--quiet', '-a', '-m', 'second');
    expect(await found('--since', 'HEAD~1')).toEqual([]);
    await write('src/db.ts', OPEN.replace('open()', 'connectTo()').replace('main', 'other'));
    const CHANGED = ['opens slowly: changed connectTo@src/db.ts:1'];
    for (const built of [false, true]) {
      if (built) await build();
      expect(await found()).toEqual(CHANGED);
    }
    git('checkout', '--quiet', '.');
    // Where it was linked it is that one again, and the other one is a copy.
    await write('src/open.ts', OPEN);
    git('add', '-A');
    git('commit', '--quiet', '-m', 'third');
    await write('src/db.ts', OPEN.replace('open()', 'connectTo()').replace('main', 'other'));
    expect(await found()).toEqual([]);
    await write('src/open.ts', OPEN.replace('main', 'other'));
    for (const built of [false, true]) {
      if (built) await build();
      expect(await found()).toEqual(['opens slowly: changed open@src/open.ts:1']);
    }
    git('checkout', '--quiet', '.');
    await build();
    expect(await found()).toEqual([]);
  });
});

it('says changed, not gone, of code that was rewritten under another name or in another file, as review does', async () => {
  await withRepositoryHere(async ({ found, git, write, remove, ok, check }) => {
    await write('src/open.ts', OPEN.replace('open()', 'connectTo()').replace('main', 'other'));
    expect(await found()).toEqual(['opens slowly: changed connectTo@src/open.ts:1']);
    await ok('verify-staleness');
    expect(await ok('review')).toMatch(/changed.*renamed from open/s);
    const { memories } = JSON.parse((await check('--json')).out) as Check;
    await ok('verify', memories[0]?.id ?? '', 'confirm');
    expect(await found()).toEqual([]);
    await ok('undo');
    // What was another one before is not what it became.
    await write('src/open.ts', `${OPEN}export function close() {\n  return detach("main");\n}\n`);
    git('commit', '--quiet', '-a', '-m', 'second');
    await write('src/open.ts', 'export function shut() {\n  return detach("main");\n}\n');
    expect(await found()).toEqual(['opens slowly: gone']);
    await write('src/db.ts', OPEN.replace('main', 'other'));
    git('add', '-A');
    expect(await found()).toEqual(['opens slowly: changed open@src/db.ts:1']);
    await write(
      'src/db.ts',
      `export class Db {\n  ${OPEN.slice('export function '.length).replace('main', 'other')}}\n`,
    );
    expect(await found()).toEqual(['opens slowly: changed Db.open@src/db.ts:2']);
    await write(
      'src/db.ts',
      'export class Db {\n  open(names: string[]) {\n    for (const name of names) this.all.push(name.trim());\n  }\n}\n',
    );
    expect(await found()).toEqual(['opens slowly: gone']);
    await remove('src/db.ts');
  });
});

it.each([
  ['one word of it', 'Runs all', 'Runs most'],
  ['its inner function', 'run(call)', 'run(call, 1)'],
])(
  'says changed of a function with an inner one that got another name together with %s, as review does',
  async (_, was, now) => {
    const RUN =
      'def pipe(*calls):\n    """Runs all calls."""\n    def each(value):\n        for call in calls:\n            value = run(call)\n        return value\n    return each\n';
    await withRepositoryHere(async ({ found, git, write, build, ok }) => {
      await write('src/run.py', RUN);
      git('add', '-A');
      git('commit', '--quiet', '-m', 'second');
      await build();
      await ok('store', 'runs each', '--kind', 'fact', '--entities', 'pipe()');
      await write('src/run.py', RUN.replace('pipe', 'chain').replace(was, now));
      expect(await found()).toEqual(['runs each: changed chain@src/run.py:1']);
      await ok('verify-staleness');
      expect(await ok('review')).toMatch(/src\/run\.py:1 chain\n.*changed.*renamed from pipe/s);
    });
  },
);

const VISIT = 'def visit(node):\n    for child in node.children:\n        seen.append(child.name)\n    return seen\n';
const REST = '    tree = parse(text)\n    tree.check(strict)\n    return visit(tree)\n';

it.each([
  ['got another name', `def build(text, seen):\n${REST}`, 'changed build@src/run.py:1', 'src/run.py:1 build\n'],
  ['was deleted', '', 'gone', 'src/run.py make\n'],
])(
  'says the same as review of a function that %s while its inner one was moved out as it was',
  async (_, rest, told, reviewed) => {
    await withRepositoryHere(async ({ found, git, write, build, ok }) => {
      await write('src/run.py', `def make(text, seen):\n${VISIT.replace(/^(?=.)/gm, '    ')}${REST}`);
      git('add', '-A');
      git('commit', '--quiet', '-m', 'second');
      await build();
      await ok('store', 'makes it', '--kind', 'fact', '--entities', 'make()');
      await write('src/run.py', `${rest}${VISIT}`);
      expect(await found()).toEqual([`makes it: ${told}`]);
      await ok('verify-staleness');
      expect(await ok('review')).toContain(reviewed);
    });
  },
);

it('tells of code that moved in an earlier commit, built or not', async () => {
  await withRepositoryHere(async ({ found, git, write, build }) => {
    await write('src/open.ts', 'export const nothing = 1;\n');
    await write('src/db.ts', OPEN);
    git('add', '-A');
    git('commit', '--quiet', '-m', 'second');
    await write('src/db.ts', OPEN.replace('main', 'other'));
    expect(await found()).toEqual(['opens slowly: changed open@src/db.ts:1']);
    await build();
    expect(await found()).toEqual(['opens slowly: changed open@src/db.ts:1']);
  });
});

it('has nothing to tell of a memory that was confirmed after its code went', async () => {
  await withRepositoryHere(async ({ found, write, build, ok, check }) => {
    await write('src/open.ts', 'export const nothing = 1;\n');
    expect(await found()).toEqual(['opens slowly: gone']);
    const { memories } = JSON.parse((await check('--json')).out) as Check;
    await ok('verify', memories[0]?.id ?? '', 'confirm');
    expect(await found()).toEqual([]);
    await build();
    expect(await found()).toEqual([]);
    await ok('undo');
    expect(await found()).toEqual(['opens slowly: gone']);
  });
});

it('has nothing to tell of a memory that was kept on what the change brings', async () => {
  await withRepositoryHere(async ({ found, write, build, ok, check }) => {
    await write('src/open.ts', OPEN.replace('main', 'other'));
    const { memories } = JSON.parse((await check('--json')).out) as Check;
    await ok('verify', memories[0]?.id ?? '', 'confirm');
    expect(await found()).toEqual([]);
    await build();
    expect(await found()).toEqual([]);
    await ok('store', 'opens others', '--kind', 'fact', '--entities', 'open()');
    expect(await found()).toEqual([]);
    await write('src/open.ts', OPEN.replace('main', 'third'));
    expect(await found()).toEqual([
      'opens others: changed open@src/open.ts:1',
      'opens slowly: changed open@src/open.ts:1',
    ]);
  });
});

const OVERLOADS = 'class A {\n  void m(int a) {\n    x(a, 1);\n  }\n\n  void m(String s) {\n    y(s, 1);\n  }\n}\n';
const BRANCHES = 'if fast:\n    def f(a):\n        return x(a)\nelse:\n    def f(a):\n        return y(a)\n';

it.each([
  ['src/A.java', 'A.m', OVERLOADS, 'changed A.m@src/A.java:6', 'changed A.m@src/A.java:2'],
  ['src/f.py', 'f()', BRANCHES, 'changed f@src/f.py:5', 'changed f@src/f.py:2'],
])(
  'sees which of the overloads in %s changed, built or not, and that one is gone',
  async (path, name, text, changed, left) => {
    await withRepositoryHere(async ({ found, git, write, build, json }) => {
      await write(path, text);
      git('add', '-A');
      git('commit', '--quiet', '-m', 'second');
      await build();
      const { node_id } = await json<{ node_id: string }>('store', 'is two', '--kind', 'fact', '--entities', name);
      const lines = async () =>
        (await json<{ start_line: number }[]>('to-code', node_id)).map((one) => one.start_line).sort();
      const both = await lines();
      expect(both).toHaveLength(2);
      await write(path, text.replace('y(', 'z('));
      for (const built of [false, true]) {
        if (built) await build();
        expect(await found()).toEqual([`is two: ${changed}`]);
        expect(await lines()).toEqual(both);
      }
      const second = text.replace(/\n\n {2}void m\(String[\s\S]*?\n {2}\}|\nelse:[\s\S]*/, '');
      await write(path, second);
      for (const built of [false, true]) {
        if (built) await build();
        // The one that is left stands for both.
        expect(await found()).toEqual([`is two: ${left}`]);
        expect(await lines()).toEqual(both.slice(0, 1));
      }
    });
  },
);

it('does not take a text that others have by chance for a move', async () => {
  await withRepositoryHere(async ({ found, git, write, build, ok, json, run }) => {
    await write('src/flags.ts', 'export class Flags {\n  isOn() { return true; }\n  reset() {}\n}\n');
    git('add', '-A');
    git('commit', '--quiet', '-m', 'second');
    await build();
    const { node_id } = await json<{ node_id: string }>('store', 'is on', '--kind', 'fact', '--entities', 'Flags.isOn');
    await ok('store', 'resets', '--kind', 'fact', '--entities', 'Flags.reset');
    await write('src/flags.ts', 'export class Flags {}\n');
    await write('src/z.ts', 'export class Z {\n  unrelated() { return true; }\n  clear() {}\n}\n');
    const GONE = ['is on: gone', 'resets: gone'];
    expect(await found()).toEqual(GONE);
    expect(await build()).toMatchObject({ reanchored: 0 });
    expect(await found()).toEqual(GONE);
    expect(await run(['to-code', node_id, '--json'])).toMatchObject({ status: 1, out: '[]\n' });
    await write('src/z.ts', 'export class Z {\n  isOn() { return true; }\n  clear() {}\n}\n');
    expect(await found()).toEqual(['resets: gone']);
  });
});

it('looks into submodules and clones: what is changed in them, staged, and committed', async () => {
  await withRepositoryHere(async ({ check, found, git, path, write, build, ok }) => {
    const inside = (folder: string, ...args: string[]) => git('-C', path(folder), ...args);
    await write('../lib/lib.ts', 'export function lib() {\n  return connect("lib");\n}\n');
    const lib = path('..', 'lib');
    git('-C', lib, 'init', '--quiet');
    git('-C', lib, 'add', '.');
    git('-C', lib, 'commit', '--quiet', '-m', 'lib');
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib, 'sub');
    git('-c', 'protocol.file.allow=always', 'clone', '--quiet', lib, 'clone');
    git('add', '.gitmodules', 'sub');
    git('commit', '--quiet', '-m', 'second');
    await build();
    await ok('store', 'is sub', '--kind', 'fact', '--entities', 'sub/lib.ts#lib');
    await ok('store', 'is a clone', '--kind', 'fact', '--entities', 'clone/lib.ts#lib');
    expect(await found()).toEqual([]);
    const changed = 'export function lib() {\n  return connect("other");\n}\n';
    const SUB = 'is sub: changed lib@sub/lib.ts:1';
    await write('clone/lib.ts', changed);
    expect(await found()).toEqual(['is a clone: changed lib@clone/lib.ts:1']);
    await write('sub/lib.ts', changed);
    expect(await found()).toEqual(['is a clone: changed lib@clone/lib.ts:1', SUB]);
    await build();
    expect(await found()).toEqual(['is a clone: changed lib@clone/lib.ts:1', SUB]);
    inside('clone', 'checkout', '--quiet', '.');
    expect(await found('--staged')).toEqual([]);
    inside('sub', 'add', '.');
    expect(await found('--staged')).toEqual([SUB]);
    inside('sub', 'commit', '--quiet', '-m', 'inside');
    expect(await found('--staged')).toEqual([]);
    expect(await found()).toEqual([SUB]);
    git('add', 'sub');
    expect(await found('--staged')).toEqual([SUB]);
    git('commit', '--quiet', '-m', 'third');
    expect(await found()).toEqual([]);
    expect(await found('--since', 'HEAD~1')).toEqual([SUB]);
    git('update-index', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    git('commit', '--quiet', '-m', 'lost');
    const { status, err } = await check();
    expect([status, err]).toEqual([2, expect.stringMatching(/^unavailable: The submodule "sub" lacks a commit/)]);
  });
});
