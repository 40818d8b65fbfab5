import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withEditor } from '../support/editor-client';

/** Of SQLite, in bytes. */
const PAGE = 4_096;
const STORE = { content: 'kept', kind: 'fact' };

test('a store that is deleted while the editor has it open is reported at once, and no new one takes its place', () =>
  withEditor(async (editor, project) => {
    const folder = editor.uri('.');
    await editor.call('memory_start_session', { name: 'Mending the importer' });
    await editor.call('memory_store', STORE);
    const told = editor.changes.length;
    await rm(project.path('.svc'), { recursive: true });
    await editor.until('a change to be told', () =>
      editor.changes.slice(told).find(({ what }) => what.includes('memory')),
    );
    const { problem } = await editor.request('svc/folderState', { folder });
    expect(problem).toMatch(/was deleted while it was open.*"svc-memory restore-backup rescued-/);
    for (const tool of ['memory_store', 'memory_stats']) {
      const answer = await editor.callTool(tool, tool === 'memory_store' ? STORE : {});
      expect(answer).toEqual({ ok: false, error: { code: 'unavailable', message: problem } });
    }
    const backups = join(project.home, '.svc', 'backups');
    const [id = ''] = await readdir(backups);
    const [rescued = ''] = (await readdir(join(backups, id))).filter((name) => name.startsWith('rescued-'));
    await mkdir(project.path('.svc'));
    await copyFile(join(backups, id, rescued), project.path('.svc', 'copy.db'));
    const before = editor.changes.length;
    await rename(project.path('.svc', 'copy.db'), project.path('.svc', 'memory.db'));
    await editor.until('it to be told', () => editor.changes.slice(before).find(({ what }) => what.includes('memory')));
    expect(await editor.call<object>('memory_stats')).toMatchObject({ kind_counts: { fact: 1 } });
    // The session of the editor goes on.
    const then = await editor.request('svc/folderState', { folder });
    expect(then).toMatchObject({ problem: null, session: { name: 'Mending the importer' } });
  }));

test('a store that was restored and is deleted then is reported, though no session of the editor is in it', () =>
  withEditor(async (editor, project) => {
    const folder = editor.uri('.');
    const state = () => editor.request('svc/folderState', { folder });
    await editor.call('memory_store', STORE);
    expect(await project.run(['backup'])).toMatchObject({ status: 0 });
    expect(await project.run(['restore-backup', '--yes'])).toMatchObject({ status: 0 });
    expect(await state()).toMatchObject({ problem: null, lost: null });
    await rm(project.path('.svc'), { recursive: true });
    const { problem, lost } = await state();
    expect(problem).toMatch(/was deleted while it was open/);
    expect(lost).toMatch(/was deleted while .* is kept in the backup \S+\.$/);
    expect(await project.run(['restore-backup', '--yes'])).toMatchObject({ status: 0 });
    await editor.until('it to be there', async () => ((await state()).problem === null ? true : undefined));
    expect(await editor.call<object>('memory_stats')).toMatchObject({ kind_counts: { fact: 1 } });
  }));

test('a store that is missing where there are backups of it, or is damaged, is reported as lost', () =>
  withEditor(async (editor, project) => {
    const folder = editor.uri('.');
    const state = () => editor.request('svc/folderState', { folder });
    expect(await project.run(['store', 'kept', '--kind', 'fact'])).toMatchObject({ status: 0 });
    expect(await project.run(['backup'])).toMatchObject({ status: 0 });
    await rm(project.path('.svc'), { recursive: true });
    expect(await state()).toMatchObject({
      problem: null,
      lost: expect.stringMatching(/memory\.db no longer exists/),
    });
    await mkdir(project.path('.svc'));
    await writeFile(project.path('.svc', 'memory.db'), 'This is no database.\n'.repeat(200));
    const { problem, lost } = await state();
    expect(problem).toMatch(/is damaged .*"svc-memory restore-backup --list" shows the backups/);
    expect(lost).toMatch(/memory\.db is damaged or is not a SQLite database\.$/);
  }));

test('a store that is written over with what is no database is reported as damaged, though nothing is read', () =>
  withEditor(async (editor, project) => {
    const folder = editor.uri('.');
    await editor.call('memory_store', STORE);
    // What was stored is in the file by then.
    await editor.until('the log to be empty', async () =>
      (await stat(project.path('.svc', 'memory.db-wal'))).size === 0 ? true : undefined,
    );
    const told = editor.changes.length;
    await writeFile(project.path('.svc', 'memory.db'), 'This is no database.\n'.repeat(500));
    await editor.until('it to be told', () => editor.changes.slice(told).find(({ what }) => what.includes('memory')));
    expect(await editor.request('svc/folderState', { folder })).toMatchObject({
      problem: expect.stringMatching(/is damaged/),
      lost: expect.stringMatching(/is damaged/),
    });
  }));

test('damage that a call has met is told from then on, in words that ask for no command line, until a backup is restored', () =>
  withEditor(async (editor, project) => {
    const folder = editor.uri('.');
    const state = () => editor.request('svc/folderState', { folder });
    const nodes = Array.from({ length: 80 }, (_, i) => ({
      content: `word${i}zz ${'some text '.repeat(100)}`,
      kind: 'fact',
    }));
    await writeFile(project.path('nodes.json'), JSON.stringify(nodes));
    expect(await project.run(['import', 'nodes.json'])).toMatchObject({ status: 0 });
    expect(await project.run(['backup'])).toMatchObject({ status: 0 });
    const file = project.path('.svc', 'memory.db');
    const bytes = await readFile(file);
    const handle = await open(file, 'r+');
    for (let at = 0; at < bytes.length; at += PAGE) {
      const page = bytes.subarray(at, at + PAGE);
      // The index of words, which nothing but a search reads.
      const isIndex = page.includes('zz') && !page.includes('some text some');
      if (isIndex) await handle.write(Buffer.alloc(PAGE, 'x'), 0, PAGE, at);
    }
    await handle.close();
    expect(await state()).toMatchObject({ problem: null, lost: null });
    const told = editor.changes.length;
    const answer = await editor.callTool('memory_recall', { query: 'word7zz' });
    expect(answer).toEqual({
      ok: false,
      error: { code: 'unavailable', message: expect.stringMatching(/is damaged or is not a SQLite database\.$/) },
    });
    await editor.until('it to be told', () => editor.changes.slice(told).find(({ what }) => what.includes('memory')));
    expect(await state()).toMatchObject({
      problem: expect.stringMatching(/is damaged/),
      lost: expect.stringMatching(/is damaged or is not a SQLite database\.$/),
    });
    expect(await project.run(['restore-backup', '--yes'])).toMatchObject({ status: 0 });
    await editor.until('it to be whole', async () => ((await state()).problem === null ? true : undefined));
  }));

test('takes back nothing of what others did under a number that was its own before a restore', () =>
  withEditor(async (editor, project) => {
    const one = await editor.callTool('memory_store', { content: 'Before', kind: 'fact' });
    await project.ok('backup');
    const two = await editor.callTool('memory_store', { content: 'Lost with the restore', kind: 'fact' });
    if (!one.ok || !two.ok) throw new Error('nothing was stored');
    await project.ok('restore-backup', '--yes');
    await project.ok('store', 'By another program', '--kind', 'fact');
    const contents = async () =>
      (await editor.call<{ content: string }[]>('nodes', { kinds: ['fact'] })).map(({ content }) => content).sort();
    expect(await contents()).toEqual(['Before', 'By another program']);
    const history = await editor.call<{ events: { operation: number }[] }>('history', {
      id: (await editor.call<{ id: string }[]>('nodes', { letters: 'another program' }))[0]?.id,
    });
    expect(history.events[0]?.operation).toBe(two.operation);
    for (const _ of ['once', 'again']) {
      expect(await editor.callTool('undo', { operation: two.operation })).toMatchObject({
        ok: false,
        error: { code: 'conflict', message: expect.stringContaining('The store was replaced since') },
      });
    }
    expect(await contents()).toEqual(['Before', 'By another program']);
    // What was done before it still is what it was.
    expect(await editor.callTool('undo', { operation: one.operation })).toMatchObject({ ok: true });
    expect(await contents()).toEqual(['By another program']);
    // Read from the history, the number is what it is there.
    const read = { folder: editor.uri('.'), name: 'undo', arguments: { operation: two.operation }, isRead: true };
    expect(await editor.request('svc/callTool', read)).toMatchObject({ ok: true });
    expect(await contents()).toEqual([]);
  }));
