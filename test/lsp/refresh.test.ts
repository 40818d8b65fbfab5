import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Review } from '../../src/protocol/tool-values';
import { withCodeProject } from '../support/code-project';
import { STORE_SOURCE as STORE, startEditor, withEditor } from '../support/editor-client';
import { gitIn } from '../support/git-in';

it('what another process stores is told, and is on the code', async () => {
  await withEditor(async (editor, project) => {
    await editor.open('src/store.ts', STORE);
    expect(await editor.titles('src/store.ts')).toEqual([]);
    await editor.request('svc/folderState', { folder: editor.uri('.') });
    const agent = await project.memoryServer();
    await agent.call('memory_store', { content: 'From an agent', kind: 'decision', entities: ['open()'] });
    const change = await editor.until('the change', () => editor.changes.find(({ what }) => what.includes('memory')));
    expect(change.folder).toBe(editor.uri('.'));
    expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: From an agent']);
    const [own] = await editor.call<{ id: string }[]>('nodes', { kinds: ['decision'] });
    await editor.call('share', { node_ids: [own?.id] });
    // In its file it is as good a decision.
    expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: From an agent']);
    const line = { file: editor.uri('src/store.ts'), line: 8 };
    expect(await editor.request('svc/lineDecision', line)).toEqual({ text: 'Decided: From an agent' });
    // As a pull brings it.
    await project.write(
      '.svc/memories/one.md',
      '---\nabout: open()\n---\n# From a file\n\n## Decision\n\nFrom a file\n',
    );
    const isShown = async () =>
      (await editor.titles('src/store.ts')).join().includes('Decided: From a file · 1 more') || undefined;
    await editor.until('the shared memory', isShown);
    await project.remove('.svc/memories/one.md');
    await editor.until('its end', async () => !(await isShown()) || undefined);
  });
});

it('an edit outside of the editor changes the verdict, the badge and the count of stale memories', async () => {
  await withEditor(async (editor, project) => {
    const { node_id } = await editor.call<{ node_id: string }>('memory_store', {
      ...{ content: 'One file', kind: 'decision', entities: ['open()'] },
    });
    const folder = editor.uri('.');
    expect(await editor.request('svc/decorations', { folder })).toEqual([]);
    await project.write('src/store.ts', STORE.replace("'main'", "'other'"));
    const uri = editor.uri('src/store.ts');
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
    await editor.until('the review', () => editor.changes.find(({ what }) => what.includes('review')));
    expect(await editor.request('svc/decorations', { folder })).toEqual([
      { uri, changed: 1, gone: 0, changes: ['function open changed'] },
    ]);
    expect(await editor.request('svc/folderState', { folder })).toMatchObject({ stale: 1, problem: null });
    await editor.call('memory_verify', { node_id, status: 'confirm' });
    await editor.until('the badge to go', async () =>
      (await editor.request('svc/decorations', { folder })).length === 0 ? true : undefined,
    );
  });
});

it('a proposal whose code changes is asked about once, as a proposal, and may be out of date when it is kept', async () => {
  await withEditor(async (editor, project) => {
    const { node_ids } = await editor.call<{ node_ids: string[] }>('memory_import', {
      nodes: [{ kind: 'decision', content: 'One file', entities: ['open()'], standing: 'proposed' }],
    });
    await editor.configure({ codeLens: { kinds: ['decision'] } });
    const changed = STORE.replace("'main'", "'other'");
    await project.write('src/store.ts', changed);
    const uri = editor.uri('src/store.ts');
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
    await editor.open('src/store.ts', changed);
    type Checked = { readonly stale_nodes: readonly object[]; readonly queued: boolean };
    const waiting = async () => {
      const { stale_nodes, queued } = await editor.call<Checked>('memory_verify_staleness');
      const { entries, proposals } = await editor.call<Review>('review');
      const { stale, proposed } = await editor.request('svc/folderState', { folder: editor.uri('.') });
      const [lens] = await editor.titles('src/store.ts');
      return { checked: stale_nodes, queued, stale, proposed, lens, listed: [entries.length, proposals.length] };
    };
    expect(await waiting()).toEqual({
      checked: [expect.objectContaining({ verdict: 'changed', proposed: true })],
      ...{ queued: false, stale: 0, proposed: 1, lens: '7: $(bookmark) 1 proposed memory', listed: [0, 1] },
    });
    // Who is to keep it learns what became of its code.
    const hover = (await editor.hover('src/store.ts', 6, 18)) ?? '';
    expect(hover).toContain('_open was **changed** after this memory was stored._');
    expect(hover.match(/command:[\w.]+/g)).toEqual(['command:agentMemory.openMemory']);
    const { proposals } = await editor.call<Review>('review');
    expect(proposals.map(({ node }) => node.marks)).toEqual([['proposed', 'code changed']]);
    const later = await editor.call<{ node_ids: string[] }>('memory_import', {
      nodes: [{ kind: 'decision', content: 'Three files', entities: ['open()'], standing: 'proposed' }],
    });
    expect(await editor.hover('src/store.ts', 6, 18)).toMatch(
      /^\*\*Decision:\*\* Three files · proposed\n\n(?!.*changed)/,
    );
    await editor.call('settle', { action: 'drop', node_id: later.node_ids[0] });
    await editor.call('settle', { action: 'keep', node_id: node_ids[0] });
    expect(await waiting()).toEqual({
      checked: [expect.not.objectContaining({ proposed: true })],
      ...{ queued: true, stale: 1, proposed: 0, lens: '7: $(warning) 1 memory may be out of date', listed: [1, 0] },
    });
  });
});

