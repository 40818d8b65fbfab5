import { expect, it } from 'vitest';
import { STORE_SOURCE as STORE, withEditor } from '../support/editor-client';

const ON = { diagnostics: { enabled: true } };
const NAME_AT = STORE.split('\n')[6]?.indexOf('open(') ?? -1;
const CHANGED = STORE.replace("'main'", "'other'");

it('the mark stands on the name of a function, not on what is written above it', async () => {
  const PYTHON = 'import functools\n\n\n@functools.lru_cache\ndef load(path):\n    return open(path).read()\n';
  await withEditor(
    async (editor, project) => {
      await project.write('src/load.py', PYTHON);
      await project.build();
      await editor.call('memory_store', { content: 'Once', kind: 'decision', entities: ['src/load.py#load'] });
      const changed = PYTHON.replace('read()', 'readlines()');
      await project.write('src/load.py', changed);
      await editor.open('src/load.py', changed);
      const [marked] = await editor.until('the diagnostic', () =>
        editor.diagnostics('src/load.py').length > 0 ? editor.diagnostics('src/load.py') : undefined,
      );
      expect(marked?.range).toEqual({ start: { line: 4, character: 4 }, end: { line: 4, character: 8 } });
      const DECORATED = 'export class Page {\n  @on("click") open(at: number) {\n    return this.go(at);\n  }\n}\n';
      await project.write('src/page.ts', DECORATED);
      await project.build();
      await editor.call('memory_store', { content: 'Goes', kind: 'decision', entities: ['src/page.ts#Page.open'] });
      const gone = DECORATED.replace('this.go(at)', 'this.leave(at)');
      await project.write('src/page.ts', gone);
      await editor.open('src/page.ts', gone);
      const ranges = await editor.until('the other one', () =>
        editor.diagnostics('src/page.ts').length > 0 ? editor.diagnostics('src/page.ts') : undefined,
      );
      expect(ranges.map(({ range }) => range.start)).toEqual([{ line: 1, character: 15 }]);
    },
    { settings: ON },
  );
});

it('a symbol whose code changed is marked as information that leads to the memory, until it is confirmed', async () => {
  await withEditor(
    async (editor, project) => {
      const { node_id } = await editor.call<{ node_id: string }>('memory_store', {
        ...{ content: 'One file', kind: 'decision', entities: ['open()'] },
      });
      await project.write('src/store.ts', CHANGED);
      await editor.open('src/store.ts', CHANGED);
      const [marked] = await editor.until('the diagnostic', () =>
        editor.diagnostics('src/store.ts').length > 0 ? editor.diagnostics('src/store.ts') : undefined,
      );
      expect(marked).toMatchObject({
        // Under its name alone.
        range: { start: { line: 6, character: NAME_AT }, end: { line: 6, character: NAME_AT + 'open'.length } },
        severity: 3,
        source: 'Agent Memory',
        code: node_id,
        message: 'function open changed. Does this still hold? "One file"',
      });
      expect(marked?.codeDescription?.href).toMatch(/^command:agentMemory\.openMemory\?/);
      const fixes = await editor.quickFixes('src/store.ts', marked ? [marked] : []);
      const about = { folder: expect.stringMatching(/^file:/), namespace: 'default' };
      expect(fixes.map(({ title, command }) => [title, command?.command, command?.arguments])).toEqual([
        ['Show change, then and now', 'agentMemory.showChange', [{ ...about, nodeId: node_id }]],
        ['Its memory is still true', 'agentMemory.confirm', [{ ...about, nodeIds: [node_id] }]],
        ['Review memories one by one', 'agentMemory.startReview', []],
      ]);
      expect(await editor.quickFixes('src/store.ts', marked ? [{ ...marked, source: 'another' }] : [])).toEqual([]);
      await editor.configure({ ...ON, trusted: false });
      expect(await editor.quickFixes('src/store.ts', marked ? [marked] : [])).toEqual([]);
      await editor.configure(ON);
      await editor.call('memory_verify', { node_id, status: 'confirm' });
      await editor.until('it to go', () => (editor.diagnostics('src/store.ts').length === 0 ? true : undefined));
    },
    { settings: ON },
  );
});

it('follows unsaved text, tells of what is gone at the top, and can be switched off', async () => {
  await withEditor(
    async (editor) => {
      await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
      await editor.open('src/store.ts', STORE);
      await editor.edit('src/store.ts', 'export const nothing = 1;\n');
      const messages = (): readonly string[] =>
        editor.diagnostics('src/store.ts').map(({ message }) => String(message));
      await editor.until('the diagnostic', () =>
        messages()[0]?.startsWith('function open is gone') ? true : undefined,
      );
      const top = { line: 0, character: 0 };
      expect(editor.diagnostics('src/store.ts')[0]?.range).toEqual({ start: top, end: top });
      await editor.configure({ diagnostics: { enabled: false } });
      await editor.until('none', () => (messages().length === 0 ? true : undefined));
      await editor.configure(ON);
      await editor.until('it to come back', () => (messages().length === 1 ? true : undefined));
      await editor.close('src/store.ts');
      await editor.until('none when closed', () => (messages().length === 0 ? true : undefined));
    },
    { settings: ON },
  );
});

it('what is in doubt elsewhere, too, is not said to be still true where that is not seen', async () => {
  await withEditor(
    async (editor, project) => {
      const store = (content: string, ...entities: string[]) =>
        editor.call<{ node_id: string }>('memory_store', { content, kind: 'decision', entities });
      const both = await store('One file', 'open()', 'src/other.ts#one', 'src/other.ts');
      const single = await store('Opened late', 'open()', 'src/other.ts');
      const fixes = async (count: number) => {
        const [marked] = await editor.until(`${count} memories`, () => {
          const found = editor.diagnostics('src/store.ts');
          return (found[0]?.data as { nodeIds?: unknown[] } | undefined)?.nodeIds?.length === count ? found : undefined;
        });
        const found = await editor.quickFixes('src/store.ts', marked ? [marked] : []);
        return found.map(({ title, command }) => [title, command?.arguments?.[0]?.nodeIds]);
      };
      const hover = () => editor.hover('src/store.ts', 6, NAME_AT + 1);
      await project.write('src/store.ts', CHANGED);
      await editor.open('src/store.ts', CHANGED);
      const ids = [single.node_id, both.node_id];
      expect((await fixes(2))[1]).toEqual(['Its 2 memories are still true', ids]);

      await project.write('src/other.ts', 'export const one = () => 2;\n');
      expect((await fixes(2))[1]).toEqual([
        'Still true: 1 of its 2 memories (the others are in doubt elsewhere, too)',
        [single.node_id],
      ]);
      expect(await hover()).toContain('agentMemory.confirm?');
      await editor.call('memory_verify', { node_id: single.node_id, status: 'confirm' });
      expect((await fixes(1)).map(([title]) => title)).toEqual([
        'Show change, then and now',
        'Review memories one by one',
      ]);
      const told = await editor.until('the other one', async () => {
        const text = await hover();
        return text?.includes('One file') ? text : undefined;
      });
      expect(told).toContain('_ · _Other code of it is in doubt, too._');
      expect(told).toContain('[Show Change](command:agentMemory.showChange?');
      expect(told).not.toContain('agentMemory.confirm?');
    },
    { settings: ON },
  );
});
