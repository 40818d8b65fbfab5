import { expect, it } from 'vitest';
import type { Check } from '../support/check-repository';
import { OPEN, STORE } from '../support/check-repository';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

const FILES = { 'src/store.ts': STORE, 'src/open.ts': OPEN, 'README.md': '# Read me\n' };
const TEXT = 'export const nothing = 1;\n';

interface Checked extends FollowedRepository {
  /** `<verdict> <name>[ → <name>@<path>:<line>]` of each symbol, in the order in which `check` tells of them. */
  found(input?: object): Promise<string[]>;
}

/** A repository whose code graph is built, with memories on `open()`, `Store.get`, `Store.put` and the read-me file. */
function withChecked(work: (repository: Checked) => Promise<void>): Promise<void> {
  return withFollowedRepository(FILES, async (repository) => {
    const { build, remember, call } = repository;
    await build();
    for (const entity of ['open()', 'Store.get', 'Store.put', 'README.md']) await remember(entity);
    await work({
      ...repository,
      async found(input = {}) {
        const { memories } = await call<Check>('check', input);
        return memories.flatMap(({ symbols }) =>
          symbols.map(
            ({ verdict, was, now }) =>
              `${verdict} ${was.name}${now ? ` → ${now.name}@${now.file_path}:${now.start_line}` : ''}`,
          ),
        );
      },
    });
  });
}

it('names what a diff removes, then what it changes; not what it only moves, renames, formats or shifts', () =>
  withChecked(async ({ found, write, move, remove }) => {
    expect(await found()).toEqual([]);
    await write('src/open.ts', `// A comment above.\n\n${OPEN.replace('("main")', '(\n    "main" )')}`);
    expect(await found()).toEqual([]);
    await write('src/open.ts', OPEN.replace('main', 'other'));
    await write('src/store.ts', STORE.replace('get(', 'fetch(').replace(/\n {2}put[^}]*\}\n/, ''));
    await move('README.md', 'ABOUT.md');
    expect(await found()).toEqual(['gone Store.put', 'changed open → open@src/open.ts:1']);
    await remove('src/open.ts');
    expect((await found()).sort()).toEqual(['gone Store.put', 'gone open']);
  }));

it('says the same of code that moves whether a build follows it or not', () =>
  withChecked(async ({ found, write, remove, build, commit }) => {
    await remove('src/open.ts');
    await write('src/db.ts', `export const FIRST = 1;\n${OPEN}`);
    for (const built of [false, true]) {
      if (built) await build();
      expect(await found()).toEqual([]);
    }
    commit();
    expect(await found({ since: 'HEAD~1' })).toEqual([]);
    await write('src/db.ts', OPEN.replace('main', 'third'));
    expect(await found()).toEqual(['changed open → open@src/db.ts:1']);
    // Back where it was linked it is that one, and the other one is a copy.
    await write('src/db.ts', OPEN);
    await write('src/open.ts', OPEN);
    commit();
    await write('src/db.ts', OPEN.replace('main', 'third'));
    expect(await found()).toEqual([]);
    await write('src/open.ts', OPEN.replace('main', 'other'));
    expect(await found()).toEqual(['changed open → open@src/open.ts:1']);
  }));

it('knows code that moved in an earlier commit by its text, before any build', () =>
  withChecked(async ({ found, write, commit }) => {
    await write('src/open.ts', TEXT);
    await write('src/db.ts', OPEN);
    commit();
    await write('src/db.ts', OPEN.replace('main', 'other'));
    expect(await found()).toEqual(['changed open → open@src/db.ts:1']);
  }));

it('knows code that moved and changed in an earlier commit, before a build and after it', () =>
  withChecked(async ({ found, write, remove, build, commit }) => {
    await remove('src/open.ts');
    await write('src/db.ts', OPEN.replace('main', 'other'));
    commit();
    await write('src/db.ts', OPEN.replace('main', 'third'));
    for (const built of [false, true]) {
      if (built) await build();
      expect(await found()).toEqual(['changed open → open@src/db.ts:1']);
    }
  }));

it('looks at what is staged, or at all since a branch went off', () =>
  withChecked(async ({ found, write, git, commit }) => {
    await write('src/open.ts', OPEN.replace('main', 'other'));
    expect(await found({ staged: true })).toEqual([]);
    git('add', '.');
    await write('src/open.ts', `\n\n${OPEN}`);
    expect(await found({ staged: true })).toEqual(['changed open → open@src/open.ts:1']);
    expect(await found()).toEqual([]);
    git('checkout', '--quiet', '-b', 'feature');
    await write('src/open.ts', OPEN.replace('main', 'feature'));
    commit();
    git('checkout', '--quiet', 'main');
    await write('src/store.ts', TEXT);
    commit();
    git('checkout', '--quiet', 'feature');
    expect(await found()).toEqual([]);
    expect(await found({ since: 'main' })).toEqual(['changed open → open@src/open.ts:1']);
  }));

it('does not count what was doubtful before the diff, nor what was kept on what it brings', () =>
  withChecked(async ({ found, write, commit, call, remember }) => {
    await write('src/store.ts', STORE.replace('get(', 'fetch('));
    commit();
    await write('src/store.ts', STORE.replace('get(', 'fetch(').replace('write(key)', 'write(key, 1)'));
    expect(await found()).toEqual(['changed Store.put → Store.put@src/store.ts:6']);
    const { memories } = await call<Check>('check', {});
    await call('memory_verify', { node_id: memories[0]?.id, status: 'confirm' });
    expect(await found()).toEqual([]);
    await write('src/open.ts', OPEN.replace('main', 'other'));
    await remember('src/open.ts#open');
    expect(await found()).toEqual(['changed open → open@src/open.ts:1']);
  }));

