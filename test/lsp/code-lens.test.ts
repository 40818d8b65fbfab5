import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withCodeProject } from '../support/code-project';
import { STORE_SOURCE as STORE, startEditor, withEditor } from '../support/editor-client';
import { openSqlite } from '../support/sqlite';

describe('a CodeLens', () => {
  it('stands where there is a decision, and says the newest one and how many memories there are more', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
      await editor.call('memory_store', { content: 'Named main', kind: 'decision', entities: ['open()'] });
      await editor.call('memory_store', { content: 'It is slow', kind: 'fact', entities: ['open()', 'Store'] });
      await editor.configure({ codeLens: { kinds: ['decision'] } });
      await editor.open('src/store.ts', STORE);
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: Named main · 2 more']);
      await editor.open('src/other.ts', 'export const one = () => 1;\n');
      expect(await editor.lenses('src/other.ts')).toEqual([]);
    });
  });

  it('comes with the command that shows them, with all that it needs', async () => {
    await withEditor(async (editor) => {
      const { node_id } = await editor.call<{ node_id: string }>('memory_store', {
        ...{ content: 'One file', kind: 'decision', entities: ['open()'] },
      });
      await editor.open('src/store.ts', STORE);
      const [lens] = await editor.lenses('src/store.ts');
      expect(lens).toMatchObject({
        command: {
          command: 'agentMemory.showSymbolMemories',
          arguments: [
            { folder: editor.uri('.'), file: editor.uri('src/store.ts'), symbol: 'open', nodeIds: [node_id] },
          ],
        },
      });
    });
  });

  it('is said on the lines of its code as well, where the lens does not say it already', async () => {
    await withEditor(async (editor) => {
      const store = (content: string, kind: string, entity: string) =>
        editor.call('memory_store', { content, kind, entities: [entity] });
      await store('One file', 'decision', 'open()');
      await store('It is slow', 'fact', 'open()');
      await store('Keys are text', 'decision', 'Store');
      await store('All in one', 'decision', 'src/store.ts');
      const at = async (line: number): Promise<string | undefined> =>
        (await editor.request('svc/lineDecision', { file: editor.uri('src/store.ts'), line }))?.text;
      await editor.open('src/store.ts', STORE);
      expect(await at(7)).toBeUndefined();
      expect(await at(8)).toBe('Decided: One file');
      expect(await at(6)).toBeUndefined();
      expect(await at(3)).toBe('Decided: Keys are text');
      await editor.configure({ codeLens: { enabled: false } });
      expect(await at(7)).toBe('Decided: One file');
      await editor.edit('src/store.ts', STORE.replace("'main'", "'other'"));
      expect(await at(8)).toBe('May be out of date: One file');
      expect(await at(3)).toBe('Decided: Keys are text');
    });
  });

  it('follows text that is not saved, and says how many memories may be out of date', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
      await editor.open('src/store.ts', STORE);
      await editor.edit('src/store.ts', `// a line\n// another\n${STORE}`);
      expect(await editor.titles('src/store.ts')).toEqual(['9: $(bookmark) Decided: One file']);
      await editor.edit('src/store.ts', STORE.replace("'main'", "'other'"));
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(warning) 1 memory may be out of date']);
      await editor.edit('src/store.ts', STORE.replaceAll('open()', 'connectNow()'));
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: One file']);
      await editor.edit('src/store.ts', STORE);
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: One file']);
    });
  });

  it('counts all that is in doubt, of whatever kind, and shows it first', async () => {
    await withEditor(async (editor) => {
      const store = (content: string, kind: string) =>
        editor.call<{ node_id: string }>('memory_store', { content, kind, entities: ['open()'] });
      const first = await store('It is slow', 'fact');
      const second = await store('It is called once', 'outcome');
      await editor.configure({ codeLens: { kinds: ['decision'] } });
      await editor.open('src/store.ts', STORE);
      expect(await editor.titles('src/store.ts')).toEqual([]);
      const changed = STORE.replace("'main'", "'other'");
      await editor.edit('src/store.ts', changed);
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(warning) 2 memories may be out of date']);
      writeFileSync(join(editor.folder, 'src/store.ts'), changed);
      await editor.call('memory_verify', { node_id: first.node_id, status: 'confirm' });
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(warning) 1 memory may be out of date']);
      const [lens] = await editor.lenses('src/store.ts');
      expect(lens).toMatchObject({
        command: { arguments: [{ nodeIds: [second.node_id, first.node_id] }] },
      });
    });
  });

  it('says no decision that nobody has looked at, and draws nothing out of stored text', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: '$(zap) One\nfile', kind: 'decision', entities: ['open()'] });
      await editor.open('src/store.ts', STORE);
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: \\$(zap) One file']);
      const sqlite = await openSqlite(join(editor.folder, '.svc', 'memory.db'));
      await sqlite.all(`UPDATE mem_nodes SET standing = 'proposed' WHERE kind = 'decision'`);
      await sqlite.close();
      await editor.call('memory_store', { content: 'Another', kind: 'fact', entities: ['Store'] });
      await editor.until('the number', async () =>
        (await editor.titles('src/store.ts')).includes('7: $(bookmark) 1 proposed memory') ? true : undefined,
      );
    });
  });

  it('says of all that is gone from a file at once', async () => {
    await withEditor(async (editor) => {
      for (const entity of ['open()', 'Store', 'Store.get']) {
        await editor.call('memory_store', { content: `Of ${entity}`, kind: 'fact', entities: [entity] });
      }
      await editor.open('src/store.ts', STORE);
      await editor.edit('src/store.ts', STORE.slice(0, STORE.indexOf('export function open')));
      expect(await editor.titles('src/store.ts')).toContain('1: $(warning) 1 memory may be out of date');
      await editor.edit('src/store.ts', '// Nothing.\n');
      expect(await editor.titles('src/store.ts')).toEqual(['1: $(warning) File: 3 memories may be out of date']);
      expect((await editor.lenses('src/store.ts'))[0]?.command?.arguments).toMatchObject([{ symbol: 'store.ts' }]);
    });
  });

  it('takes no fact for the decision that is proposed beside it', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'It is slow', kind: 'fact', entities: ['open()'] });
      await editor.call('memory_import', {
        nodes: [{ kind: 'decision', content: 'Two files', entities: ['open()'], standing: 'proposed' }],
      });
      await editor.open('src/store.ts', STORE);
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) 1 memory · 1 proposed']);
      const at = { file: editor.uri('src/store.ts'), line: 8 };
      expect(await editor.request('svc/lineDecision', at)).toBeNull();
      const shown = async (kind: string): Promise<string | undefined> => {
        await editor.configure({ hover: { kinds: [kind] } });
        return (await editor.hover('src/store.ts', 6, 18))?.split('\n')[0];
      };
      expect(await shown('decision')).toBe('**Decision:** Two files · proposed');
      expect(await shown('fact')).toBe('**Fact:** It is slow');
    });
  });

  it('says the newest decision, also where it was made on another text of the function', async () => {
    await withEditor(async (editor) => {
      const decide = async (content: string, text: string): Promise<string> => {
        writeFileSync(join(editor.folder, 'src/store.ts'), text);
        const input = { content, kind: 'decision', entities: ['open()'] };
        return (await editor.call<{ node_id: string }>('memory_store', input)).node_id;
      };
      const confirm = (node_id: string) => editor.call('memory_verify', { node_id, status: 'confirm' });
      const first = await decide('One file', STORE);
      const second = await decide('Two files', STORE.replace("'main'", "'other'"));
      await confirm(first);
      await decide('Three files', STORE);
      await confirm(second);
      await editor.open('src/store.ts', STORE);
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: Three files · 2 more']);
    });
  });

  it('says the newest decision that does not wait for a person', async () => {
    await withEditor(async (editor) => {
      const kept = { content: 'One file', kind: 'decision', entities: ['open()'] };
      await editor.call('memory_store', kept);
      await editor.configure({ keep: 'propose' });
      const later = { content: 'Two files', kind: 'decision', entities: ['open()'] };
      await editor.request('svc/callTool', {
        ...{ folder: editor.uri('.'), name: 'memory_store', arguments: later, agent: 'Chat' },
      });
      await editor.open('src/store.ts', STORE);
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: One file · 1 proposed']);
      const file = editor.uri('src/store.ts');
      expect(await editor.request('svc/lineDecision', { file, line: 8 })).toEqual({ text: 'Decided: One file' });
    });
  });

  it('is of the namespace that the editor is in', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'Here', kind: 'decision', entities: ['open()'] });
      await editor.call('memory_store', { content: 'There', kind: 'decision', entities: ['open()'] }, 'other');
      await editor.open('src/store.ts', STORE);
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: Here']);
      await editor.configure({ folders: { [editor.uri('.')]: { namespace: 'other' } } });
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: There']);
    });
  });

  it('is left to a window that offers lenses itself, which is told when they change', async () => {
    await withEditor(
      async (editor) => {
        expect(editor.capabilities.codeLensProvider).toBeUndefined();
        let told = 0;
        editor.connection.onNotification('svc/lensesChanged', () => {
          told += 1;
        });
        await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
        await editor.open('src/store.ts', STORE);
        await editor.until('the window is told', () => (told > 0 ? true : undefined));
        expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: One file']);
      },
      { settings: { ownLenses: true } },
    );
  });

  it('can be switched off, and for single kinds', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
      await editor.call('memory_store', { content: 'Slow', kind: 'fact', entities: ['open()', 'Store'] });
      await editor.open('src/store.ts', STORE);
      await editor.configure({ codeLens: { kinds: ['decision'] } });
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: One file · 1 more']);
      await editor.configure({ codeLens: { kinds: ['fact'] } });
      expect(await editor.titles('src/store.ts')).toEqual(['1: $(bookmark) 1 memory', '7: $(bookmark) 2 memories']);
      await editor.configure({ codeLens: { enabled: false } });
      expect(await editor.titles('src/store.ts')).toEqual([]);
    });
  });

  it('tells what is remembered of the file from what is remembered of its first function', async () => {
    await withEditor(async (editor) => {
      const source = 'export function first() {}\n';
      writeFileSync(join(editor.folder, 'first.ts'), source);
      await editor.request('svc/indexFile', { files: [editor.uri('first.ts')] });
      await editor.configure({ codeLens: { kinds: ['fact'] } });
      await editor.call('memory_store', { content: 'Of both', kind: 'fact', entities: ['first', 'first.ts'] });
      await editor.open('first.ts', source);
      expect((await editor.titles('first.ts')).sort()).toEqual([
        '1: $(bookmark) 1 memory',
        '1: $(bookmark) File: 1 memory',
      ]);
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
