import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OPEN, type Repository, withRepositoryHere } from '../support/check-repository';
import { waysOf } from '../support/long';

const FOLDER = '.svc/memories';
const SHUT = 'export function shut() {\n  return disconnect("main", { now: true });\n}\n';
const READ = `export function readAll(paths: string[]) {
  const found = paths.filter((path) => isThere(path));
  const texts = found.map((path) => readText(path));
  note(texts.length);
  return texts.join('\\n');
}
`;

/** Options of the command. */
type Reasons = readonly string[];

interface Pair extends Repository {
  /** Stores one, which is in a file where the test is about files. */
  keep(content: string, ...entities: string[]): Promise<string>;
  keepWith(reasons: Reasons, content: string, ...entities: string[]): Promise<string>;
  commit(path: string, text: string): Promise<void>;
  /** The second takes the place of the first. That is taken back and done again, so that both are exact. */
  merge(older: string, newer: string): Promise<void>;
  codeOf(id: string): Promise<string[]>;
  doubtsOf(id: string): Promise<string[]>;
}

function pairs(repository: Repository, shared: boolean): Pair {
  const { json, ok, git, write, path } = repository;
  const codeOf = async (id: string): Promise<string[]> =>
    (await json<{ graph_node_id: string }[]>('to-code', id)).map(({ graph_node_id }) => graph_node_id).sort();
  const texts = () => (shared ? readdirSync(path(FOLDER)).map((name) => readFileSync(path(FOLDER, name), 'utf8')) : []);
  const exported = async () => {
    await ok('export', '--force', 'all.json');
    // Rows of files are made again when their files change, so that they are in another order.
    return readFileSync(path('all.json'), 'utf8').split(/,?\n/).sort();
  };
  const state = async () => [await exported(), ...texts()];
  const keepWith: Pair['keepWith'] = async (reasons, content, ...entities) => {
    const about = entities.flatMap((name) => ['--entities', name]);
    const kind = reasons.includes('--kind') ? [] : ['--kind', 'fact'];
    const { node_id } = await json<{ node_id: string }>('store', content, ...kind, ...reasons, ...about);
    if (shared) await ok('share', node_id);
    return node_id;
  };
  return {
    ...repository,
    keepWith,
    keep: (content, ...entities) => keepWith([], content, ...entities),
    async commit(name, text) {
      await write(name, text);
      git('add', 'src');
      git('commit', '--quiet', '-m', 'next');
    },
    async merge(older, newer) {
      const before = await state();
      await ok('review', 'merge', older, newer);
      const after = await state();
      const { operation } = await json<{ operation: number }>('undo');
      expect(await state()).toEqual(before);
      await ok('undo', `${operation}`);
      expect(await state()).toEqual(after);
    },
    codeOf,
    async doubtsOf(id) {
      const { stale_nodes, missing_nodes } = await json<
        Record<'stale_nodes' | 'missing_nodes', readonly { readonly node_id: string; readonly verdict: string }[]>
      >('verify-staleness', '--no-queue');
      const own = [...stale_nodes, ...missing_nodes].filter(({ node_id }) => node_id === id);
      return own.map(({ verdict }) => verdict).filter((verdict) => verdict !== 'unchanged');
    },
  };
}

