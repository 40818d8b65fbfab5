import { realpathSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { StoreFile } from '../../src/server/db/store-file';
import { MEMORY_MIGRATIONS } from '../../src/server/memory/migrations/index';
import { rememberStore } from '../../src/server/project/known-stores';
import { SVC_FILE } from '../support/code-project';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { type EditorClient, STORE_SOURCE, startEditor } from '../support/editor-client';
import { folderSnapshot } from '../support/folder-snapshot';
import { type ForeignStore, withForeignStore } from '../support/foreign-store';
import type { Place } from '../support/stdio-client';

const UNTRUSTED = { settings: { trusted: false } };
const SOURCES = { 'src/store.ts': STORE_SOURCE };
/** In `export function open() {`. */
const ON_NAME: [number, number] = [6, 18];
const STORE = { content: 'mine', kind: 'fact' };

async function inEditor(place: Place, trusted: boolean, work: (editor: EditorClient) => Promise<void>): Promise<void> {
  const editor = await startEditor(place, trusted ? {} : UNTRUSTED);
  try {
    await work(editor);
  } finally {
    await editor.end();
  }
}

/** Asks everything that an editor asks by itself, and what people ask in it without writing. */
async function lookAround(editor: EditorClient): Promise<void> {
  const folder = editor.uri('.');
  await editor.open('src/store.ts', STORE_SOURCE);
  await editor.request('svc/folderState', { folder });
  await editor.request('svc/decorations', { folder });
  await editor.request('svc/recallPreview', { folder, query: 'project context', budgetTokens: 500 });
  await editor.titles('src/store.ts');
  await editor.hover('src/store.ts', ...ON_NAME);
  for (const tool of ['nodes', 'sessions', 'entities', 'namespaces', 'review', 'memory_stats', 'chronicle']) {
    await editor.call(tool);
  }
  await editor.call('memory_recall', { query: 'sqlite' });
  await editor.save('src/store.ts');
}

async function contents(editor: EditorClient): Promise<string[]> {
  const nodes = await editor.call<{ content: string }[]>('nodes', { kinds: ['fact', 'decision'] });
  return nodes.map(({ content }) => content);
}

async function stateOf(editor: EditorClient) {
  const { store, problem } = await editor.request('svc/folderState', { folder: editor.uri('.') });
  return { access: store.access, problem };
}

async function build(place: CommandLine): Promise<void> {
  const { status, err } = await place.run(['build'], { program: SVC_FILE });
  if (status !== 0) throw new Error(err);
}

/** A store as the first schema left it, with one memory. */
async function makeOldStore({ folder, home }: CommandLine, known: boolean): Promise<void> {
  const path = join(realpathSync(folder), '.svc', 'memory.db');
  await mkdir(join(folder, '.svc'), { recursive: true });
  const made = (id: string) => void rememberStore(home, { path, id, how: 'made', what: 'memories' });
  const identity = known ? { table: 'mem_flags' as const, made } : undefined;
  const store = await StoreFile.open({ path, migrations: MEMORY_MIGRATIONS.slice(0, 1), create: true, identity });
  await store.transact(async (sql) => {
    await sql.run(
      `INSERT INTO mem_nodes (seq, id, kind, content, confidence, recorded_at, valid_from)
       VALUES ((1 << 32) + 1, 'f_bakilomu', 'fact', 'from long ago', 1.0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
    );
  });
  await store.close();
}

describe('in a workspace that is not trusted', () => {
  it('a store of one’s own is read, and nothing appears or changes in the folder', () =>
    withCommandLine(
      async (line) => {
        await line.ok('init');
        await line.ok('store', 'we chose sqlite', '--kind', 'decision', '--entities', 'open()');
        await build(line);
        const before = folderSnapshot(line.folder);
        await inEditor(line, false, async (editor) => {
          await lookAround(editor);
          expect(await contents(editor)).toEqual(['we chose sqlite']);
          expect(await stateOf(editor)).toEqual({ access: 'untrusted', problem: null });
          expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: we chose sqlite']);
          expect(await editor.callTool('memory_store', STORE)).toMatchObject({
            error: { code: 'unavailable', message: expect.stringContaining('not trusted') },
          });
          expect(folderSnapshot(line.folder)).toEqual(before);
        });
        expect(folderSnapshot(line.folder)).toEqual(before);
      },
      { files: SOURCES },
    ));

  it('a store is written from when the workspace is trusted, also where it was being opened at that moment', () =>
    withCommandLine(async (line) => {
      await line.ok('init');
      await inEditor(line, false, async (editor) => {
        const reading = contents(editor);
        await editor.configure({ trusted: true });
        expect(await editor.callTool('memory_store', STORE)).toMatchObject({ ok: true });
        await reading;
        expect(await contents(editor)).toEqual(['mine']);
      });
    }));

  it.each([
    ['known', 'untrusted'],
    ['unknown', 'foreign'],
  ] as const)(
    'a store of an older schema that is %s is read through a copy, and stays byte for byte',
    (known, access) =>
      withCommandLine(
        async (line) => {
          await makeOldStore(line, known === 'known');
          const before = folderSnapshot(line.folder);
          await inEditor(line, false, async (editor) => {
            await lookAround(editor);
            expect(await contents(editor)).toEqual(['from long ago']);
            expect(await stateOf(editor)).toEqual({ access, problem: null });
          });
          expect(folderSnapshot(line.folder)).toEqual(before);
        },
        { files: SOURCES },
      ),
  );

  it('a store that came with the folder is read and marked, and neither the folder nor the home is written', () =>
    withForeignStore(
      async (clone) => {
        const before = [folderSnapshot(clone.folder), folderSnapshot(clone.home)];
        await inEditor(clone, false, async (editor) => {
          await lookAround(editor);
          expect(await stateOf(editor)).toEqual({ access: 'foreign', problem: null });
          const nodes = await editor.call<{ marks?: string[] }[]>('nodes', { kinds: ['decision'] });
          expect(nodes.map(({ marks }) => marks)).toEqual([['foreign']]);
          for (const action of ['look', 'accept'] as const) {
            expect(await editor.request('svc/trustStore', { folder: editor.uri('.'), action })).toMatchObject({
              ok: false,
              error: { code: 'unavailable', message: expect.stringContaining('not trusted') },
            });
          }
        });
        expect([folderSnapshot(clone.folder), folderSnapshot(clone.home)]).toEqual(before);
      },
      { files: SOURCES },
    ));
});

describe('a store that came with a folder that is trusted', () => {
  it('refuses what writes in words that say why, and nothing appears beside it', () =>
    withForeignStore(
      async (clone) => {
        const before = folderSnapshot(clone.folder);
        await inEditor(clone, true, async (editor) => {
          await lookAround(editor);
          expect(await stateOf(editor)).toEqual({ access: 'foreign', problem: null });
          const [memory] = await editor.call<{ id: string }[]>('nodes', { kinds: ['decision'] });
          const writes = [
            ['memory_store', STORE],
            ['memory_verify', { node_id: memory?.id, status: 'confirm' }],
            ['memory_forget', { node_id: memory?.id }],
            ['memory_start_session', { name: 'Mine' }],
            ['memory_verify_staleness', {}],
          ] as const;
          for (const [tool, input] of writes) {
            expect(await editor.callTool(tool, input)).toMatchObject({
              ok: false,
              error: {
                code: 'unavailable',
                message: expect.stringMatching(/ came with this folder\. .*has not been accepted/),
              },
            });
          }
        });
        expect(folderSnapshot(clone.folder)).toEqual(before);
      },
      { files: SOURCES },
    ));

  it('tells what it is, and is like one of one’s own once a person has accepted it', () =>
    withForeignStore(async (clone) => {
      await inEditor(clone, true, async (editor) => {
        const folder = editor.uri('.');
        const look = await editor.request('svc/trustStore', { folder, action: 'look' });
        expect(look).toEqual({
          ok: true,
          account: {
            path: realpathSync(clone.store),
            known: false,
            memories: 2,
            writers: ['cli'],
            from: expect.stringMatching(/^\d{4}-/),
            to: expect.stringMatching(/^\d{4}-/),
            shared: { known: true, memories: 0 },
          },
        });
        // Looking accepts nothing.
        expect(await stateOf(editor)).toMatchObject({ access: 'foreign' });
        expect(await readdir(clone.path('.svc'))).toEqual(['memory.db']);

        expect(await editor.request('svc/trustStore', { folder, action: 'accept' })).toMatchObject({
          account: { known: true, memories: 2 },
        });
        await editor.until('the window is told', () => editor.changes.find(({ what }) => what.includes('memory')));
        expect(await stateOf(editor)).toEqual({ access: 'own', problem: null });
        const nodes = await editor.call<{ marks?: string[] }[]>('nodes', { kinds: ['decision'] });
        expect(nodes.map(({ marks }) => marks)).toEqual([undefined]);
        await editor.call('memory_store', STORE);
        expect(await clone.ok('recall', 'mine')).toContain('conf 1.00 — mine');
      });
    }));

  it('is no choice of a person where the settings of the workspace name it, and is one where their own do', () =>
    withForeignStore(async (clone) => {
      for (const [storePathOfWorkspace, access] of [
        [true, 'foreign'],
        [false, 'own'],
      ] as const) {
        const kind = storePathOfWorkspace ? 'setting' : 'named';
        const folders = { [pathToFileURL(clone.folder).href]: { storePath: clone.store, storePathOfWorkspace } };
        const editor = await startEditor(clone, { settings: { folders } });
        expect(await editor.request('svc/folderState', { folder: pathToFileURL(clone.folder).href })).toMatchObject({
          store: { kind, access },
        });
        await editor.end();
      }
    }));

  it('is on no code by the graph that came along; by one that was built here it is marked in a hover, and only opened', () =>
    withForeignStore(
      async (clone: ForeignStore) => {
        await inEditor(clone, true, async (editor) => {
          const graph = async () =>
            (await editor.request('svc/folderState', { folder: editor.uri('.') })).graph?.exists;
          expect(await readdir(clone.path('.svc'))).toContain('graph.db');
          expect(await graph()).toBe(false);
          await build(clone);
          // It is looked at now and then.
          await editor.until('the new graph to be used', async () => (await graph()) || undefined);
          await editor.open('src/store.ts', STORE_SOURCE);
          const text = (await editor.hover('src/store.ts', ...ON_NAME)) ?? '';
          expect(text).toContain('**Decision:** one connection is enough · foreign\n\n');
          expect(text.match(/command:[\w.]+/g)).toEqual(['command:agentMemory.openMemory']);
        });
      },
      {
        files: SOURCES,
        work: async (stranger) => {
          await build(stranger);
          await stranger.ok('store', 'one connection is enough', '--kind', 'decision', '--entities', 'open()');
        },
      },
    ));
});
