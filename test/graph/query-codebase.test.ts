import { execFileSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SVC_FILE } from '../support/code-project';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

const FILES = {
  'src/store.ts': `import { open } from './open';
/** Keeps rows of the ledger. */
export class Store extends Base {
  get(key: string) { return open(key); }
}
class Base {}
`,
  'src/open.ts':
    'import { log } from "./log";\n/** Opens a connection. */\nexport function open(key: string) { log(key); }\n',
  'src/log.ts': 'export function log(text: string) { write(text); }\nfunction write(text: string) {}\n',
  'src/app.ts':
    "import { Store } from './store';\nexport function main() { run(); }\nexport function run() { Store.get('a'); }\n",
};

/** Answers with the ids and dates of memories left out. */
const answers =
  ({ text }: FollowedRepository) =>
  async (query: string, more: object = {}): Promise<string> =>
    (await text('query_codebase', { query, ...more })).replaceAll(/\[[a-z]+_\w+\]|\d{4}-\d\d-\d\d/g, '…');

/** The part of an answer that is about its first symbol. */
const first = (answer: string): string => answer.split('\n### ')[1] ?? '';

it('says where a symbol is, what is remembered, what calls it and what it calls, step by step', () =>
  withFollowedRepository(FILES, async (repository) => {
    const ask = answers(repository);
    await repository.build();
    await repository.remember('open()');
    const lines = [
      'function open — src/open.ts:3–3',
      '`function open(key: string)`',
      'Opens a connection.',
      '- memory … fact · … — about open()',
    ];
    expect(first(await ask('open', { max_hops: 0 }))).toBe(lines.join('\n'));
    const near = [...lines, '- called by: Store.get (src/store.ts:4)', '- calls: log (src/log.ts:1)'];
    expect(first(await ask('open'))).toBe(near.join('\n'));
    expect(first(await ask('open()', { max_hops: 2 }))).toBe(
      [
        ...lines,
        ...['- called by: Store.get (src/store.ts:4)', '- called by, 2 hops: run (src/app.ts:3)'],
        ...['- calls: log (src/log.ts:1)', '- calls, 2 hops: write (src/log.ts:2)'],
      ].join('\n'),
    );
    expect(first(await ask('open', { max_hops: 3 }))).toContain('\n- called by, 3 hops: main (src/app.ts:2)\n');
    await repository.edit('src/open.ts', 'log(key)', 'log(key, 1)');
    expect(first(await ask('open', { max_hops: 0 }))).toBe(`${lines.join('\n')} (the code has changed since)`);
  }));

it('shows the three newest open memories of a symbol, of its namespace alone', () =>
  withFollowedRepository(FILES, async (repository) => {
    const { build, call } = repository;
    await build();
    const store = (content: string, more: object = {}) =>
      call<{ node_id: string }>('memory_store', { content, kind: 'fact', entities: ['open()'], ...more });
    for (const month of ['03', '01', '04', '02']) await store(`of ${month}`, { valid_from: `2026-${month}-01` });
    await call('memory_forget', { node_id: (await store('forgotten')).node_id });
    await call('memory_verify', { node_id: (await store('refuted')).node_id, status: 'refute' });
    const memories = async () => [...(await answers(repository)('open')).matchAll(/^- memory .* — (.*)$/gm)];
    expect((await memories()).map(([, content]) => content)).toEqual(['of 04', 'of 03', 'of 02']);
    await store('elsewhere', { namespace: 'other' });
    expect((await memories()).map(([, content]) => content)).toEqual(['elsewhere']);
  }));

it('finds a symbol by words of its comment, by its file, and by its qualified name', () =>
  withFollowedRepository(FILES, async (repository) => {
    const ask = answers(repository);
    await repository.build();
    const STORE = 'class Store — src/store.ts:3–5\n';
    expect(first(await ask('who keeps the rows of the ledger?'))).toContain(STORE);
    expect(first(await ask('Store::get'))).toContain('method Store.get — src/store.ts:4–4\n');
    expect(first(await ask('write in src/log.ts:2'))).toContain('function write — src/log.ts:2–2\n');
    expect(first(await ask('Store'))).toContain('\n- inherits: Base (src/store.ts:6)');
    expect(first(await ask('Base'))).toContain('\n- inherited by: Store (src/store.ts:3)');
    expect(await ask('zebra crossing')).toBe(
      '## Code: "zebra crossing"\nNothing in the code graph matches. Ask with a name from the code, or with fewer words.',
    );
  }));