it('a memory about a whole file calls nobody when a line of it changes, but when the file is gone', async () => {
  await withEditor(async (editor, project) => {
    await editor.call('memory_store', { content: 'It opens stores', kind: 'fact', entities: ['src/store.ts'] });
    await editor.configure({ codeLens: { kinds: ['fact'] } });
    const state = () => editor.request('svc/folderState', { folder: editor.uri('.') });
    const uri = editor.uri('src/store.ts');
    const counted = async (wanted: { stale: number; stale_files: number }, type: number): Promise<void> => {
      await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type }] });
      await editor.until('the count', async () => {
        const { stale, stale_files } = await state();
        return (stale === wanted.stale && stale_files === wanted.stale_files) || undefined;
      });
    };
    expect(await state()).toMatchObject({ stale: 0, stale_files: 0 });
    const changed = STORE.replace("'main'", "'other'");
    await project.write('src/store.ts', changed);
    await counted({ stale: 0, stale_files: 1 }, 2);
    await editor.open('src/store.ts', changed);
    expect(await editor.titles('src/store.ts')).toEqual(['1: $(bookmark) File: 1 memory']);
    const marks = () => editor.request('svc/decorations', { folder: editor.uri('.') });
    expect(await marks()).toEqual([]);
    await editor.close('src/store.ts');
    await project.remove('src/store.ts');
    await counted({ stale: 1, stale_files: 0 }, 3);
    expect(await marks()).toMatchObject([{ uri, gone: 1 }]);
  });
});

it('a renamed file keeps its memories, which are shown there', async () => {
  await withEditor(async (editor, project) => {
    await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
    await project.write('lib/kept.ts', STORE);
    await project.remove('src/store.ts');
    const files = [{ oldUri: editor.uri('src/store.ts'), newUri: editor.uri('lib/kept.ts') }];
    await editor.connection.sendNotification('workspace/didRenameFiles', { files });
    await editor.open('lib/kept.ts', STORE);
    const titles = await editor.until('the lens in the new file', async () => {
      const found = await editor.titles('lib/kept.ts');
      return found.length > 0 ? found : undefined;
    });
    expect(titles).toEqual(['7: $(bookmark) Decided: One file']);
    // It is the same function: nobody has to look at it.
    expect(await editor.request('svc/decorations', { folder: editor.uri('.') })).toEqual([]);
  });
});

it('a function that is renamed, edited and cut out, each saved or committed, has its lens where it is put', async () => {
  await withEditor(async (editor, project) => {
    const [git, path, there] = [gitIn(project.folder), 'src/store.ts', 'src/open.ts'];
    const commit = (): void => {
      git('add', 'src');
      git('commit', '-m', 'next');
    };
    rmSync(project.path('.git'), { recursive: true });
    git('init', '--initial-branch=main');
    commit();
    const saved = async (file: string, text: string): Promise<void> => {
      await project.write(file, text);
      await editor.request('svc/indexFile', { files: [editor.uri(file)] });
    };
    await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
    await editor.request('svc/decorations', { folder: editor.uri('.') });
    const renamed = STORE.replaceAll('open()', 'openFile()');
    const edited = renamed.replace("'main'", "'other'");
    for (const text of [renamed, edited]) {
      await saved(path, text);
      commit();
    }
    const [kept = '', cut = ''] = edited.split('\n\n');
    await saved(path, `${kept}\n`);
    await saved(there, cut);
    await editor.open(there, cut);
    await editor.until('the lens where it is', async () => {
      const titles = await editor.titles(there);
      return titles.join() === '1: $(warning) 1 memory may be out of date' || undefined;
    });
  });
});

it('what is saved is indexed: a function that is new can be remembered about at once', async () => {
  await withEditor(async (editor, project) => {
    const text = `${STORE}\nexport function brandNew() {\n  return 2;\n}\n`;
    await editor.open('src/store.ts', text);
    await project.write('src/store.ts', text);
    await editor.save('src/store.ts');
    await editor.request('svc/indexFile', { files: [editor.uri('src/store.ts')] });
    await editor.call('memory_store', { content: 'Young', kind: 'decision', entities: ['brandNew'] });
    expect(await editor.titles('src/store.ts')).toEqual(['11: $(bookmark) Decided: Young']);
  });
});

it('a checkout of many files is read in one turn', async () => {
  await withEditor(async (editor, project) => {
    await editor.request('svc/folderState', { folder: editor.uri('.') });
    const paths = Array.from({ length: 200 }, (_, i) => `src/many/file${i}.ts`);
    for (const path of paths) await project.write(path, `export function made${path.length}() {}\n`);
    const changes = paths.map((path) => ({ uri: editor.uri(path), type: 1 }));
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await editor.until('the graph to know them', async () => {
      const { files } = await editor.call<{ files: number }>('graph_status');
      return files === 202 ? true : undefined;
    });
    expect(editor.changes.filter(({ what }) => what.includes('graph')).length).toBeLessThan(5);
    expect(editor.errors()).toBe('');
  });
});

it('a store that appears later is found, and one that is replaced is opened again', async () => {
  await withCodeProject({ 'src/store.ts': STORE }, async (project) => {
    await rm(join(project.folder, '.svc'), { recursive: true });
    const editor = await startEditor(project);
    try {
      const folder = editor.uri('.');
      expect(await editor.request('svc/folderState', { folder })).toMatchObject({
        store: { exists: false },
        problem: null,
      });
      await project.ok('init');
      await project.ok('store', 'First', '--kind', 'fact');
      await editor.until('the store', () => editor.changes.find(({ what }) => what.includes('memory')));
      expect(await editor.call('nodes', { kinds: ['fact'] })).toHaveLength(1);
      await rm(join(project.folder, '.svc'), { recursive: true });
      await project.ok('init');
      expect(await editor.call('nodes', { kinds: ['fact'] })).toHaveLength(0);
    } finally {
      await editor.end();
    }
  });
});
