import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STORE_SOURCE as STORE, withEditor } from '../support/editor-client';
import { HIDDEN, HOSTILE_TEXTS } from '../support/hostile-texts';
import { openSqlite } from '../support/sqlite';

const COMMANDS = ['agentMemory.confirm', 'agentMemory.refute', 'agentMemory.supersede', 'agentMemory.openMemory'];
/** In `export function open() {`. */
const ON_NAME: [number, number] = [6, 18];

describe('a hover', () => {
  it('tells the decision with its reasons, what became of it, and what can be done', async () => {
    await withEditor(async (editor) => {
      const { node_id } = await editor.call<{ node_id: string }>('memory_store', {
        ...{ content: 'One file', kind: 'decision', entities: ['open()'], confidence: 0.8 },
        ...{ rationale: 'nothing to run', alternatives_rejected: ['Postgres', 'files'] },
      });
      await editor.open('src/store.ts', STORE);
      const text = (await editor.hover('src/store.ts', ...ON_NAME)) ?? '';
      const day = new Date().toISOString().slice(0, 10);
      expect(text).toContain(`**Decision** · ${day} · confidence 0.80\n\nOne file\n\n**Rationale:** nothing to run`);
      expect(text).toContain('**Rejected:** Postgres, files');
      expect(text).not.toContain('since');
      const argument = encodeURIComponent(
        JSON.stringify([{ folder: editor.uri('.'), namespace: 'default', nodeId: node_id }]),
      );
      for (const command of COMMANDS) expect(text).toContain(`(command:${command}?${argument})`);
      await editor.edit('src/store.ts', STORE.replace("'main'", "'other'"));
      expect(await editor.hover('src/store.ts', ...ON_NAME)).toContain('was **changed** after this memory was stored');
    });
  });

  it('shows the decision first, however much was remembered since', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
      for (const content of ['It is slow', 'It is called twice', 'It has no tests', 'It is old']) {
        await editor.call('memory_store', { content, kind: 'fact', entities: ['open()'] });
      }
      await editor.open('src/store.ts', STORE);
      const text = (await editor.hover('src/store.ts', ...ON_NAME)) ?? '';
      expect(text.indexOf('One file')).toBeGreaterThan(0);
      expect(text.indexOf('One file')).toBeLessThan(text.indexOf('It is old'));
      expect(text).toMatch(/\[…and 1 more memory\]\(command:agentMemory\.showSymbolMemories\?[^)]+\)$/);
    });
  });

  it('is on the name, where it is used in the same file, and nowhere else', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'One file', kind: 'fact', entities: ['open()'] });
      await editor.open('src/store.ts', STORE);
      expect(await editor.hover('src/store.ts', 2, 13)).toContain('One file');
      expect(await editor.hover('src/store.ts', 7, 12)).toBeUndefined();
      expect(await editor.hover('src/store.ts', 0, 14)).toBeUndefined();
      await editor.configure({ hover: { enabled: false } });
      expect(await editor.hover('src/store.ts', ...ON_NAME)).toBeUndefined();
    });
  });

  it('is found among operators, and not inside of other names', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'One file', kind: 'fact', entities: ['open()', 'src/store.ts'] });
      const uses = ['if (!open() || a?open:b) open!.x; $open; #open; re-open; opens;', 'import "./store.ts";', ''];
      await editor.open('src/store.ts', STORE + uses.join('\n'));
      const line = STORE.split('\n').length - 1;
      const told = async (text: string, on = 0): Promise<boolean> => {
        const column = (uses[on] ?? '').indexOf(text) + text.search(/open|ts/) + 1;
        return (await editor.hover('src/store.ts', line + on, column))?.includes('One file') ?? false;
      };
      for (const text of ['!open', '?open:', ' open!', 're-open']) expect(await told(text), text).toBe(true);
      for (const text of ['$open', '#open', 'opens']) expect(await told(text), text).toBe(false);
      // What is remembered of the file is not what is remembered of the end of its name.
      expect(await told('.ts', 1)).toBe(false);
    });
  });

  it('shows the kinds that are wanted, and offers nothing that writes where nothing may be written', async () => {
    await withEditor(async (editor) => {
      for (const kind of ['decision', 'fact', 'procedure']) {
        await editor.call('memory_store', { content: `A ${kind}`, kind, entities: ['open()'] });
      }
      await editor.open('src/store.ts', STORE);
      await editor.configure({
        hover: { kinds: ['procedure', 'fact'] },
        codeLens: { kinds: ['fact'] },
        trusted: false,
      });
      const text = (await editor.hover('src/store.ts', ...ON_NAME)) ?? '';
      expect(text.match(/A (?:decision|fact|procedure)/g)).toEqual(['A procedure', 'A fact']);
      expect([...text.matchAll(/\(command:([^?]*)/g)].map(([, command]) => command)).toEqual(
        Array(2).fill('agentMemory.openMemory'),
      );
      await editor.configure({ hover: { kinds: [] } });
      expect(await editor.hover('src/store.ts', ...ON_NAME)).toBeUndefined();
    });
  });

  it('shows the sections that speak of a function, on functions without memories too, and marks old ones', async () => {
    await withEditor(async (editor, project) => {
      await editor.call('memory_store', { content: 'Elsewhere', kind: 'fact' });
      const document = '# Guide\n\n## Opening (first) [x](command:evil)\n\nCall `open` once, or `Store.get`.\n';
      await project.write('docs/a (1) #2.md', document);
      expect((await project.svc(['ingest', 'docs', '--llm', 'none'])).status).toBe(0);
      await editor.open('src/store.ts', STORE);
      const text = (await editor.hover('src/store.ts', ...ON_NAME)) ?? '';
      const link = `${editor.uri('docs/a (1) #2.md').replaceAll('(', '%28').replaceAll(')', '%29')}#L3`;
      expect(text).toContain('**In the documents**\n\n- **Guide › Opening \\(first\\)');
      expect([...text.matchAll(/(?<!\\)\]\(([^)]*)\)/g)].map(([, target]) => target)).toEqual([link]);
      expect(text).toContain('· confidence ');
      expect(text).not.toContain('changed since');
      expect(await editor.hover('src/store.ts', 1, 4)).toContain(link);
      expect(await editor.hover('src/other.ts', 0, 14)).toBeUndefined();

      // A line that moves is followed, also in the text that is not saved; a section that changes is marked.
      await editor.edit('src/store.ts', `// One more line.\n${STORE}`);
      await project.write('docs/a (1) #2.md', `Preface.\n\n${document}`);
      expect(await editor.hover('src/store.ts', ON_NAME[0] + 1, ON_NAME[1])).toContain('#L5)');
      await project.write('docs/a (1) #2.md', document.replace('once', 'twice'));
      expect(await editor.hover('src/store.ts', ON_NAME[0] + 1, ON_NAME[1])).toContain(
        'the document has changed since',
      );
    });
  });

  it('forges and hides nothing, whatever a store file holds that somebody wrote by hand', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'One file', kind: 'decision', entities: ['open()'] });
      const sqlite = await openSqlite(join(editor.folder, '.svc', 'memory.db'));
      await sqlite.all(`UPDATE mem_nodes SET confidence = 9e999, valid_from = char(10) || '## [x](command:y)'`);
      await sqlite.all(`UPDATE mem_nodes SET content = 'One${HIDDEN.join('')} file' WHERE kind = 'decision'`);
      await sqlite.close();
      await editor.open('src/store.ts', STORE);
      expect(await editor.hover('src/store.ts', ...ON_NAME)).toContain(
        '**Decision** · ????-??-?? · confidence ?.??\n\nOne file',
      );
    });
  });

  it('shows what somebody stored as text: no link, image, code, heading or icon comes out of it', async () => {
    const forged = [
      '[Confirm](command:workbench.action.terminal.new)',
      '![x](https://tracker.example/p.png) <img src=x onerror=alert(1)> <a href="command:x">y</a>',
      'https://evil.example www.evil.example mail@evil.example',
      '$(zap) `code` **bold** # heading &lt;b&gt; \\[a](b)',
      'first\n\n---\n\n## Forged\n\n- [x] item',
    ];
    await withEditor(async (editor) => {
      for (const text of [...forged, ...HOSTILE_TEXTS.filter((one) => one.trim() !== '')]) {
        const { node_id } = await editor.call<{ node_id: string }>('memory_store', {
          ...{ content: text, kind: 'decision', entities: ['open()'], rationale: text, alternatives_rejected: [text] },
        });
        await editor.open('src/store.ts', STORE);
        const hover = (await editor.hover('src/store.ts', ...ON_NAME)) ?? '';
        await editor.close('src/store.ts');
        const links = [...hover.matchAll(/(?<!\\)\]\(([^)]*)\)/g)].map(([, target]) => target?.split('?')[0]);
        expect(links, text).toEqual(COMMANDS.map((command) => `command:${command}`));
        // Without our own marks and links, no punctuation is left that is not escaped.
        const stored = hover
          .replaceAll(/\[(?:Confirm|Refute|Supersede|Open)\]\(command:[^)]*\)/g, '')
          .replaceAll(/^\*\*Decision\*\* · \S+ · confidence 1\.00$/gm, '')
          .replaceAll(/^\*\*(?:Rationale|Rejected):\*\* /gm, '')
          .replaceAll(/^From: a person \(VS Code\) · confirmed by a person$/gm, '')
          .replaceAll(/&(?:amp|lt);/g, '')
          .replaceAll(/\\[!-/:-@[-`{-~]/g, '');
        expect(stored, text).not.toMatch(/[!-/:-@[-`{-~]/);
        await editor.call('memory_forget', { node_id, purge: true });
      }
    });
  });
});