describe.each([
  ['in the store', false],
  ['in files', true],
])('what takes the place of another one %s', (_, shared) => {
  let cases = 0;
  /** Each case in one of the two, by turns. */
  const either = (title: string, work: () => Promise<void>): void => {
    if (waysOf([false, true], cases++).includes(shared)) it(title, work);
  };
  const withPair = (work: (pair: Pair) => Promise<void>) =>
    withRepositoryHere((repository) => work(pairs(repository, shared)));

  either('is on no code that a person knows to be gone', () =>
    withPair(async ({ keep, write, remove, ok, merge, doubtsOf, codeOf }) => {
      await write('src/shut.ts', SHUT);
      const older = await keep('opens and shuts slowly', 'src/open.ts#open', 'src/shut.ts#shut');
      const newer = await keep('opens and shuts slowly at first', 'src/store.ts#Store.get');
      await remove('src/shut.ts');
      await ok('verify', older, 'confirm');
      expect(await doubtsOf(older)).toEqual([]);
      await merge(older, newer);
      expect(await doubtsOf(newer)).toEqual([]);
      expect(await codeOf(newer)).toEqual(['function:src/open.ts:open:1', 'method:src/store.ts:Store.get:2']);
    }),
  );

  either('is on another version of what is gone, where another branch has that', () =>
    withPair(async ({ keep, commit, git, build, merge, doubtsOf }) => {
      await commit('src/shut.ts', SHUT);
      const older = await keep('opens and shuts slowly', 'src/shut.ts#shut');
      const newer = await keep('opens and shuts slowly at first', 'src/store.ts#Store.get');
      git('branch', 'other');
      git('rm', '--quiet', 'src/shut.ts');
      git('commit', '--quiet', '-m', 'removed');
      await build();
      expect(await doubtsOf(older)).toEqual(['gone']);
      await merge(older, newer);
      expect(await doubtsOf(newer)).toEqual([]);
      git('checkout', '--quiet', 'other');
      expect((await build()).linked).toBe(0);
      expect(await doubtsOf(newer)).toEqual(['other version']);
      git('checkout', '--quiet', 'main');
      await build();
      expect(await doubtsOf(newer)).toEqual([]);
    }),
  );

  either('is in doubt when what is gone comes back into the file where it stood last', () =>
    withPair(async ({ keep, commit, git, build, merge, doubtsOf, codeOf }) => {
      await commit('src/shut.ts', `${READ}${SHUT}`);
      const older = await keep('opens and shuts slowly', 'src/shut.ts#shut');
      const newer = await keep('opens and shuts slowly at first', 'src/store.ts#Store.get');
      git('mv', 'src/shut.ts', 'src/close.ts');
      git('commit', '--quiet', '-m', 'renamed');
      await commit('src/close.ts', READ);
      await build();
      expect(await doubtsOf(older)).toEqual(['gone']);
      await merge(older, newer);
      expect(await doubtsOf(newer)).toEqual([]);
      await commit('src/close.ts', `${READ}${SHUT}`);
      expect(await doubtsOf(newer)).toEqual(['changed']);
      expect(await codeOf(newer)).toEqual(['function:src/close.ts:shut:7', 'method:src/store.ts:Store.get:2']);
    }),
  );

  either('accepts what was confirmed of a version that another branch has', () =>
    withPair(async ({ keep, commit, git, ok, merge, doubtsOf }) => {
      git('branch', 'other');
      await commit('src/open.ts', OPEN.replace('main', 'first'));
      const older = await keep('opens slowly at first', 'src/open.ts#open');
      const newer = await keep('opens slowly at first, as is known', 'src/store.ts#Store.get');
      await commit('src/open.ts', OPEN.replace('main', 'second'));
      await ok('verify', older, 'confirm');
      git('checkout', '--quiet', 'other');
      expect(await doubtsOf(older)).toEqual(['other version']);
      await merge(older, newer);
      expect(await doubtsOf(newer)).toEqual(['other version']);
      git('checkout', '--quiet', 'main');
      expect(await doubtsOf(newer)).toEqual([]);
    }),
  );

  either('accepts what was confirmed on another branch, where this one has it as it was', () =>
    withPair(async ({ keep, commit, git, ok, merge, doubtsOf }) => {
      const older = await keep('opens slowly at first', 'src/open.ts#open');
      const newer = await keep('opens slowly at first, as is known', 'src/store.ts#Store.get');
      git('checkout', '--quiet', '-b', 'other');
      await commit('src/open.ts', OPEN.replace('main', 'second'));
      await ok('verify', older, 'confirm');
      git('checkout', '--quiet', 'main');
      expect(await doubtsOf(older)).toEqual([]);
      await merge(older, newer);
      expect(await doubtsOf(newer)).toEqual([]);
      git('checkout', '--quiet', 'other');
      expect(await doubtsOf(newer)).toEqual([]);
    }),
  );

  either('is followed from what its code was then', () =>
    withPair(async ({ keep, commit, write, ok, merge, doubtsOf, codeOf }) => {
      await commit('src/read.ts', READ);
      const older = await keep('reads all at once', 'src/read.ts#readAll');
      const newer = await keep('reads all of them at once', 'src/store.ts#Store.get');
      const edited = READ.replace('note(texts.length)', 'noteReading(texts.length, found)');
      await commit('src/read.ts', edited);
      await ok('verify', older, 'confirm');
      await merge(older, newer);
      await write('src/read.ts', edited.replace('readAll', 'total').replace('isThere(path)', 'isKnown(path)'));
      expect(await doubtsOf(newer)).toEqual(['changed']);
      expect(await codeOf(newer)).toEqual(['function:src/read.ts:total:1', 'method:src/store.ts:Store.get:2']);
    }),
  );

  either('is on the code as it is then, wherever that went', () =>
    withPair(async ({ keep, commit, write, remove, merge, doubtsOf, codeOf }) => {
      await commit('src/shut.ts', SHUT);
      await commit('src/read.ts', READ);
      const older = await keep('all of this is slow', 'src/open.ts#open', 'src/shut.ts#shut', 'src/read.ts#readAll');
      const newer = await keep('all of this is slow at first', 'src/store.ts#Store.get');
      await write('src/open.ts', OPEN.replace('main', 'other'));
      await remove('src/shut.ts');
      await write('src/read.ts', READ.replace('readAll', 'total'));
      expect((await doubtsOf(older)).sort()).toEqual(['changed', 'gone', 'moved']);
      await merge(older, newer);
      expect(await doubtsOf(newer)).toEqual([]);
      expect(await codeOf(newer)).toEqual([
        'function:src/open.ts:open:1',
        'function:src/read.ts:total:1',
        'method:src/store.ts:Store.get:2',
      ]);
    }),
  );

  for (const [kind, first, second] of [
    ['fact', 'opens slowly', 'opens slowly at first'],
    ['decision', 'We open files lazily and never twice', 'We open files lazily, and never open twice'],
  ] as const) {
    either(`has the reasons of a ${kind} along with its code, and neither once that is taken back`, () =>
      withPair(async ({ keepWith, merge, json, ok, codeOf }) => {
        const reasons = ['--rationale', 'Speed.\n\n# It counts', '--alternatives-rejected', 'A pool\nof files'];
        const older = await keepWith(['--kind', kind, ...reasons], first, 'src/open.ts#open');
        const newer = await keepWith(['--kind', kind], second, 'src/store.ts#Store.get');
        await merge(older, newer);
        expect(await json('node', newer)).toMatchObject({
          ...{ content: second, rationale: 'Speed.\n\n# It counts', alternatives_rejected: ['A pool\nof files'] },
        });
        expect(await codeOf(newer)).toEqual(['function:src/open.ts:open:1', 'method:src/store.ts:Store.get:2']);
        if (shared) return;
        expect(await ok('history', newer)).toMatch(/^- \S+ \S+ put on code, and filled in · .*$/m);
        const { operation } = await json<{ operation: number }>('undo');
        await ok('undo', `${operation}`);
        expect(await ok('history', newer)).toMatch(
          / undone: put on code, and filled in .*\n.* done again: put on code, and filled in /,
        );
      }),
    );
  }
});

