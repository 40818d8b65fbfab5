import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { NodeHistory } from '../../src/server/memory/history/node-history';
import { STORE_SOURCE as STORE, withEditor } from '../support/editor-client';
import { connectServer } from '../support/stdio-client';

const FOLDER = '.svc/memories';

interface Answer {
  readonly node_id: string;
  readonly path?: string;
  /** Of an undoing. */
  readonly node_ids: readonly string[];
  readonly forgotten_ids: readonly string[];
}

it('takes back what was changed in the file of a shared memory, in the order of what was done', async () => {
  await withEditor(async (editor, project) => {
    const act = async (tool: string, input: Readonly<Record<string, unknown>>): Promise<number> => {
      const answer = await editor.callTool(tool, input);
      if (!answer.ok) throw new Error(answer.error.message);
      return answer.operation ?? 0;
    };
    const { node_id } = await editor.call<{ node_id: string }>('memory_store', {
      ...{ content: 'One file', kind: 'decision', entities: ['open()'] },
    });
    await editor.call('share', { node_ids: [node_id] });
    const [name = ''] = await readdir(project.path(FOLDER));
    const text = () => readFile(project.path(FOLDER, name), 'utf8').catch(() => undefined);
    const shared = await text();
    const history = async () =>
      (await editor.call<NodeHistory>('history', { id: node_id })).events.map(({ action, operation }) => [
        action,
        operation,
      ]);
    const before = await history();
    expect(before.map(([action]) => action)).toEqual(['store', 'share']);

    // A person confirms what its changed code does, and takes that back: the doubt is there again.
    await project.write('src/store.ts', STORE.replace("'main'", "'other'"));
    const doubts = async () => (await editor.request('svc/folderState', { folder: editor.uri('.') })).stale;
    await editor.until('the doubt', async () => (await doubts()) === 1 || undefined);
    const confirming = await act('memory_verify', { node_id, status: 'confirm' });
    expect(confirming).toBeLessThan(0);
    expect(await doubts()).toBe(0);
    expect(await text()).not.toBe(shared);
    expect(await history()).toEqual([...before, ['confirm', confirming]]);
    const undone = await editor.call<object>('undo', { operation: confirming });
    expect(undone).toMatchObject({ undone: confirming, tool: 'memory_verify', node_ids: [node_id], forgotten_ids: [] });
    expect(await text()).toBe(shared);
    expect(await history()).toEqual([...before, ['confirm', expect.any(Number)], ['undo', expect.any(Number)]]);
    expect(await doubts()).toBe(1);

    const ignoring = await act('settle', { action: 'dismiss', node_id });
    expect(await doubts()).toBe(0);
    expect((await text())?.replace(/, accepts: \[[^\]]*\]/, '')).toBe(shared);
    expect(await editor.callTool('settle', { action: 'dismiss', node_id })).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('does not wait for review') },
    });
    await act('undo', { operation: ignoring });
    expect(await text()).toBe(shared);
    expect(await doubts()).toBe(1);

    const refuting = await act('memory_verify', { node_id, status: 'refute' });
    await act('undo', { operation: refuting });
    const forgetting = await act('memory_forget', { node_id });
    expect(await text()).toBeUndefined();
    const bringing = await act('undo', { operation: forgetting });
    expect(await text()).toBe(shared);
    // That, too, is taken back.
    const again = await act('undo', { operation: bringing });
    expect(await text()).toBeUndefined();
    expect((await history()).slice(-3)).toEqual([
      ['forget', expect.any(Number)],
      ['undo', expect.any(Number)],
      ['redo', again],
    ]);
  });
});

