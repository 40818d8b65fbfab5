import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HeldSession } from '../../src/protocol/tool-values';
import { withCommandLine } from '../support/command-line';
import { type EditorClient, type EditorOptions, startEditor, withEditor } from '../support/editor-client';
import type { Place } from '../support/stdio-client';

/** An editor on a folder that nothing was done in. */
async function withEmptyFolder(
  work: (editor: EditorClient, place: Place) => Promise<void>,
  options: EditorOptions = {},
): Promise<void> {
  await withCommandLine(async (place) => {
    for (const folder of options.folders ?? []) await mkdir(join(place.folder, folder));
    const editor = await startEditor(place, options);
    try {
      await work(editor, place);
    } finally {
      await editor.end();
    }
  });
}

describe('svc/callTool', () => {
  it('offers the whole registry, refusals in words', async () => {
    await withEditor(async (editor) => {
      const { node_id } = await editor.call<{ node_id: string }>('memory_store', { content: 'Kept', kind: 'fact' });
      expect(await editor.callTool('memory_recall', { query: 'kept' })).toMatchObject({
        ok: true,
        text: expect.stringContaining(node_id),
      });
      expect(await editor.call('node', { id: node_id })).toMatchObject({ content: 'Kept' });
      expect(await editor.call('graph_status')).toMatchObject({ files: 2 });
      const refused = await editor.callTool('memory_why', { decision_ref: 'd_bakilomu', more: 1 });
      expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
      expect(await editor.callTool('nonsense')).toMatchObject({
        error: { code: 'invalid_input', message: expect.stringContaining('There is no tool "nonsense"') },
      });
    });
  });

  it('lists memories by letters of the code that they are on', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'On open', kind: 'fact', entities: ['src/store.ts#open'] });
      await editor.call('memory_store', { content: 'On the file', kind: 'fact', entities: ['src/other.ts'] });
      await editor.call('memory_store', { content: 'On none', kind: 'fact', entities: ['store'] });
      const list = async (input: object): Promise<string[]> =>
        (await editor.call<{ content: string }[]>('nodes', { kinds: ['fact'], ...input })).map(
          ({ content }) => content,
        );
      expect(await list({ file: 'SRC/' })).toEqual(['On the file', 'On open']);
      expect(await list({ file: 'store' })).toEqual(['On open']);
      expect(await list({ symbol: 'Ope' })).toEqual(['On open']);
      expect(await list({ file: 'other', symbol: 'open' })).toEqual([]);
      expect(await list({ file: 'src', letters: 'file' })).toEqual(['On the file']);
    });
  });

  it('stays in the namespace of the request while another one that names a namespace is under way', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_start_session', { name: 'Warm' });
      const store = (content: string, input: object) =>
        editor.call<{ node_id: string }>('memory_store', { content, kind: 'fact', ...input });
      await Promise.all([store('There', { namespace: 'other' }), store('Here', {}), store('Here, too', {})]);
      const here = await editor.call<{ content: string }[]>('nodes', { kinds: ['fact'] });
      expect(here.map(({ content }) => content)).toEqual(['Here, too', 'Here']);
    });
  });

  it('works in the namespace of the request; each has a session of its own, held by VS Code', async () => {
    await withEditor(async (editor) => {
      const start = (name: string, namespace?: string) =>
        editor.call<{ session_id: string; created: boolean }>('memory_start_session', { name }, namespace);
      const here = await start('Here');
      const there = await start('There', 'other');
      expect([here.created, there.created]).toEqual([true, true]);
      expect(await start('Again')).toEqual({ session_id: here.session_id, created: false });
      const folder = editor.uri('.');
      expect(await editor.request('svc/folderState', { folder })).toMatchObject({
        namespace: 'default',
        session: { id: here.session_id, name: 'Here', named: true },
      });
      expect(await editor.request('svc/folderState', { folder, namespace: 'other' })).toMatchObject({
        session: { id: there.session_id, name: 'There', named: true },
      });
      // A write that names a namespace opens its session there, and leaves the request's own where it was.
      await editor.call('memory_store', { content: 'Elsewhere', kind: 'fact', namespace: 'third' });
      expect(await editor.call('nodes', { kinds: ['fact'] })).toEqual([]);
      expect(await editor.call('nodes', { kinds: ['fact'] }, 'third')).toHaveLength(1);
      const third = await editor.request('svc/folderState', { folder, namespace: 'third' });
      // One that nobody named has the same name wherever people see it.
      expect(third.session).toMatchObject({ name: 'Elsewhere', named: false });
      const [session] = await editor.call<HeldSession[]>('sessions', {}, 'third');
      expect(session).toMatchObject({ topic: 'Elsewhere', origin: { kind: 'person' } });
      const id = `${session?.id}`;
      expect(await editor.call('node', { id }, 'third')).toMatchObject({ session: { id, topic: 'Elsewhere' } });
      const { nodes } = await editor.call<{ nodes: { key: string; label: string }[] }>(
        'graph',
        { around: id },
        'third',
      );
      expect(nodes.find(({ key }) => key === id)?.label).toBe('Elsewhere');
      // It is left for one that somebody begins, where the call names the namespace.
      const begun = { name: 'A task', namespace: 'third' };
      const task = await editor.call<{ session_id: string }>('memory_start_session', begun, 'third');
      await editor.call('memory_store', { content: 'For the task', kind: 'fact' }, 'third');
      const then = await editor.request('svc/folderState', { folder, namespace: 'third' });
      expect(then.session).toEqual({ id: task.session_id, name: 'A task', named: true });
    });
  });

  it('makes the store of a folder with the first write, not before', async () => {
    await withEmptyFolder(async (editor, place) => {
      const folder = editor.uri('.');
      const store = join(place.folder, '.svc', 'memory.db');
      expect(await editor.request('svc/folderState', { folder })).toMatchObject({
        ...{ root: place.folder, store: { path: store, exists: false, kind: 'project' }, session: null, stale: 0 },
        ...{ problem: null, graph: { exists: false } },
      });
      expect(await editor.request('svc/decorations', { folder })).toEqual([]);
      expect(await editor.callTool('memory_stats')).toMatchObject({
        error: { code: 'unavailable', message: expect.stringContaining('There is no store yet') },
      });
      expect(existsSync(join(place.folder, '.svc'))).toBe(false);
      expect(existsSync(join(place.home, '.svc'))).toBe(false);
      await editor.call('memory_store', { content: 'First', kind: 'fact' });
      expect(existsSync(store)).toBe(true);
      expect(await editor.request('svc/folderState', { folder })).toMatchObject({ store: { exists: true } });
    });
  });

  it('uses the home store where folders are to have none of their own, and the store that a setting names', async () => {
    await withEmptyFolder(async (editor, place) => {
      const folder = editor.uri('.');
      await editor.configure({ folders: { [folder]: { autoInit: false } } });
      await editor.call('memory_store', { content: 'At home', kind: 'fact' });
      expect(existsSync(join(place.home, '.svc', 'memory.db'))).toBe(true);
      expect(await editor.request('svc/folderState', { folder })).toMatchObject({ root: null, graph: null });
      await editor.configure({ folders: { [folder]: { storePath: 'kept/own.db' } } });
      await editor.call('memory_store', { content: 'Elsewhere', kind: 'fact' });
      expect(await editor.call('nodes', { kinds: ['fact'] })).toHaveLength(1);
      expect(existsSync(join(place.folder, 'kept', 'own.db'))).toBe(true);
    });
  });

  it('writes nothing in a workspace that is not trusted, and does not start Git in it', async () => {
    await withEmptyFolder(
      async (editor, place) => {
        expect(await editor.callTool('memory_store', { content: 'x', kind: 'fact' })).toMatchObject({
          error: { code: 'unavailable', message: expect.stringContaining('not trusted') },
        });
        const asked = { check: {}, compare: { node_id: 'f_bakilomu' }, why_here: { file_path: 'a.ts', line: 1 } };
        for (const [name, input] of Object.entries(asked)) {
          expect(await editor.callTool(name, input), name).toMatchObject({
            error: { code: 'unavailable', message: expect.stringMatching(/not trusted, so Git is not run/) },
          });
        }
        expect(existsSync(join(place.folder, '.svc'))).toBe(false);
      },
      { settings: { trusted: false } },
    );
  });

  it('keeps the folders of a window apart, and lets one go', async () => {
    await withEmptyFolder(
      async (editor) => {
        const [one, two] = [editor.uri('one'), editor.uri('two')];
        const store = (folder: string, content: string) =>
          editor.request('svc/callTool', { folder, name: 'memory_store', arguments: { content, kind: 'fact' } });
        const facts = async (folder: string) => {
          const answer = await editor.request('svc/callTool', {
            folder,
            name: 'nodes',
            arguments: { kinds: ['fact'] },
          });
          return answer.ok ? (answer.value as { content: string }[]).map(({ content }) => content) : answer.error.code;
        };
        await store(one, 'In one');
        await store(two, 'In two');
        expect([await facts(one), await facts(two)]).toEqual([['In one'], ['In two']]);
        const event = { added: [], removed: [{ uri: two, name: 'two' }] };
        await editor.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
        expect([await facts(one), await facts(two)]).toEqual([['In one'], 'invalid_input']);
        await expect(editor.request('svc/decorations', { folder: two })).rejects.toThrow(
          'is not a folder of this window',
        );
      },
      { folders: ['one', 'two'] },
    );
  });
});