it('has the symbol of a path and a name first, however well others fit the words', () => {
  const doc = '/** Like z/open.ts#open: open, z, ts, open. */\n';
  const files = {
    'z/open.ts': 'export function open() {}\nexport class Box { open() {} }\n',
    'a/z/open.ts': `${doc}export function open() {}\n${doc}export class Box {\n${doc}open() {} }\n`,
  };
  return withFollowedRepository(files, async (repository) => {
    const ask = answers(repository);
    await repository.build();
    expect(first(await ask('z/open.ts#open'))).toContain('function open — z/open.ts:1–1\n');
    expect(first(await ask('./z/open.ts#Box.open()'))).toContain('method Box.open — z/open.ts:2–2\n');
    expect(first(await ask('what calls `z/open.ts#Box::open`, and why?'))).toContain('Box.open — z/open.ts:2–2\n');
    expect(first(await ask('a/z/open.ts#open'))).toContain('function open — a/z/open.ts:2–2\n');
  });
});

it('names a file of the question that is left out of the code graph', () =>
  withFollowedRepository({ ...FILES, 'src/data.ts': 'export const a = 1;\0' }, async (repository) => {
    const ask = answers(repository);
    await repository.build();
    const LEFT_OUT = '\nLeft out of the code graph: src/data.ts (binary).';
    for (const query of ['what is in src/data.ts', 'data.ts:3', './src/data.ts#a']) {
      expect(await ask(query), query).toContain(LEFT_OUT);
    }
    for (const query of ['what is in data', 'src/log.ts', 'a.ts'])
      expect(await ask(query), query).not.toContain('Left');
  }));

it('says that a call is ambiguous, and goes on from no place that it may mean', () => {
  const text =
    'package b;\nclass M {\n  static class N {\n    static void of() { deep(); }\n    static void deep() {}\n  }\n  void run() { of(); }\n}\n';
  return withFollowedRepository({ 'b/M.java': text }, async (repository) => {
    const ask = answers(repository);
    await repository.build();
    const answer = first(await ask('M.run', { max_hops: 2 }));
    expect(answer).toContain('\n- calls: M.N.of (b/M.java:4, ambiguous)');
    expect(answer).not.toContain('2 hops');
    expect(first(await ask('M.N.of', { max_hops: 1 }))).toContain('\n- calls: M.N.deep (b/M.java:5)');
  });
});

it('shows up to three sections of documents that speak of a symbol, where they stand now, and says when they are old', () => {
  const guide =
    '# Guide\n\nFirst words.\n\n## Opening\n\nA connection is made by `src/open.ts#open`.\n\n## Rest\n\nMore.\n';
  return withFollowedRepository({ ...FILES, 'guide.md': guide }, async (repository) => {
    const ask = answers(repository);
    await repository.build();
    expect(await ask('open', { max_hops: 0 })).not.toContain('document');
    execFileSync(process.execPath, [SVC_FILE, 'ingest', 'guide.md', '--llm', 'none'], {
      cwd: repository.folder,
      env: { PATH: process.env.PATH, HOME: join(repository.folder, '..', 'home') },
      stdio: 'pipe',
    });
    const section = async () => /^- document (\S+ · .*?)(?: — .*)?$/m.exec(await ask('open', { max_hops: 0 }))?.[1];
    expect(await section()).toBe('guide.md:5–7 · Guide › Opening · conf 0.95');
    await repository.edit('guide.md', 'First words.', 'First\n\nwords.');
    expect(await section()).toBe('guide.md:7–9 · Guide › Opening · conf 0.95');
    await repository.edit('guide.md', 'A connection', 'Another connection');
    const OLD = 'guide.md:5–7 · Guide › Opening · conf 0.95 (changed since; run "svc sync")';
    expect(await section()).toBe(OLD);
    await repository.remove('guide.md');
    expect(await section()).toBe(OLD);
  });
});

it('counts and lists what the graph holds, page by page', () =>
  withFollowedRepository(FILES, async ({ build, call, write, remove, folder }) => {
    await build();
    expect(await call('graph_status', {})).toMatchObject({
      files: 4,
      stale_files: 0,
      by_kind: { class: 2, method: 1 },
    });
    // A checkout gives files another time, and nothing else.
    const later = new Date(Date.now() + 60_000);
    for (const path of Object.keys(FILES)) utimesSync(join(folder, path), later, later);
    expect(await call('graph_status', {})).toMatchObject({ stale_files: 0 });
    await write('src/log.ts', FILES['src/log.ts'].replace('write', 'wrote'));
    await remove('src/app.ts');
    expect(await call('graph_status', {})).toMatchObject({ stale_files: 2 });
    interface Page {
      readonly entities: readonly { readonly name: string; readonly graph_node_id: string }[];
      readonly next_cursor: string | null;
    }
    const one = await call<Page>('list_entities', { limit: 5 });
    const two = await call<Page>('list_entities', { limit: 5, cursor: one.next_cursor });
    expect([...one.entities, ...two.entities].map(({ name }) => name)).toEqual([
      ...['main', 'run', 'log', 'write', 'open'],
      ...['Store', 'Store.get', 'Base'],
    ]);
    expect(two.next_cursor).toBeNull();
    const { entities } = await call<Page>('list_entities', { entity_type: 'method', file_path: './src/store.ts' });
    expect(entities).toMatchObject([{ graph_node_id: 'method:src/store.ts:Store.get:4', name: 'Store.get' }]);
  }));