it('takes back what was shared along with what it takes back', async () => {
  await withEditor(async (editor, project) => {
    const act = async (tool: string, input: Readonly<Record<string, unknown>>) => {
      const answer = await editor.callTool(tool, input);
      if (!answer.ok) throw new Error(answer.error.message);
      return { operation: answer.operation, ...(answer.value as Answer) };
    };
    const open = async () =>
      (await editor.call<{ content: string }[]>('nodes', { kinds: ['decision'] })).map(({ content }) => content);
    const files = () => readdir(project.path(FOLDER));
    const decision = { kind: 'decision', entities: ['open()'] };
    const first = await act('memory_store', { ...decision, content: 'One file' });
    const sharing = await act('share', { node_ids: [first.node_id] });
    const before = await files();

    // What takes the place of a shared one is shared at once.
    const second = await act('memory_store', { ...decision, content: 'Two files', supersedes: first.node_id });
    expect(await files()).toHaveLength(2);
    expect(await open()).toEqual(['Two files']);
    // Out of its file it would be open again, beside what has taken its place.
    expect(await editor.callTool('undo', { operation: sharing.operation })).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining(`${first.node_id} changed since`) },
    });
    const undone = await act('undo', { operation: second.operation });
    expect(undone.node_ids).toEqual([second.node_id, first.node_id]);
    expect(undone.forgotten_ids).toEqual([second.node_id]);
    expect(await files()).toEqual(before);
    expect(await open()).toEqual(['One file']);
    // That is taken back, too, and so on: what only the file said is said again.
    const redone = await act('undo', { operation: undone.operation });
    expect(await open()).toEqual(['Two files']);
    expect(await files()).toHaveLength(2);
    await act('undo', { operation: redone.operation });
    expect(await open()).toEqual(['One file']);
    expect(await files()).toEqual(before);

    // What the project shares by itself.
    await project.write('.svc/config.yaml', 'share: decisions\n');
    const third = await act('memory_store', { ...decision, content: 'Three files' });
    expect(third.path).toContain('three-files');
    await act('undo', { operation: third.operation });
    expect(await open()).not.toContain('Three files');
    expect(await files()).toEqual(before);

    // Where the file was edited since, it counts, and nothing is taken back.
    const fourth = await act('memory_store', { ...decision, content: 'Four files' });
    const path = fourth.path ?? '';
    const edited = `${await readFile(project.path(path), 'utf8')}\nBy hand.\n`;
    await project.write(path, edited);
    expect(await editor.callTool('undo', { operation: fourth.operation })).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('was changed since. Nothing was changed.') },
    });
    expect(await readFile(project.path(path), 'utf8')).toBe(edited);
    expect(await open()).toContainEqual(expect.stringContaining('Four files'));
  });
});

it.each([
  ['kept', 'settle', { action: 'keep' }],
  ['edited', 'settle', { action: 'edit', content: 'Two files, in other words' }],
  ['confirmed', 'memory_verify', { status: 'confirm' }],
])('shares what is %s in place of a memory that was shared meanwhile, and takes that back', async (_, tool, input) => {
  await withEditor(async (editor, project) => {
    const open = async () =>
      (await editor.call<{ content: string }[]>('nodes', { kinds: ['decision'] })).map(({ content }) => content);
    const decision = { kind: 'decision', entities: ['open()'] };
    const old = await editor.call<Answer>('memory_store', { ...decision, content: 'One file' });
    const agent = await connectServer(project, { env: { SVC_KEEP: 'propose' } });
    const proposed = await agent.value<Answer>('memory_store', {
      ...{ ...decision, content: 'Two files', supersedes: old.node_id },
    });
    await agent.close();
    await editor.call('share', { node_ids: [old.node_id] });
    const before = await readdir(project.path(FOLDER));
    for (const times of [1, 2]) {
      const { proposals } = await editor.call<{ proposals: unknown[] }>('review', { only: 'proposals' });
      expect(proposals).toMatchObject([{ replaces: [old.node_id] }]);
      const answer = await editor.callTool(tool, { node_id: proposed.node_id, ...input });
      if (!answer.ok) throw new Error(answer.error.message);
      expect(await open(), `${times}`).toEqual([expect.stringContaining('Two files')]);
      const [file = ''] = (await readdir(project.path(FOLDER))).filter((name) => !before.includes(name));
      expect(await readFile(project.path(FOLDER, file), 'utf8')).toContain(old.node_id);
      await editor.call('undo', { operation: answer.operation });
      expect(await open()).toEqual(expect.arrayContaining(['One file', 'Two files']));
      expect(await readdir(project.path(FOLDER))).toEqual(before);
    }
  });
});