const written = (id: string, content: string, name: string): string =>
  `---\nkind: fact\ndate: 2026-03-01\nid: ${id}\nabout: ["${name}"]\n---\n\n${content}\n`;

describe('a file without links, which is on code by its names,', () => {
  const withFiles = (work: (pair: Pair) => Promise<void>) =>
    withRepositoryHere((repository) => work(pairs(repository, true)));

  it('gives its code to one with links', () =>
    withFiles(async ({ keep, write, merge, codeOf }) => {
      const newer = await keep('opens slowly at first', 'src/store.ts#Store.get');
      await write(`${FOLDER}/one.md`, written('f_one', 'opens slowly', 'src/open.ts#open'));
      expect(await codeOf('f_one')).toEqual(['function:src/open.ts:open:1']);
      await merge('f_one', newer);
      expect(await codeOf(newer)).toEqual(['function:src/open.ts:open:1', 'method:src/store.ts:Store.get:2']);
    }));

  it('gets that of one with links, wherever it went, and stays on its own', () =>
    withFiles(async ({ keep, write, merge, codeOf }) => {
      const older = await keep('opens slowly', 'src/open.ts#open');
      await write(`${FOLDER}/one.md`, written('f_one', 'opens slowly at first', 'src/store.ts#Store.get'));
      await write('src/open.ts', OPEN.replace('open()', 'connectTo()'));
      await merge(older, 'f_one');
      expect(await codeOf('f_one')).toEqual(['function:src/open.ts:connectTo:1', 'method:src/store.ts:Store.get:2']);
    }));

  it('gets no links where the other one is on no more code, so that its names lead on', () =>
    withFiles(async ({ keep, write, merge, path, codeOf }) => {
      const older = await keep('opens slowly', 'src/open.ts#open');
      await write(`${FOLDER}/one.md`, written('f_one', 'opens slowly at first', 'src/open.ts#open'));
      await merge(older, 'f_one');
      expect(readFileSync(path(FOLDER, 'one.md'), 'utf8')).not.toContain('links:');
      expect(await codeOf('f_one')).toEqual(['function:src/open.ts:open:1']);
    }));
});
