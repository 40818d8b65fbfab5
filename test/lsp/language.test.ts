import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type EditorClient, type EditorOptions, STORE_SOURCE as STORE, withEditor } from '../support/editor-client';

/** As the extension hands it in for a German editor. */
const GERMAN = JSON.parse(readFileSync(join(__dirname, '../../l10n/bundle.l10n.de.json'), 'utf8')) as Readonly<
  Record<string, string>
>;
const CHANGED = STORE.replace("'main'", "'other'");
const ON_NAME: [number, number] = [6, 18];

const inGerman = (work: Parameters<typeof withEditor>[0], settings: EditorOptions['settings'] = {}): Promise<void> =>
  withEditor(work, { settings: { ...settings, texts: GERMAN } });

const remember = (editor: EditorClient, content: string, kind: string, more: object = {}): Promise<unknown> =>
  editor.call('memory_store', { content, kind, entities: ['open()'], ...more });

const firstDiagnostic = (editor: EditorClient, path: string): Promise<string> =>
  editor.until('a diagnostic', () => {
    const [first] = editor.diagnostics(path);
    return first && String(first.message);
  });

it('a German editor reads German lenses', async () => {
  await inGerman(async (editor) => {
    const kinds = ['decision', 'decision', 'procedure', 'preference', 'fact', 'fact', 'outcome', 'action'];
    for (const [i, kind] of kinds.entries()) {
      await remember(editor, `Von der Art ${kind}, ${i}`, kind);
    }
    await editor.open('src/store.ts', STORE);
    const decided = ['7: $(bookmark) Entschieden: Von der Art decision, 1 · 7 weitere'];
    expect(await editor.titles('src/store.ts')).toEqual(decided);
    await editor.edit('src/store.ts', CHANGED);
    expect(await editor.titles('src/store.ts')).toEqual(['7: $(warning) 8 Erinnerungen könnten veraltet sein']);
    await editor.edit('src/store.ts', STORE.replaceAll('open()', 'connectNow()'));
    expect(await editor.titles('src/store.ts')).toEqual(decided);
    await editor.configure({ codeLens: { kinds: ['fact'] } });
    expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) 8 Erinnerungen']);
  });
});

it('a German editor reads German hovers, with what was stored as it was stored', async () => {
  await inGerman(async (editor, project) => {
    await remember(editor, 'One file', 'decision', {
      rationale: 'nothing to run',
      alternatives_rejected: ['Postgres'],
    });
    await project.write('docs/guide.md', '# Guide\n\nCall `open` once.\n');
    expect((await project.svc(['ingest', 'docs', '--llm', 'none'])).status).toBe(0);
    await editor.open('src/store.ts', CHANGED);
    const one = (await editor.hover('src/store.ts', ...ON_NAME)) ?? '';
    expect(one).toContain('_open wurde **geändert**, nachdem diese Erinnerung gespeichert wurde._');
    expect(one).toMatch(/^\*\*Entscheidung:\*\* One file\n/);
    expect([...one.matchAll(/\[([^\]]*)\]\(command:/g)].map(([, label]) => label)).toEqual([
      ...['Gilt noch', 'Gilt nicht mehr', 'Umformulieren …', 'Öffnen'],
    ]);
    expect(one).toContain('**In den Dokumenten**\n\n- **Guide**');
    await remember(editor, 'It is slow', 'fact');
    expect(await editor.hover('src/store.ts', ...ON_NAME)).toContain('[1 weitere Erinnerung](command:');
    await remember(editor, 'It is slow at night', 'fact');
    await editor.edit('src/store.ts', STORE);
    const several = (await editor.hover('src/store.ts', ...ON_NAME)) ?? '';
    expect(several).toContain('\n\n**Begründung:** nothing to run · **Verworfen:** Postgres\n\nVon: ');
    expect(several).toContain('[2 weitere Erinnerungen](command:');
  });
});

it('a German editor reads German diagnostics and badges', async () => {
  await inGerman(
    async (editor, project) => {
      await remember(editor, 'One file', 'decision');
      await project.write('src/store.ts', CHANGED);
      await editor.open('src/store.ts', CHANGED);
      expect(await firstDiagnostic(editor, 'src/store.ts')).toBe(
        'Funktion open wurde geändert. Gilt das noch? "One file"',
      );
      const folder = editor.uri('.');
      await editor.save('src/store.ts');
      await editor.until('the badge', async () => {
        const [file] = await editor.request('svc/decorations', { folder });
        return file?.changes[0] === 'Funktion open wurde geändert' ? true : undefined;
      });
      await remember(editor, 'It is slow', 'fact');
      await editor.edit('src/store.ts', 'export const nothing = 1;\n');
      await editor.until('several', () =>
        editor
          .diagnostics('src/store.ts')
          .some(({ message }) =>
            /^Funktion open ist verschwunden\. Gilt das noch\? ".+" · 1 weitere$/.test(String(message)),
          )
          ? true
          : undefined,
      );
    },
    { diagnostics: { enabled: true } },
  );
});

it('a German editor is refused in German by the server itself, and by a tool as agents are', async () => {
  await inGerman(
    async (editor) => {
      expect(await editor.callTool('memory_store', { content: 'x', kind: 'fact' })).toEqual({
        ok: false,
        error: {
          code: 'unavailable',
          message:
            'Diesem Arbeitsbereich wird nicht vertraut, darum wird nichts darin geschrieben. ' +
            'Vertrauen Sie ihm („Arbeitsbereiche: Arbeitsbereichsvertrauen verwalten“), und versuchen Sie es noch einmal.',
        },
      });
      expect(await editor.callTool('node', { id: 'd_bakilomu' })).toMatchObject({
        error: { code: 'not_found', message: expect.stringContaining('There is no memory "d_bakilomu"') },
      });
      await expect(editor.request('svc/decorations', { folder: 'file:///elsewhere' })).rejects.toThrow(
        '"file:///elsewhere" ist kein Ordner dieses Fensters. Seine Ordner: ',
      );
    },
    { trusted: false },
  );
});

it('stays in the language of the editor when its settings change, and in English where a text has no translation', async () => {
  const texts = { '{0} memories': '{0} Erinnerungen', 'Decided: {0} · {1} more': 7 as unknown as string };
  await withEditor(
    async (editor) => {
      await remember(editor, 'It is slow', 'fact');
      await remember(editor, 'One file', 'decision');
      await editor.open('src/store.ts', STORE);
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) Decided: One file · 1 more']);
      await editor.configure({ codeLens: { kinds: ['fact'] } });
      expect(await editor.titles('src/store.ts')).toEqual(['7: $(bookmark) 2 Erinnerungen']);
    },
    { settings: { texts } },
  );
});
