import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FileChangeType } from 'vscode-languageserver-protocol/node';
import { type EditorClient, STORE_SOURCE as STORE, startEditor, withEditor } from '../support/editor-client';

const IMPORTED = 20_000;
/** On Node's own SQLite a thread for each connection takes its part. */
const MOST_MEBIBYTES = process.env.SVC_SQLITE === 'node' ? 190 : 150;
/** It gives memory back some seconds after its last work, later on a loaded machine. */
const REST_MS = 60_000;

it('ends with the window: when its input is closed, and when it is asked to', async () => {
  await withEditor(async (editor, project) => {
    await editor.call('memory_store', { content: 'Kept', kind: 'fact' });
    const ended = new Promise<number | null>((done) => editor.process.once('exit', done));
    editor.process.stdin.end();
    expect(await ended).toBe(0);
    const second = await startEditor(project);
    expect(await second.call('nodes', { kinds: ['fact'] })).toHaveLength(1);
    expect(await second.end()).toBe(0);
    expect(second.errors()).toBe('');
  });
});

it('a server that is killed has lost nothing that it answered', async () => {
  await withEditor(async (editor, project) => {
    await editor.call('memory_store', { content: 'Kept', kind: 'fact' });
    editor.process.kill('SIGKILL');
    const second = await startEditor(project);
    expect(await second.call('nodes', { kinds: ['fact'] })).toHaveLength(1);
    await second.end();
  });
});

it('goes on with the session that a person has named before the window was reloaded, and with no other', async () => {
  await withEditor(async (editor, project) => {
    const start = (one: EditorClient, name: string) => one.call('memory_start_session', { name });
    const session = async (one: EditorClient): Promise<string | undefined> =>
      (await one.request('svc/folderState', { folder: one.uri('.') })).session?.name;
    await editor.call('memory_store', { content: 'Kept', kind: 'fact' });
    await editor.end();
    const second = await startEditor(project);
    // What a write has begun by itself is over.
    expect(await session(second)).toBeUndefined();
    await start(second, 'Mending the importer');
    // In another window at the same time it is not taken away.
    const beside = await startEditor(project);
    expect(await session(beside)).toBeUndefined();
    await beside.end();
    await second.end();
    const third = await startEditor(project);
    expect(await session(third)).toBe('Mending the importer');
    const late = await startEditor(project);
    expect(await session(late)).toBeUndefined();
    await late.end();
    const killed = new Promise((done) => third.process.once('exit', done));
    third.process.kill('SIGKILL');
    await killed;
    const fourth = await startEditor(project);
    expect(await session(fourth)).toBe('Mending the importer');
    const { closed_session_id: id } = await fourth.call<{ closed_session_id: string }>('memory_end_session', {
      summary: 'It is mended',
    });
    expect((await fourth.call<{ content: string }>('node', { id })).content).toBe('Mending the importer');
    await fourth.end();
    const fifth = await startEditor(project);
    expect(await session(fifth)).toBeUndefined();
    await fifth.end();
  });
});

it('closes what a folder has open when it leaves the window, and a file saved just before opens nothing again', async () => {
  await withEditor(async (editor) => {
    await editor.call('memory_store', { content: 'Kept', kind: 'fact' });
    await editor.open('src/store.ts', STORE);
    expect(openStores(editor)).not.toEqual([]);
    await editor.save('src/store.ts');
    await editor.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added: [], removed: [{ uri: editor.uri('.'), name: '.' }] },
    });
    // Longer than a saved file waits for its turn.
    await new Promise((done) => setTimeout(done, 1_200));
    expect(openStores(editor)).toEqual([]);
    expect(editor.errors()).toBe('');
  });
});

it('ends while it takes changed files apart, and logs no error', async () => {
  await withEditor(async (editor, { folder }) => {
    await editor.call('memory_store', { content: 'Kept', kind: 'fact' });
    const paths = Array.from({ length: 500 }, (_, i) => `src/part${i}.ts`);
    for (const path of paths) writeFileSync(join(folder, path), STORE);
    const resting = threads(editor);
    const changes = paths.map((path) => ({ uri: editor.uri(path), type: FileChangeType.Created }));
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await editor.until('threads that read', () => (threads(editor) > resting ? true : undefined));
    expect(await editor.end()).toBe(0);
    expect(editor.errors()).toBe('');
  });
});

it('takes no text apart for the lenses of a file that is as the code graph knows it', async () => {
  await withEditor(async (editor, project) => {
    await editor.call('memory_store', { content: 'Kept', kind: 'decision', entities: ['src/store.ts#open'] });
    const second = await startEditor(project);
    // The store and the graph are open then, and on Node's own SQLite each has a thread.
    expect(await second.titles('src/other.ts')).toEqual([]);
    const resting = threads(second);
    await second.open('src/store.ts', STORE);
    expect(await second.titles('src/store.ts')).toEqual([expect.stringContaining('7: ')]);
    expect(threads(second)).toBe(resting);
    await second.edit('src/store.ts', `\n${STORE}`);
    expect(await second.titles('src/store.ts')).toEqual([expect.stringContaining('8: ')]);
    expect(threads(second)).toBeGreaterThan(resting);
    await second.end();
  });
});

function threads({ process: { pid } }: EditorClient): number {
  return readdirSync(`/proc/${pid}/task`).length;
}

function openStores({ process: { pid } }: EditorClient): string[] {
  const descriptors = readdirSync(`/proc/${pid}/fd`);
  return descriptors.map((one) => readlinkSync(`/proc/${pid}/fd/${one}`)).filter((path) => path.includes('.svc/'));
}

it('rests in little memory after work, a long one included', async () => {
  await withEditor(async (editor) => {
    await editor.open('src/store.ts', STORE);
    await editor.call('memory_store', { content: 'Kept', kind: 'decision', entities: ['open'] });
    for (let i = 0; i < 20; i += 1) {
      await editor.edit('src/store.ts', `${'\n'.repeat(i)}${STORE}`);
      await editor.titles('src/store.ts');
      await editor.hover('src/store.ts', 6 + i, 18);
    }
    await editor.request('svc/recallPreview', { folder: editor.uri('.'), query: 'kept', budgetTokens: 500 });
    const nodes = Array.from({ length: IMPORTED }, (_, i) => ({
      ...{ content: `The part number ${i} is made of ${i * 7} others`, kind: 'fact', entities: [`part ${i % 500}`] },
    }));
    await editor.call('memory_import', { nodes });
    const most = residentMebibytes(editor);
    const deadline = performance.now() + REST_MS;
    while (residentMebibytes(editor) >= MOST_MEBIBYTES && performance.now() < deadline) {
      await new Promise((done) => setTimeout(done, 100));
    }
    expect(most).toBeGreaterThan(0);
    expect(residentMebibytes(editor)).toBeLessThan(MOST_MEBIBYTES);
  });
});

function residentMebibytes({ process: { pid } }: EditorClient): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
