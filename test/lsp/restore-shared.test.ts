import { readdir, readFile, rename } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { NodeHistory } from '../../src/server/memory/history/node-history';
import { commandLineIn } from '../support/command-line';
import { startEditor, withEditor } from '../support/editor-client';

const FOLDER = '.svc/memories';

/** Calls tools that are not to be refused, and gives what takes them back. */
function acting({ callTool }: Parameters<Parameters<typeof withEditor>[0]>[0]) {
  return async (tool: string, input: Readonly<Record<string, unknown>>): Promise<number> => {
    const answer = await callTool(tool, input);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.operation ?? 0;
  };
}

it('brings the file of a shared memory back that the window removed, takes that back and does it again', async () => {
  await withEditor(async (editor, project) => {
    const act = acting(editor);
    const { node_id } = await editor.call<{ node_id: string }>('memory_store', { content: 'One file', kind: 'fact' });
    await editor.call('share', { node_ids: [node_id] });
    const [name = ''] = await readdir(project.path(FOLDER));
    // As a teammate wrote it.
    await project.write(`${FOLDER}/${name}`, (await read()).replace('One file', 'Two files'));
    const alone = '---\nkind: fact\nid: f_queue\n---\n\nThe queue is full\n';
    await project.write(`${FOLDER}/queue.md`, alone);

    function read(file = name): Promise<string> {
      return readFile(project.path(FOLDER, file), 'utf8').catch(() => '');
    }
    for (const [id, file] of [
      [node_id, name],
      ['f_queue', 'queue.md'],
    ] as const) {
      const before = await read(file);
      await act('memory_forget', { node_id: id });
      expect(await read(file)).toBe('');
      const restoring = await act('restore', { node_id: id });
      expect(restoring).toBeLessThan(0);
      expect(await read(file)).toBe(before);
      expect((await editor.call<NodeHistory>('history', { id })).events.slice(-2)).toMatchObject([
        { action: 'forget' },
        { action: 'restore', operation: restoring },
      ]);
      const undoing = await act('undo', { operation: restoring });
      expect(await read(file)).toBe('');
      await act('undo', { operation: undoing });
      expect(await read(file)).toBe(before);
      // Put back by somebody else, and gone again: what this window has undone says nothing of that.
      const forgetting = await act('memory_forget', { node_id: id });
      await project.write(`${FOLDER}/${file}`, before);
      await editor.call('node', { id });
      await project.remove(`${FOLDER}/${file}`);
      const back = await act('undo', { operation: forgetting });
      expect(await read(file)).toBe(before);
      await act('undo', { operation: back });
      await act('restore', { node_id: id });
      expect(await read(file)).toBe(before);
      // What was undone is no reason to take another text for its file.
      await act('memory_forget', { node_id: id });
      await act('restore', { node_id: id });
      expect(await read(file)).toBe(before);
    }
  });
});

