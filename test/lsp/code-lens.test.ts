import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withCodeProject } from '../support/code-project';
import { STORE_SOURCE as STORE, startEditor, withEditor } from '../support/editor-client';

describe('a CodeLens', () => {
  it('stands on functions and classes that have memories, and says how many of which kind', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
      await editor.call('memory_store', { content: 'Named main', kind: 'decision', entities: ['open()'] });
      await editor.call('memory_store', { content: 'It is slow', kind: 'fact', entities: ['open()', 'Store'] });
      await editor.open('src/store.ts', STORE);
      expect(await editor.titles('src/store.ts')).toEqual(['1: 1 fact', '7: 2 decisions · 1 fact']);
      await editor.open('src/other.ts', 'export const one = () => 1;\n');
      expect(await editor.lenses('src/other.ts')).toEqual([]);
    });
  });

  it('resolves to the command that shows them, with all that it needs', async () => {
    await withEditor(async (editor) => {
      const { node_id } = await editor.call<{ node_id: string }>('memory_store', {
        ...{ content: 'One file', kind: 'decision', entities: ['open()'] },
      });
      await editor.open('src/store.ts', STORE);
      const [lens] = await editor.lenses('src/store.ts');
      expect(lens?.command).toBeUndefined();
      expect(await editor.connection.sendRequest('codeLens/resolve', lens)).toMatchObject({
        command: {
          command: 'agentMemory.showSymbolMemories',
          arguments: [
            { folder: editor.uri('.'), file: editor.uri('src/store.ts'), symbol: 'open', nodeIds: [node_id] },
          ],
        },
      });
    });
  });

  it('follows text that is not saved, and says what became of the symbol', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
      await editor.open('src/store.ts', STORE);
      await editor.edit('src/store.ts', `// a line\n// another\n${STORE}`);
      expect(await editor.titles('src/store.ts')).toEqual(['9: 1 decision']);
      await editor.edit('src/store.ts', STORE.replace("'main'", "'other'"));
      expect(await editor.titles('src/store.ts')).toEqual(['7: 1 decision · stale (changed)']);
      await editor.edit('src/store.ts', STORE.replaceAll('open()', 'connectNow()'));
      expect(await editor.titles('src/store.ts')).toEqual(['7: 1 decision']);
      await editor.edit('src/store.ts', STORE);
      expect(await editor.titles('src/store.ts')).toEqual(['7: 1 decision']);
    });
  });

  it('is of the namespace that the editor is in', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'Here', kind: 'fact', entities: ['open()'] });
      await editor.call('memory_store', { content: 'There', kind: 'procedure', entities: ['open()'] }, 'other');
      await editor.open('src/store.ts', STORE);
      expect(await editor.titles('src/store.ts')).toEqual(['7: 1 fact']);
      await editor.configure({ folders: { [editor.uri('.')]: { namespace: 'other' } } });
      expect(await editor.titles('src/store.ts')).toEqual(['7: 1 procedure']);
    });
  });

  it('can be switched off, and for single kinds', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
      await editor.call('memory_store', { content: 'Slow', kind: 'fact', entities: ['open()', 'Store'] });
      await editor.open('src/store.ts', STORE);
      await editor.configure({ codeLens: { kinds: ['decision'] } });
      expect(await editor.titles('src/store.ts')).toEqual(['7: 1 decision']);
      await editor.configure({ codeLens: { enabled: false } });
      expect(await editor.titles('src/store.ts')).toEqual([]);
    });
  });

  it('tells what is remembered of the file from what is remembered of its first function', async () => {
    await withEditor(async (editor) => {
      const source = 'export function first() {}\n';
      writeFileSync(join(editor.folder, 'first.ts'), source);
      await editor.request('svc/indexFile', { files: [editor.uri('first.ts')] });
      await editor.call('memory_store', { content: 'Of both', kind: 'fact', entities: ['first', 'first.ts'] });
      await editor.open('first.ts', source);
      expect((await editor.titles('first.ts')).sort()).toEqual(['1: 1 fact', '1: File: 1 fact']);
    });
  });

  it('is not there without a store, without a graph, and for what is no file', async () => {
    await withCodeProject({ 'src/store.ts': STORE }, async (project) => {
      const editor = await startEditor(project);
      try {
        await editor.open('src/store.ts', STORE);
        expect(await editor.titles('src/store.ts')).toEqual([]);
        await project.ok('store', 'One file', '--kind', 'fact', '--entities', 'open()');
        expect(await editor.titles('src/store.ts')).toEqual([]);
        const untitled = { textDocument: { uri: 'untitled:Untitled-1' } };
        expect(await editor.connection.sendRequest('textDocument/codeLens', untitled)).toEqual([]);
      } finally {
        await editor.end();
      }
    });
  });
});
