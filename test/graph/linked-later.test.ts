import { expect, it } from 'vitest';
import { type FileLens, lensesForFile } from '../../src/server/memory/code/lenses';
import type { CodeLocation } from '../../src/server/memory/code/touches';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

const STORE = 'export class Store {\n  get() { return 1; }\n}\nexport function open() { return 3; }\n';

let stored = 0;

/** Each in words of its own: what is said already is not stored a second time. */
async function store({ call }: FollowedRepository, input: object): Promise<string> {
  stored += 1;
  return (await call<{ node_id: string }>('memory_store', { content: `it ${stored}`, kind: 'fact', ...input })).node_id;
}

async function placesOf({ call }: FollowedRepository, id: string): Promise<string[]> {
  const places = await call<CodeLocation[]>('memory_to_code', { memory_id: id });
  return places.map(({ file_path, start_line }) => `${file_path}:${start_line}`).sort();
}

const counts = (lens: FileLens | undefined) => lens?.counts;

it.each(['build', 'refresh'] as const)(
  'a new symbol gets the open memories that named it before, however it is written: by a %s',
  (how) =>
    withFollowedRepository({ 'src/first.ts': 'export const first = 1;\n' }, async (repository) => {
      const { build, refresh, call, write } = repository;
      await build();
      const written = ['Store.get', 'Store::get', 'Store.get()', 'src/store.ts#Store.get', './src/store.ts#Store.get'];
      const ids = [];
      for (const name of written) ids.push(await store(repository, { content: name, entities: [name] }));
      const file = await store(repository, { entities: ['./src/store.ts'] });
      await call('memory_import', { nodes: [{ kind: 'entity', content: 'The way in', aliases: ['open()'] }] });
      const aliased = await store(repository, { entities: ['The way in'] });
      const elsewhere = await store(repository, { entities: ['src/other.ts#open', 'Other.get', 'src/none.ts'] });
      const forgotten = await store(repository, { entities: ['open()'] });
      await call('memory_forget', { node_id: forgotten });
      const refuted = await store(repository, { entities: ['open()'] });
      await call('memory_verify', { node_id: refuted, status: 'refute' });
      const plain = await store(repository, {});
      await write('src/store.ts', STORE);
      expect(await (how === 'build' ? build() : refresh('src'))).toMatchObject({ linked: written.length + 2 });
      for (const id of ids) expect(await placesOf(repository, id)).toEqual(['src/store.ts:2']);
      expect(await placesOf(repository, file)).toEqual(['src/store.ts:1']);
      expect(await placesOf(repository, aliased)).toEqual(['src/store.ts:4']);
      for (const id of [elsewhere, forgotten, refuted, plain]) expect(await placesOf(repository, id)).toEqual([]);
      expect(await refresh('src')).toMatchObject({ linked: 0 });
    }),
);

it.each(['build', 'refresh'] as const)(
  '`path#x.y` gets the only `y` that its file has when it comes, and no other one later: by a %s',
  (how) =>
    withFollowedRepository({ 'src/store.ts': 'export const first = 1;\n' }, async (repository) => {
      const { build, refresh, write } = repository;
      const look = () => (how === 'build' ? build() : refresh('src'));
      await build();
      const names = ['src/store.ts#exports.get', './src/store.ts#Other::get()'];
      const ids = [];
      for (const name of names) ids.push(await store(repository, { content: name, entities: [name] }));
      const both = await store(repository, { entities: ['src/store.ts#Store.get', 'src/store.ts#Other.get'] });
      const none = await store(repository, { entities: ['src/store.ts#exports.none', 'src/store#exports.get'] });
      await write('src/store.ts', STORE);
      expect(await look()).toMatchObject({ linked: names.length + 1 });
      for (const id of ids) expect(await placesOf(repository, id)).toEqual(['src/store.ts:2']);
      expect(await placesOf(repository, none)).toEqual([]);
      await write('src/store.ts', `${STORE}export class Other {\n  get() { return 5; }\n}\n`);
      expect(await look()).toMatchObject({ linked: 1 });
      for (const id of ids) expect(await placesOf(repository, id)).toEqual(['src/store.ts:2']);
      expect(await placesOf(repository, both)).toEqual(['src/store.ts:2', 'src/store.ts:6']);
    }),
);

