import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type EditorClient, STORE_SOURCE as STORE, withEditor } from '../support/editor-client';

const CHANGED = STORE.replace("'main'", "'other'");

function tellOf(editor: EditorClient, ...changes: readonly (readonly [path: string, type: 1 | 2 | 3])[]) {
  return editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: changes.map(([path, type]) => ({ uri: editor.uri(path), type })),
  });
}

/** All that a tab says of the function `open`, whose head is line 7. */
async function saidOf(editor: EditorClient, path: string) {
  return {
    lenses: await editor.titles(path),
    hover: (await editor.hover(path, 6, 18))?.split('\n')[0],
    line: (await editor.request('svc/lineDecision', { file: editor.uri(path), line: 8 }))?.text,
    problems: editor.diagnostics(path).length,
  };
}

const NOTHING = { lenses: [], hover: undefined, line: undefined, problems: 0 };
const IN_DOUBT = {
  lenses: ['7: $(warning) 1 memory may be out of date'],
  hover: '**Decision:** One file',
  line: 'May be out of date: One file',
  problems: 1,
};
const AS_DECIDED = {
  lenses: ['7: $(bookmark) Decided: One file'],
  hover: '**Decision:** One file',
  line: 'Decided: One file',
  problems: 0,
};

it('a tab whose file is not there any more says nothing, until the file is back', async () => {
  await withEditor(
    async (editor) => {
      const [before, after] = ['src/store.ts', 'src/stores.ts'];
      const move = (from: string, to: string): void => renameSync(join(editor.folder, from), join(editor.folder, to));
      const says = (path: string, wanted: object) =>
        editor.until(`${path}: ${JSON.stringify(wanted)}`, async () =>
          JSON.stringify(await saidOf(editor, path)) === JSON.stringify(wanted) ? true : undefined,
        );
      let redrawn = 0;
      editor.connection.onNotification('svc/lensesChanged', () => {
        redrawn += 1;
      });
      await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });

      // Another branch has it under another name, and the tab has an edit of its own.
      await editor.open(before, CHANGED);
      await says(before, IN_DOUBT);
      move(before, after);
      const seen = redrawn;
      await tellOf(editor, [before, 3], [after, 1]);
      await editor.until('the window is told', () => redrawn > seen || undefined);
      await says(before, NOTHING);
      await editor.open(after, STORE);
      await says(after, AS_DECIDED);
      expect(await editor.request('svc/folderState', { folder: editor.uri('.') })).toMatchObject({ stale: 0 });

      // The branch is switched back.
      move(after, before);
      await tellOf(editor, [before, 1], [after, 3]);
      await says(after, NOTHING);
      await says(before, IN_DOUBT);

      // What was moved is changed there, while the tab has it as it was.
      await editor.edit(before, STORE);
      await says(before, AS_DECIDED);
      move(before, after);
      writeFileSync(join(editor.folder, after), CHANGED);
      await tellOf(editor, [before, 3], [after, 1], [after, 2]);
      await says(before, NOTHING);

      // The tab is saved, which makes its file again.
      writeFileSync(join(editor.folder, before), STORE);
      await editor.save(before);
      await says(before, AS_DECIDED);
    },
    { settings: { ownLenses: true, diagnostics: { enabled: true } } },
  );
});

it('a file that is saved by putting another one in its place keeps what stands on it', async () => {
  await withEditor(async (editor) => {
    await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
    await editor.open('src/store.ts', STORE);
    const file = join(editor.folder, 'src/store.ts');
    renameSync(file, `${file}~`);
    expect(await editor.titles('src/store.ts')).toEqual([]);
    writeFileSync(file, STORE);
    expect(await editor.titles('src/store.ts')).toEqual(AS_DECIDED.lenses);
    await tellOf(editor, ['src/store.ts', 3], ['src/store.ts', 1]);
    expect(await editor.titles('src/store.ts')).toEqual(AS_DECIDED.lenses);
  });
});