it('says of a memory that stood in a removed file alone that it was forgotten, and of others that they are not here', async () => {
  await withEditor(async (editor, project) => {
    const { node_id } = await editor.call<{ node_id: string }>('memory_store', { content: 'One file', kind: 'fact' });
    await editor.call('share', { node_ids: [node_id] });
    await project.write(`${FOLDER}/queue.md`, '---\nkind: fact\nid: f_queue\n---\n\nThe queue is full\n');
    await editor.call('memory_forget', { node_id: 'f_queue' });
    expect(await editor.callTool('node', { id: 'f_queue' })).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await editor.callTool('node', { id: 'f_other' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
    await editor.call('restore', { node_id: 'f_queue' });
    expect(await editor.call('node', { id: 'f_queue' })).toMatchObject({ content: 'The queue is full' });
  });
});

it('tells in every history what others did in the file of a shared memory, and takes back its own alone', async () => {
  await withEditor(async (editor, project) => {
    const { node_id: id } = await editor.call<{ node_id: string }>('memory_store', { content: 'One', kind: 'fact' });
    await editor.call('share', { node_ids: [id] });
    const refuting = await editor.callTool('memory_verify', { node_id: id, status: 'refute' });
    const did = async (): Promise<string[]> =>
      (await project.ok('history', id))
        .split('\n')
        .flatMap((line) => /\d\d:\d\d:\d\d (.*?) (?:\(|·)/.exec(line)?.[1] ?? []);
    expect(await did()).toEqual(['stored', 'shared with the repository', 'refuted']);
    await editor.callTool('undo', { operation: refuting.ok ? refuting.operation : null });
    expect(await did()).toEqual(['stored', 'shared with the repository', 'refuted', 'undone: refuted']);
    await project.ok('verify', id, 'confirm');
    const { events } = await editor.call<NodeHistory>('history', { id });
    expect(events.at(-1)).toMatchObject({ action: 'confirm', client: 'cli' });
    // The window has undone its own, and both stand there.
    expect(events.map(({ action }) => action)).toEqual(['store', 'share', 'refute', 'undo', 'confirm']);
    // What the editor did is not what the command line did last.
    expect(await project.ok('undo')).toContain('Taken back: still true.');
    expect((await project.run(['undo'])).err).not.toContain('refuted');
    expect((await did()).slice(-2)).toEqual(['confirmed', 'undone: confirmed']);
  });
});

it('after a reload the window still takes back what it did in the file of a shared memory', async () => {
  await withEditor(async (editor, project) => {
    const { node_id: id } = await editor.call<{ node_id: string }>('memory_store', { content: 'One', kind: 'fact' });
    await editor.call('share', { node_ids: [id] });
    const [name = ''] = await readdir(project.path(FOLDER));
    const text = () => readFile(project.path(FOLDER, name), 'utf8');
    const before = await text();
    await editor.callTool('memory_verify', { node_id: id, status: 'refute' });
    const after = await text();
    await editor.end();
    const reloaded = await startEditor(project);
    try {
      const lastOf = () => reloaded.request('svc/lastChanges', { folder: reloaded.uri('.') });
      const { own } = await lastOf();
      expect(own).toMatchObject({ did: 'refute', content: 'One', memories: 1 });
      const { events } = await reloaded.call<NodeHistory>('history', { id });
      expect(events.at(-1)).toMatchObject({ action: 'refute', operation: own?.operation, undone_by: null });
      const undone = await reloaded.callTool('undo', { operation: own?.operation });
      expect(await text()).toBe(before);
      expect(await lastOf()).toMatchObject({ own: { did: 'share' } });
      await reloaded.callTool('undo', { operation: undone.ok ? undone.operation : null });
      expect(await text()).toBe(after);
      // An agent of the editor has no such word.
      const asAgent = { name: 'undo', arguments: { operation: own?.operation }, agent: 'Copilot' };
      expect(await reloaded.request('svc/callTool', { folder: reloaded.uri('.'), ...asAgent })).toMatchObject({
        ok: false,
      });
    } finally {
      await reloaded.end();
    }
  });
});

it('brings back a memory in its file and in the store where it was in both', async () => {
  await withEditor(async (editor, project) => {
    const act = acting(editor);
    const { node_id } = await editor.call<{ node_id: string }>('memory_store', { content: 'One file', kind: 'fact' });
    const sharing = await act('share', { node_ids: [node_id] });
    const [name = ''] = await readdir(project.path(FOLDER));
    const path = `${FOLDER}/${name}`;
    const read = (): Promise<string> => readFile(project.path(path), 'utf8').catch(() => '');
    const text = await read();
    await act('undo', { operation: sharing });
    // A branch is merged that still had it.
    await project.write(path, text.replace('One file', 'Two files'));
    const said = async () => {
      const { content, tombstoned } = await editor.call<{ content: string; tombstoned: number }>('node', {
        id: node_id,
      });
      return [content, tombstoned, (await read()) !== ''];
    };
    expect(await said()).toEqual(['Two files', 0, true]);
    const forgetting = await act('memory_forget', { node_id });
    expect(await said()).toEqual(['One file', 1, false]);
    const undoing = await act('undo', { operation: forgetting });
    expect(await said()).toEqual(['Two files', 0, true]);
    const done = async () =>
      (await editor.call<NodeHistory>('history', { id: node_id })).events.map(({ action }) => action).slice(-2);
    expect(await done()).toEqual(['forget', 'undo']);
    const again = await act('undo', { operation: undoing });
    expect(await said()).toEqual(['One file', 1, false]);
    await project.write(path, 'Something else');
    expect(await editor.callTool('undo', { operation: again })).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
    expect(await read()).toBe('Something else');
    // A refusal changes nothing about what can be taken back.
    await project.remove(path);
    await act('undo', { operation: again });
    expect(await said()).toEqual(['Two files', 0, true]);
    // Its file says that it holds no longer.
    await act('memory_verify', { node_id, status: 'refute' });
    const closed = await read();
    const removing = await act('memory_forget', { node_id });
    expect(await read()).toBe('');
    await act('undo', { operation: removing });
    expect(await read()).toBe(closed);
  });
});

it('takes back in one step what a command did in a file and in the store beside it, and names it once', async () => {
  await withEditor(async (editor, project) => {
    const { node_id } = await editor.call<{ node_id: string }>('memory_store', { content: 'One file', kind: 'fact' });
    await editor.call('share', { node_ids: [node_id] });
    const [name = ''] = await readdir(project.path(FOLDER));
    const [path, away] = [project.path(FOLDER, name), project.path('away.md')];
    await rename(path, away);
    const { operation: restored } = await editor.call<{ operation: number }>('restore', { node_id });
    await rename(away, path);
    const text = await readFile(path, 'utf8');
    const isOpen = async () =>
      (await editor.call<{ valid_until: unknown }>('node', { id: node_id })).valid_until === null;
    const last = async () => (await editor.request('svc/lastChanges', { folder: editor.uri('.') })).newer;
    for (const isOfStore of [false, true]) {
      await commandLineIn(project).ok('verify', node_id, 'refute');
      expect(await last()).toMatchObject([{ did: 'refute', content: 'One file' }]);
      const inFile = (await last())[0]?.operation ?? 0;
      const { events } = await editor.call<NodeHistory>('history', { id: node_id });
      expect(events.filter(({ action, undone_by }) => action === 'refute' && undone_by === null)).toHaveLength(1);
      const operation = isOfStore ? restored + 3 : inFile;
      expect(await editor.callTool('undo', { operation })).toMatchObject({ ok: true, value: { undone: inFile } });
      expect(await readFile(path, 'utf8')).toBe(text);
      expect(await isOpen()).toBe(true);
      expect(await last()).toEqual([]);
      await rename(path, away);
      expect(await isOpen()).toBe(true);
      await rename(away, path);
    }
  });
});