it('a name that led a memory to code leads it nowhere else later; another name of it does', () =>
  withFollowedRepository({ 'src/a.ts': STORE }, async (repository) => {
    const { build, refresh, write } = repository;
    await build();
    const bare = await store(repository, { entities: ['open()'] });
    const placed = await store(repository, { entities: ['src/a.ts#open', 'src/b.ts#open'] });
    const method = await store(repository, { entities: ['get()'] });
    for (const id of [bare, placed]) expect(await placesOf(repository, id)).toEqual(['src/a.ts:4']);
    await write('src/b.ts', `\n${STORE.replaceAll('return', 'return 1 +')}`);
    await refresh('src');
    await build();
    expect(await placesOf(repository, bare)).toEqual(['src/a.ts:4']);
    expect(await placesOf(repository, method)).toEqual(['src/a.ts:2']);
    expect(await placesOf(repository, placed)).toEqual(['src/a.ts:4', 'src/b.ts:5']);
    // Also when it has followed its symbol meanwhile. A symbol of its name in its own file is it, though.
    await repository.move('src/a.ts', 'src/c.ts');
    await refresh('src');
    expect(await placesOf(repository, bare)).toEqual(['src/c.ts:4']);
    await write('src/d.ts', 'export function open() { return "another one, new here"; }\n');
    await refresh('src');
    expect(await placesOf(repository, bare)).toEqual(['src/c.ts:4']);
    await write('src/a.ts', 'export function open() { return "another one, new here"; }\n');
    await refresh('src');
    expect(await placesOf(repository, bare)).toEqual(['src/a.ts:1']);
  }));

it.each([
  ['the first build', []],
  ['a later one', ['first']],
])('memories of all namespaces are linked, any number of them, by %s', (_, before) =>
  withFollowedRepository({ 'src/first.ts': 'export const first = 1;\n' }, async (repository) => {
    const { build, call, write } = repository;
    for (const _ of before) await build();
    const nodes = Array.from({ length: 2_100 }, (_, i) => ({
      ...{ kind: 'fact', content: `n${i}` },
      entities: [i === 0 ? 'Store.get' : 'open()'],
    }));
    await call('memory_import', { nodes });
    await store(repository, { entities: ['open()'], namespace: 'other' });
    await write('src/store.ts', STORE);
    expect(await build()).toMatchObject({ linked: 2_101 });
  }),
);

it('lenses count the open memories of a namespace by kind, symbol by symbol, decisions first', () =>
  withFollowedRepository({ 'src/store.ts': STORE }, async (repository) => {
    const { build, call, project, write } = repository;
    await build();
    expect(await lensesForFile(project.memory, 'src/store.ts')).toEqual([]);
    const open = { entities: ['open()'] };
    const ids: string[] = [];
    for (const kind of ['action', 'fact', 'preference', 'decision', 'outcome', 'procedure']) {
      ids.unshift(await store(repository, { ...open, kind, valid_from: '2026-01-01' }));
    }
    const newer = await store(repository, { ...open, valid_from: '2026-02-01' });
    await call('memory_forget', { node_id: await store(repository, open) });
    await call('memory_verify', { node_id: await store(repository, open), status: 'refute' });
    await store(repository, { entities: ['Store', 'Store.get'] });
    const lenses = await lensesForFile(project.memory, 'src/store.ts');
    expect(lenses.map(({ name, start_line, verdict }) => [name, start_line, verdict])).toEqual([
      ['Store', 1, 'unchanged'],
      ['Store.get', 2, 'unchanged'],
      ['open', 4, 'unchanged'],
    ]);
    expect(counts(lenses[2])).toEqual({
      decision: 1,
      procedure: 1,
      preference: 1,
      fact: 2,
      outcome: 1,
      action: 1,
    });
    const [procedure, outcome, decision, preference, fact, action] = ids;
    expect(lenses[2]?.node_ids).toEqual([decision, procedure, preference, newer, fact, outcome, action]);
    // What an editor has unsaved is judged.
    const [, , unsaved] = await lensesForFile(project.memory, 'src/store.ts', STORE.replace('return 3', 'return 4'));
    expect(unsaved).toMatchObject({ name: 'open', verdict: 'changed', start_line: 4 });
    await store(repository, { ...open, namespace: 'other' });
    expect(counts((await lensesForFile(project.memory, 'src/store.ts'))[0])).toEqual({ fact: 1 });
    await write('src/store.ts', 'export class Store {\n  get() { return 1; }\n}\n');
    expect(await lensesForFile(project.memory, 'src/store.ts')).toMatchObject([
      { name: 'open', verdict: 'gone', start_line: 1, end_line: 1 },
    ]);
  }));
