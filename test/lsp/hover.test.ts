import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Registration } from 'vscode-languageserver-protocol/node';
import type { SymbolMemoriesArguments } from '../../src/protocol/requests';
import { withCodeProject } from '../support/code-project';
import { STORE_SOURCE as STORE, startEditor, withEditor } from '../support/editor-client';
import { gitIn } from '../support/git-in';
import { HIDDEN, HOSTILE_TEXTS } from '../support/hostile-texts';
import { openSqlite } from '../support/sqlite';

const OPEN = 'agentMemory.openMemory';
const JUDGING = ['agentMemory.confirm', 'agentMemory.refute', 'agentMemory.supersede'];
/** In `export function open() {`. */
const ON_NAME: [number, number] = [6, 18];

describe('a hover', () => {
  it('tells the decision, why, and where it comes from; in doubt, what became of its code, and what can be done', async () => {
    await withEditor(async (editor) => {
      const { node_id } = await editor.call<{ node_id: string }>('memory_store', {
        ...{ content: 'One file', kind: 'decision', entities: ['open()'], confidence: 0.8 },
        ...{ rationale: 'nothing to run', alternatives_rejected: ['Postgres', 'files'] },
      });
      await editor.open('src/store.ts', STORE);
      const argument = encodeURIComponent(
        JSON.stringify([{ folder: editor.uri('.'), namespace: 'default', nodeId: node_id }]),
      );
      const link = (command: string): string => `(command:${command}?${argument})`;
      const source = `From: a person (VS Code) · confirmed by a person · ${new Date().toISOString().slice(0, 10)}`;
      expect((await editor.hover('src/store.ts', ...ON_NAME))?.split('\n\n')).toEqual([
        '**Decision:** One file · confidence 0.80',
        '**Rationale:** nothing to run · **Rejected:** Postgres; files',
        `${source} · [Open]${link(OPEN)}`,
      ]);
      await editor.edit('src/store.ts', STORE.replace("'main'", "'other'"));
      const inDoubt = (await editor.hover('src/store.ts', ...ON_NAME)) ?? '';
      expect(inDoubt.split('\n\n')[1]).toBe(
        '_open was **changed** after this memory was stored._ · **Rationale:** nothing to run · **Rejected:** Postgres; files',
      );
      for (const command of [...JUDGING, OPEN]) expect(inDoubt).toContain(link(command));
    });
  });

  it('says of the memory that it is about that this branch has another version of the code', async () => {
    await withEditor(async (editor) => {
      const git = gitIn(editor.folder);
      const file = join(editor.folder, 'src/store.ts');
      git('init', '--initial-branch=main');
      git('add', 'src');
      git('commit', '-m', 'first');
      git('branch', 'older');
      await editor.call('memory_store', { content: 'In SQLite', kind: 'fact', entities: ['src/store.ts#open'] });
      writeFileSync(file, STORE.replace("'main'", "'newer'"));
      git('commit', '-a', '-m', 'newer');
      const decision = await editor.call<{ node_id: string }>('memory_store', {
        ...{ content: 'One file', kind: 'decision', entities: ['src/store.ts#open'] },
      });
      git('checkout', 'older');
      await editor.open('src/store.ts', STORE);
      expect(await editor.hover('src/store.ts', ...ON_NAME)).toContain(
        '**Decision:** One file\n\n_This branch has another version of this code._\n\n',
      );
      // So does the list that its CodeLens opens.
      const [lens] = await editor.lenses('src/store.ts');
      const asked = lens?.command?.arguments?.[0] as SymbolMemoriesArguments | undefined;
      expect([asked?.nodeIds.length, asked?.ofOtherVersion]).toEqual([2, [decision.node_id]]);
      // Beside the code it is not said to be decided for it.
      const [first = ''] = await editor.titles('src/store.ts');
      expect(first).toMatch(/^\d+: \$\(bookmark\) 2 memories$/);
      const line = Number(first.split(':')[0]) + 1;
      expect(await editor.request('svc/lineDecision', { file: editor.uri('src/store.ts'), line })).toBeNull();
      // On the code as it is here.
      await editor.configure({ hover: { kinds: ['fact'] } });
      const fact = await editor.hover('src/store.ts', ...ON_NAME);
      expect(fact).toContain('In SQLite');
      expect(fact).not.toContain('another version');
    });
  });

  it('shows one memory, the decision first, and leads to the others', async () => {
    await withEditor(async (editor) => {
      const first = await editor.call<{ node_id: string }>('memory_store', {
        ...{ content: 'One file', kind: 'decision', entities: ['open()'] },
      });
      const second = await editor.call<{ node_id: string }>('memory_store', {
        ...{ content: 'It is slow', kind: 'fact', entities: ['open()'] },
      });
      const third = await editor.call<{ node_id: string }>('memory_store', {
        ...{ content: 'It is old', kind: 'fact', entities: ['open()'] },
      });
      await editor.open('src/store.ts', STORE);
      const text = (await editor.hover('src/store.ts', ...ON_NAME)) ?? '';
      expect(text.split('\n\n')[0]).toBe('**Decision:** One file');
      expect(text).not.toMatch(/It is (?:slow|old)/);
      const [, argument = ''] =
        /\[2 more memories\]\(command:agentMemory\.showSymbolMemories\?([^)]+)\)$/.exec(text) ?? [];
      expect(JSON.parse(decodeURIComponent(argument))[0].nodeIds).toEqual(
        [first, third, second].map(({ node_id }) => node_id),
      );
    });
  });

  it('shows what waits for a person behind all that does not', async () => {
    await withEditor(async (editor) => {
      await editor.call('memory_store', { content: 'It is slow', kind: 'fact', entities: ['open()'] });
      await editor.call('memory_import', {
        nodes: [{ kind: 'decision', content: 'Two files', entities: ['open()'], standing: 'proposed' }],
      });
      await editor.open('src/store.ts', STORE);
      expect(await editor.hover('src/store.ts', ...ON_NAME)).toMatch(
        /^\*\*Fact:\*\* It is slow\n[\s\S]*\[1 more memory\]/,
      );
    });
  });

  it('is told of later, for any language, to a window that wants it behind the hovers of its languages', async () => {
    const asked: Registration[] = [];
    await withCodeProject({ 'src/store.ts': STORE }, async (project) => {
      const editor = await startEditor(project, {
        settings: { hoverLast: true },
        onRegister: (one) => asked.push(one),
      });
      expect(editor.capabilities.hoverProvider).toBe(false);
      await editor.until('hovers are offered', () => asked.find(({ method }) => method === 'textDocument/hover'));
      await editor.end();
    });
    expect(asked.find(({ method }) => method === 'textDocument/hover')?.registerOptions).toEqual({
      documentSelector: [{ language: '*' }],
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
      expect(text.match(/A (?:decision|fact|procedure)/g)).toEqual(['A procedure']);
      await editor.edit('src/store.ts', STORE.replace("'main'", "'other'"));
      const inDoubt = (await editor.hover('src/store.ts', ...ON_NAME)) ?? '';
      expect(inDoubt).toContain('changed');
      expect([...inDoubt.matchAll(/\(command:([^?]*)/g)].map(([, command]) => command)).toEqual([
        OPEN,
        'agentMemory.showSymbolMemories',
      ]);
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
      const text = (await editor.hover('src/store.ts', ...ON_NAME)) ?? '';
      expect(text).toContain('**Decision:** One file · confidence ?.??\n\n');
      expect(text).toContain(' · ????-??-?? · [Open]');
    });
  });

  it('shows what somebody stored as text: no link, image, code, heading or icon comes out of it', async () => {
    const forged = [
      '[Still True](command:workbench.action.terminal.new)',
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
        expect(links, text).toEqual([`command:${OPEN}`]);
        // Without our own marks and links, no punctuation is left that is not escaped.
        const stored = hover
          .replaceAll(/\[Open\]\(command:[^)]*\)/g, '')
          .replaceAll(/^\*\*Decision:\*\* /gm, '')
          .replaceAll(/(?:^| · )\*\*(?:Rationale|Rejected):\*\* /gm, '')
          .replaceAll(/^From: a person \(VS Code\) · confirmed by a person · \d{4}-\d\d-\d\d · $/gm, '')
          .replaceAll(/&(?:amp|lt);/g, '')
          .replaceAll(/\\[!-/:-@[-`{-~]/g, '');
        expect(stored, text).not.toMatch(/[!-/:-@[-`{-~]/);
        await editor.call('memory_forget', { node_id, purge: true });
      }
    });
  });
});