describe('svc/recallPreview', () => {
  it('is exactly what an agent would get, and counts as no use', async () => {
    await withEditor(async (editor, project) => {
      for (const content of ['The store is one file', 'The store is small']) {
        await editor.call('memory_store', { content, kind: 'fact' });
      }
      const params = { folder: editor.uri('.'), query: 'store', budgetTokens: 200 };
      const preview = await editor.request('svc/recallPreview', params);
      if (!preview.ok) throw new Error(preview.error.message);
      const agent = await project.memoryServer();
      expect(preview.text).toBe(await agent.text('memory_recall', { query: 'store', budget_tokens: 200 }));
      expect(preview.text).toContain(`${preview.tokens}/200 tokens`);
      const ids = [...preview.text.matchAll(/^- \[(\w+)\]/gm)].map(([, id]) => id);
      expect(preview.value).toMatchObject({ budget: 200, used: preview.tokens, items: ids.map((id) => ({ id })) });
      const small = await editor.request('svc/recallPreview', { ...params, budgetTokens: 10 });
      expect(small).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    });
  });
});

it('says by which number a write is taken back, whatever others have done to the memory since', () =>
  withEditor(async (editor, project) => {
    const act = async (name: string, input: Readonly<Record<string, unknown>>) => {
      const answer = await editor.callTool(name, input);
      if (!answer.ok) throw new Error(answer.error.message);
      return answer;
    };
    const stored = await act('memory_store', { content: 'kept', kind: 'fact' });
    const { node_id: id } = stored.value as { node_id: string };
    const confirmed = await act('memory_verify', { node_id: id, status: 'confirm' });
    expect(await project.run(['verify', id, 'confirm'])).toMatchObject({ status: 0 });
    const { events } = await editor.call<{ events: { operation: number }[] }>('history', { id });
    expect(events.map(({ operation }) => operation)).toEqual([
      stored.operation,
      confirmed.operation,
      (confirmed.operation ?? 0) + 1,
    ]);
    expect((await act('memory_stats', {})).operation).toBeNull();
    expect((await act('memory_start_session', { name: 'another' })).operation).toBeNull();
  }));