it('takes a short text for the same only under its own name', () =>
  withChecked(async ({ found, write, commit, build, remember }) => {
    await write('src/flags.ts', 'export class Flags {\n  isOn() { return true; }\n}\n');
    commit();
    await build();
    await remember('Flags.isOn');
    await write('src/flags.ts', 'export class Flags {}\n');
    await write('src/z.ts', 'export class Z {\n  other() { return true; }\n}\n');
    expect(await found()).toEqual(['gone Flags.isOn']);
    await write('src/z.ts', 'export class Z {\n  isOn() { return true; }\n}\n');
    expect(await found()).toEqual([]);
  }));

it('does not choose between several places where a text arrived, nor takes one that stood there', () =>
  withChecked(async ({ found, write, remove, commit }) => {
    await write('src/twin.ts', `${OPEN}export const one = 1;\n`);
    commit();
    await remove('src/open.ts');
    await write('src/twin.ts', `${OPEN}export const one = 2;\n`);
    expect(await found()).toEqual(['gone open']);
    for (const path of ['src/a.ts', 'src/b.ts']) await write(path, OPEN.replace('open()', 'start()'));
    expect(await found()).toEqual(['gone open']);
    await remove('src/b.ts');
    expect(await found()).toEqual([]);
    // What keeps its name is meant, whatever else has its text.
    await write('src/b.ts', OPEN);
    expect(await found()).toEqual([]);
  }));

it('tells apart which of two overloads changed, and that one is gone, for which the other one stands', () =>
  withChecked(async ({ found, write, commit, build, remember }) => {
    const text = 'class A {\n  void m(int a) {\n    x(a, 1);\n  }\n\n  void m(String s) {\n    y(s, 1);\n  }\n}\n';
    await write('src/A.java', text);
    commit();
    await build();
    await remember('A.m');
    await write('src/A.java', text.replace('y(', 'z('));
    expect(await found()).toEqual(['changed A.m → A.m@src/A.java:6']);
    await write('src/A.java', text.replace(/\n\n {2}void m\(String[\s\S]*?\n {2}\}/, ''));
    expect(await found()).toEqual(['changed A.m → A.m@src/A.java:2']);
  }));

it('names both of two functions that swapped their bodies, and a method that changed in a class of another name', () =>
  withChecked(async ({ found, write, commit, build, remember }) => {
    const [first, second] = ['first(1, 2, 3, 4, 5, 6)', 'second("a", "b", "c", "d")'];
    const swap = (a: string, b: string): string =>
      `export function one() { return ${a}; }\nexport function two() { return ${b}; }\n`;
    await write('src/swap.ts', swap(first, second));
    await write('src/shop.ts', 'export class Shop {\n  sell() { return price(1); }\n}\n');
    commit();
    await build();
    for (const name of ['src/swap.ts#one', 'src/swap.ts#two', 'Shop.sell']) await remember(name);
    await write('src/swap.ts', swap(second, first));
    await write('src/shop.ts', 'export class Market {\n  sell() { return price(2) + tax(3, 4); }\n}\n');
    expect(await found()).toEqual([
      'changed Shop.sell → Market.sell@src/shop.ts:2',
      'changed one → one@src/swap.ts:1',
      'changed two → two@src/swap.ts:2',
    ]);
  }));

it('says the same without a code graph, as in a new work tree', () =>
  withChecked(async ({ found, write, remove }) => {
    await remove('.svc/graph.db');
    expect(await found()).toEqual([]);
    await write('src/open.ts', OPEN.replace('main', 'other'));
    await write('src/store.ts', STORE.replace(/\n {2}put[^}]*\}\n/, ''));
    expect(await found()).toEqual(['gone Store.put', 'changed open → open@src/open.ts:1']);
    expect(await found({ staged: true })).toEqual([]);
  }));

it('names a changed file that is left out of the code graph as not judged', () =>
  withChecked(async ({ found, write, call }) => {
    await write('src/open.ts', `${OPEN}\0`);
    expect(await found()).toEqual([]);
    expect(await call('check', {})).toMatchObject({ changed_files: 1, not_judged: ['src/open.ts'] });
  }));

it('prints for each memory why it was kept, and what became of its symbols', () =>
  withChecked(async ({ write, call, text }) => {
    await call('memory_store', {
      content: 'opens lazily',
      kind: 'decision',
      rationale: 'measured',
      entities: ['open()'],
    });
    expect(await text('check', {})).toBe('What changed since HEAD leaves no memory in doubt.');
    await write('src/open.ts', TEXT);
    expect((await text('check', {})).replaceAll(/[df]_\w+|\d{4}-\d\d-\d\d/g, '…')).toBe(
      [
        'What changed since HEAD touches 2 memories.',
        '',
        '- […] … · conf 1.00 — fact: about open()',
        '  gone  src/open.ts open (open is gone)',
        '',
        '- […] … · conf 1.00 — decision: opens lazily',
        '  because measured',
        '  gone  src/open.ts open (open is gone)',
      ].join('\n'),
    );
  }));