it('takes back each share with what it came with, however many are under way', async () => {
  await withEditor(async (editor, project) => {
    const store = async (content: string) => {
      const answer = await editor.callTool('memory_store', { content, kind: 'decision' });
      if (!answer.ok) throw new Error(answer.error.message);
      return answer;
    };
    const first = await store('Begins the folder');
    await editor.call('share', { node_ids: [(first.value as { node_id: string }).node_id] });
    await project.write('.svc/config.yaml', 'share: decisions\n');
    const [one, two] = await Promise.all([store('One of two'), store('Two of two')]);
    expect(await readdir(project.path(FOLDER))).toHaveLength(3);
    expect(await editor.callTool('undo', { operation: one.operation })).toMatchObject({ ok: true });
    expect((await readdir(project.path(FOLDER))).some((name) => name.includes('one-of-two'))).toBe(false);
    expect((await readdir(project.path(FOLDER))).some((name) => name.includes('two-of-two'))).toBe(true);
    expect(await editor.callTool('undo', { operation: two.operation })).toMatchObject({ ok: true });
    expect(await readdir(project.path(FOLDER))).toHaveLength(1);
  });
});

it('takes back what took the place of a shared memory as a whole, where only its sharing is named', async () => {
  await withEditor(async (editor, project) => {
    const store = (content: string, more = {}) =>
      editor.call<{ node_id: string }>('memory_store', { content, kind: 'fact', ...more });
    const { node_id: old } = await store('Uploads are cut into chunks');
    await editor.call('share', { node_ids: [old] });
    const { node_id } = await store('Uploads are cut into chunks of 4 MiB', { supersedes: old });
    const texts = async () => {
      const names = (await readdir(project.path(FOLDER))).sort();
      return Promise.all(names.map((name) => readFile(project.path(FOLDER, name), 'utf8')));
    };
    const shared = await texts();
    const { events } = await editor.call<{ events: { operation: number }[] }>('history', { id: node_id });
    let operation = events.at(-1)?.operation;
    for (const times of [1, 2]) {
      const undone = await editor.callTool('undo', { operation });
      expect([undone, times]).toMatchObject([{ ok: true, value: { node_ids: [node_id, old] } }, times]);
      expect(await texts()).toHaveLength(1);
      expect(await editor.call('node', { id: old })).toMatchObject({ valid_until: null });
      expect(await editor.call('node', { id: node_id })).toMatchObject({ tombstoned: 1 });
      const redone = await editor.callTool('undo', { operation: undone.ok ? undone.operation : null });
      expect(redone).toMatchObject({ ok: true });
      expect(await texts()).toEqual(shared);
      operation = redone.ok ? (redone.operation ?? undefined) : undefined;
    }
  });
});

it('tells of what took the place of a shared memory as the last change of the window, in the words of a rewriting', async () => {
  await withEditor(async (editor) => {
    const store = async (content: string, more = {}) => {
      const answer = await editor.callTool('memory_store', { content, kind: 'fact', ...more });
      if (!answer.ok || answer.operation === null) throw new Error(JSON.stringify(answer));
      return { id: (answer.value as { node_id: string }).node_id, own: answer.operation };
    };
    const { id } = await store('Uploads are cut into chunks');
    await editor.call('share', { node_ids: [id] });
    const { own } = await store('Uploads are cut into chunks of 4 MiB', { supersedes: id });
    const last = () => editor.request('svc/lastChanges', { folder: editor.uri('.'), own });
    expect(await last()).toMatchObject({
      own: { operation: own, did: 'supersede', content: 'Uploads are cut into chunks of 4 MiB', memories: 1 },
    });
    await editor.callTool('undo', { operation: own });
    expect(await last()).toMatchObject({ own: null });
  });
});

it('leaves a file that somebody has edited since, and what another process has changed', async () => {
  await withEditor(async (editor, project) => {
    const { node_id } = await editor.call<{ node_id: string }>('memory_store', { content: 'One file', kind: 'fact' });
    await editor.call('share', { node_ids: [node_id] });
    const [name = ''] = await readdir(project.path(FOLDER));
    const answer = await editor.callTool('memory_verify', { node_id, status: 'refute' });
    const operation = answer.ok ? answer.operation : null;
    const edited = `${await readFile(project.path(FOLDER, name), 'utf8')}\nBy hand.\n`;
    await project.write(`${FOLDER}/${name}`, edited);
    expect(await editor.callTool('undo', { operation })).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('was changed since. Nothing was changed.') },
    });
    expect(await readFile(project.path(FOLDER, name), 'utf8')).toBe(edited);
    expect(await editor.callTool('undo', { operation: -5 })).toMatchObject({ ok: false, error: { code: 'conflict' } });
    // An agent of the editor has no such word.
    const asAgent = { folder: editor.uri('.'), name: 'undo', arguments: { operation: -5 }, agent: 'Copilot' };
    expect(await editor.request('svc/callTool', asAgent)).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });
  });
});

it('puts up for review what somebody else has shared, too', async () => {
  await withEditor(async (editor, project) => {
    const { node_id } = await editor.call<{ node_id: string }>('memory_store', {
      ...{ content: 'One file', kind: 'decision', entities: ['open()'] },
    });
    await editor.call('share', { node_ids: [node_id] });
    const [name = ''] = await readdir(project.path(FOLDER));
    const own = await readFile(project.path(FOLDER, name), 'utf8');
    // As a pull brings it: this store has no row of it.
    await project.write(`${FOLDER}/pulled.md`, own.replace(node_id, 'd_pulledin').replaceAll('One file', 'By Kim'));
    await project.write('src/store.ts', STORE.replace("'main'", "'other'"));
    await editor.call('memory_verify_staleness');
    const { entries } = await editor.call<{ entries: { node: { id: string } }[] }>('review', { only: 'code' });
    expect(entries.map(({ node }) => node.id).sort()).toEqual([node_id, 'd_pulledin'].sort());
  });
});

it('says of a file that cannot be read, and where: in the state of the folder and on the file, until it is mended', async () => {
  await withEditor(async (editor, project) => {
    const { node_id } = await editor.call<{ node_id: string }>('memory_store', { content: 'One file', kind: 'fact' });
    await editor.call('share', { node_ids: [node_id] });
    const [name = ''] = await readdir(project.path(FOLDER));
    const path = `${FOLDER}/${name}`;
    const good = await readFile(project.path(path), 'utf8');
    const unread = async () => (await editor.request('svc/folderState', { folder: editor.uri('.') })).unread;
    expect(await unread()).toEqual([]);
    await project.write(path, `${good}<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n`);
    const line = good.split('\n').length;
    const reason = 'a merge of Git left a conflict in it';
    await editor.until('it is told', async () => (await unread()).length === 1 || undefined);
    expect(await unread()).toEqual([{ path, line, reason }]);
    const [marked] = await editor.until('it is marked', () =>
      editor.diagnostics(path).length > 0 ? editor.diagnostics(path) : undefined,
    );
    expect(marked).toMatchObject({
      range: { start: { line: line - 1, character: 0 } },
      ...{ severity: 2, source: 'Agent Memory', message: `Nothing is known from this file: ${reason}.` },
    });
    await project.write(path, good);
    await editor.until('nothing is wrong', async () => (await unread()).length === 0 || undefined);
    await editor.until('the mark goes', () => editor.diagnostics(path).length === 0 || undefined);
  });
});
