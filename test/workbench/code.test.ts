import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  codeLenses,
  decorationOf,
  editorOf,
  explorerRow,
  goToLine,
  hoverAt,
  hoversAt,
  openFile,
  save,
} from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { quickInputRows, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import { notification, openView, statusBarItem } from './support/views';
import { EVERY_SIGNAL, openWorkbench, type Workbench } from './support/workbench';

const DECIDED = 'Decided: The store is a folder of files · 1 more';
const IN_DOUBT = '2 memories may be out of date';

const STORE = `export class Store {
  find(key: string): string {
    return openStore() + key;
  }
}

export function openStore(): string {
  return "files";
}
`;
const PARSE = 'export function parseLine(line: string): string[] {\n  return line.split(",");\n}\n';
const DOOR = 'export function isOpen(): boolean {\n  return true;\n}\nexport const shut = !isOpen();\n';
const DEPLOY = 'copy-all() {\n  echo all\n}\ncopy-all\n';
const LONG_LINES = 400;
const LONG = `${'// a line\n'.repeat(LONG_LINES)}export function atTheEnd(): void {}\n`;
const PLAIN = 'export function unknownToAll(): number {\n  return 1;\n}\n';

describe('code that is remembered about', () => {
  let workbench: Workbench;

  const configure = (name: string, value: unknown): Promise<void> =>
    inHost(
      workbench,
      async ({ workspace }, [key, to]: readonly [string, unknown]) => {
        const at = key.lastIndexOf('.');
        await workspace.getConfiguration(key.slice(0, at)).update(key.slice(at + 1), to ?? undefined, true);
      },
      [name, value] as const,
    );
  const theme = async (name: 'Dark' | 'Light'): Promise<void> => {
    await configure('workbench.colorTheme', `Default ${name} Modern`);
    await workbench.page.locator(`.monaco-workbench.vs${name === 'Dark' ? '-dark' : ''}`).waitFor();
  };
  /** The line of code that stands below a lens. */
  const lineBelow = async (title: string | RegExp): Promise<string> => {
    const lens = await codeLenses(workbench, title).first().boundingBox();
    if (!lens) return '';
    for (const line of await workbench.page.locator('.editor-instance .monaco-editor .view-line').all()) {
      const box = await line.boundingBox();
      if (box && box.y >= lens.y && box.y < lens.y + 1.9 * box.height) {
        // The editor draws every space as one that does not break.
        return ((await line.textContent()) ?? '').replaceAll('\u00a0', ' ');
      }
    }
    return '';
  };
  /** A lens is laid out a moment after it is drawn. */
  const isAbove = (lens: string | RegExp, line: string): Promise<true> =>
    until(`the lens ${lens} is above ${line}`, PATIENCE_MS, async () => (await lineBelow(lens)).includes(line));
  /** What the style sheet puts beside a label: the badge of a decoration. */
  const badgeOf = (selector: string): Promise<string> =>
    workbench.page
      .locator(selector)
      .first()
      .evaluate((label) => {
        const inside = label.querySelector('.monaco-icon-label-container') ?? label;
        return [label, inside].map((one) => getComputedStyle(one, '::after').content).join(' ');
      });
  const hoverTextAt = async (line: number, column: number): Promise<string> =>
    (await hoversAt(workbench, line, column)).join('\n');
  /** What stands at the end of a line that is no part of it. */
  const atLineEnd = (): Promise<string> =>
    editorOf(workbench, 'store.ts').evaluate((editor) =>
      [...editor.querySelectorAll('.view-line span')]
        .map((span) => getComputedStyle(span, '::after').content)
        .filter((content) => content !== 'none' && content !== 'normal')
        .join(),
    );
  const saysAtLineEnd = (what: string): Promise<true> =>
    until(`the end of the line says "${what}"`, PATIENCE_MS, async () => (await atLineEnd()) === what);
  const problems = () => workbench.page.locator('.markers-panel-container .monaco-list-row');
  const closeHover = async (): Promise<void> => {
    await workbench.page.keyboard.press('Escape');
    await workbench.page.mouse.move(5, 5);
    await workbench.page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
  };

  beforeAll(async () => {
    const files = {
      ...{ 'store.ts': STORE, 'parse.ts': PARSE, 'door.ts': DOOR, 'deploy.sh': DEPLOY, 'plain.ts': PLAIN },
      'long.ts': LONG,
      '.git/HEAD': 'ref: refs/heads/main\n',
    };
    const settings = {
      'workbench.colorTheme': 'Default Dark Modern',
      'editor.hover.delay': 100,
      'files.autoSave': 'off',
      ...EVERY_SIGNAL,
    };
    workbench = await openWorkbench({ files, settings });
    await runProgram(workbench, 'svc-memory', 'init');
    await runProgram(workbench, 'svc', 'build');
    await storeElsewhere(
      workbench,
      'The store is a folder of files',
      'decision',
      ...['--entities', 'openStore', '--confidence', '0.8', '--rationale', 'Nothing has to run beside it'],
      ...['--alternatives-rejected', 'Postgres', '--alternatives-rejected', 'one big JSON file'],
    );
    await storeElsewhere(workbench, 'Opening it takes 3 ms', 'fact', '--entities', 'openStore');
    await storeElsewhere(workbench, 'Keys are never empty', 'fact', '--entities', 'Store');
    await storeElsewhere(workbench, 'Lines are split at commas', 'procedure', '--entities', 'parseLine');
    await storeElsewhere(workbench, 'Doors are open by day', 'fact', '--entities', 'isOpen', '--entities', 'door.ts');
    await storeElsewhere(workbench, 'The end is far', 'decision', '--entities', 'atTheEnd');
    await storeElsewhere(workbench, 'Deploys copy everything', 'fact', '--entities', 'copy-all');
  });
  afterAll(() => workbench?.close());

  it('has a lens on each function and class, with the decision in words; a click shows all its memories', async () => {
    await openFile(workbench, 'store.ts');
    const lens = codeLenses(workbench, DECIDED);
    await lens.waitFor();
    await codeLenses(workbench, /1 memory$/).waitFor();
    await isAbove(DECIDED, 'openStore()');
    await isAbove(/1 memory$/, 'class Store');
    await workbench.screenshot('code-lens-dark');
    await lens.click();
    await quickInputRows(workbench).filter({ hasText: 'The store is a folder of files' }).waitFor();
    await quickInputRows(workbench).filter({ hasText: 'Opening it takes 3 ms' }).waitFor();
    // The last row leads to what an agent gets.
    expect(await quickInputRows(workbench).count()).toBe(3);
    await workbench.page.keyboard.press('Escape');
  });

  it('tells the decision, its rationale and what was rejected when the mouse is on its name', async () => {
    const hover = await hoverAt(workbench, 'openStore', 'The store is a folder of files');
    const text = (await hover.textContent()) ?? '';
    expect(text).toContain('Decision: The store is a folder of files · confidence 0.80');
    expect(text).toContain('Rationale: Nothing has to run beside it · Rejected: Postgres; one big JSON file');
    expect(text).toContain('Open · 1 more memory');
    await workbench.screenshot('hover-dark');
    await hover.locator('a', { hasText: '1 more memory' }).click();
    await quickInputRows(workbench).filter({ hasText: 'Opening it takes 3 ms' }).waitFor();
    // It would lie below the list, half covered.
    await workbench.page.locator('.monaco-hover:visible').waitFor({ state: 'detached' });
    await closeHover();
  });

  it('says the decision in grey at the end of the line where somebody works, and a key hides it', async () => {
    await goToLine(workbench, 8, 3);
    await saysAtLineEnd('"Decided: The store is a folder of files"');
    await workbench.screenshot('current-line-dark');
    const { keyboard } = workbench.page;
    await keyboard.press('Control+K');
    await keyboard.press('l');
    await saysAtLineEnd('');
    await keyboard.press('Control+K');
    await keyboard.press('l');
    await saysAtLineEnd('"Decided: The store is a folder of files"');
    // What takes the place of a selected line would have it among its letters.
    await keyboard.press('End');
    await keyboard.press('Shift+Home');
    await saysAtLineEnd('');
    await keyboard.press('ArrowRight');
    await saysAtLineEnd('"Decided: The store is a folder of files"');
    // The lens above the first line says it there.
    await goToLine(workbench, 7, 3);
    await saysAtLineEnd('');
  });

  it('keeps its lens above it while somebody types, and says at once that it changed', async () => {
    await goToLine(workbench, 1);
    await workbench.page.keyboard.type('export const first = 1;\nexport const second = 2;\n');
    await isAbove(DECIDED, 'openStore()');
    await goToLine(workbench, 10, 11);
    await workbench.page.keyboard.type('sql');
    await codeLenses(workbench, IN_DOUBT).waitFor();
    await isAbove(IN_DOUBT, 'openStore()');
    await hoverAt(workbench, 'openStore', 'changed after this memory was stored');
    await closeHover();
    // Only what is on the disk is judged for the badges.
    expect(await decorationOf(workbench, 'store.ts')).not.toContain('Memories');
  });

  it('is marked when that is saved: lens, explorer, tab, problems and status bar', async () => {
    await editorOf(workbench, 'store.ts').click();
    await save(workbench);
    await until('the file is marked in the explorer', PATIENCE_MS, async () =>
      (await decorationOf(workbench, 'store.ts')).includes('Memories whose code was changed: 2'),
    );
    await statusBarItem(workbench, 'agentMemory.status').filter({ hasText: '2' }).waitFor();
    expect(await badgeOf('.explorer-folders-view .monaco-list-row:has-text("store.ts") .monaco-icon-label')).toContain(
      '◆',
    );
    expect(await badgeOf('.tab.active .monaco-icon-label')).toContain('◆');
    await runCommand(workbench, 'Problems: Focus on Problems View');
    await problems()
      .filter({ hasText: /function openStore changed\. Do these still hold\? ".+" · 1 more/ })
      .waitFor();
    await workbench.screenshot('stale-file-dark');
  });

  it('has nothing of it where a setting says so', async () => {
    await openFile(workbench, 'store.ts');
    await configure('agentMemory.diagnostics.enabled', false);
    await problems().filter({ hasText: 'openStore' }).waitFor({ state: 'detached' });
    await configure('agentMemory.diagnostics.enabled', true);
    await problems().filter({ hasText: 'openStore' }).waitFor();
    await configure('agentMemory.fileMarks.enabled', false);
    await until(
      'the file has no mark',
      PATIENCE_MS,
      async () => !(await decorationOf(workbench, 'store.ts')).includes('Memories'),
    );
    await configure('agentMemory.fileMarks.enabled', true);

    // At first a lens stands where there is a decision, or a doubt.
    await codeLenses(workbench, /1 memory$/).waitFor();
    await configure('agentMemory.codeLens.kinds', null);
    await codeLenses(workbench, /1 memory$/).waitFor({ state: 'detached' });
    await codeLenses(workbench, IN_DOUBT).waitFor();
    await runCommand(workbench, 'Agent Memory: Show or Hide CodeLenses');
    await codeLenses(workbench).first().waitFor({ state: 'detached' });
    await runCommand(workbench, 'Agent Memory: Show or Hide CodeLenses');
    await codeLenses(workbench, IN_DOUBT).waitFor();
    await configure('agentMemory.codeLens.kinds', EVERY_SIGNAL['agentMemory.codeLens.kinds']);

    await configure('agentMemory.hover.kinds', ['fact']);
    await until('the hover shows facts only', PATIENCE_MS, async () => {
      const text = await hoverTextAt(9, 18);
      return text.includes('Opening it takes 3 ms') && !text.includes('folder of files');
    });
    await configure('agentMemory.hover.kinds', null);
    await configure('agentMemory.hover.enabled', false);
    await until(
      'the hover is silent',
      PATIENCE_MS,
      async () => !(await hoverTextAt(9, 18)).includes('folder of files'),
    );
    await configure('agentMemory.hover.enabled', null);
    await until('the hover speaks again', PATIENCE_MS, async () =>
      (await hoverTextAt(9, 18)).includes('folder of files'),
    );
  });

  it('can be read in a light theme', async () => {
    await theme('Light');
    await hoverAt(workbench, 'openStore', 'The store is a folder of files');
    await workbench.screenshot('hover-light');
    await closeHover();
    await workbench.screenshot('stale-file-light');
    await theme('Dark');
  });

  it('is confirmed by a link of the hover', async () => {
    await hoverAt(workbench, 'openStore', 'The store is a folder of files');
    await workbench.page.locator('.monaco-hover:visible a', { hasText: 'Still True' }).first().click();
    await notification(workbench, 'Still true: The store is a folder of files').waitFor();
    // Its words and links would be those of before.
    await workbench.page.locator('.monaco-hover:visible a', { hasText: 'Still True' }).waitFor({ state: 'detached' });
    await closeHover();
    await runCommand(workbench, 'Notifications: Clear All Notifications');
  });

  it('keeps its memories when its file is renamed in the explorer', async () => {
    await openFile(workbench, 'parse.ts');
    await codeLenses(workbench, /1 memory$/).waitFor();
    await openView(workbench, 'Explorer');
    await explorerRow(workbench, 'parse.ts').click();
    await workbench.page.keyboard.press('F2');
    const box = workbench.page.locator('.explorer-folders-view .monaco-inputbox input');
    await box.fill('split-line.ts');
    await box.press('Enter');
    await editorOf(workbench, 'split-line.ts').waitFor();
    await codeLenses(workbench, /1 memory$/).waitFor();
    await isAbove(/1 memory$/, 'parseLine');
    expect(await decorationOf(workbench, 'split-line.ts')).not.toContain('Memories whose code');
  });

  it('keeps them when another program moves the file', async () => {
    renameSync(join(workbench.folder, 'split-line.ts'), join(workbench.folder, 'lines.ts'));
    await explorerRow(workbench, 'lines.ts').dblclick();
    await editorOf(workbench, 'lines.ts').waitFor();
    await codeLenses(workbench, /1 memory$/).waitFor();
    await isAbove(/1 memory$/, 'parseLine');
  });

  it('hears of a name whatever stands beside it, and of names that only some languages have', async () => {
    const told = async (line: number, column: number): Promise<boolean> =>
      (await hoverTextAt(line, column)).includes('From: ');
    await openFile(workbench, 'door.ts');
    await codeLenses(workbench, /1 memory$/)
      .first()
      .waitFor();
    expect(await told(4, DOOR.split('\n')[3]?.indexOf('isOpen') ?? 0)).toBe(true);
    expect(await told(4, DOOR.split('\n')[3]?.indexOf('shut') ?? 0)).toBe(false);
    await openFile(workbench, 'deploy.sh');
    await codeLenses(workbench, /1 memory$/)
      .first()
      .waitFor();
    expect(await told(1, 'copy-a'.length)).toBe(true);
    expect(await told(4, 1)).toBe(true);
  });

  it('has its lens where somebody goes to it in a long file', async () => {
    await openFile(workbench, 'long.ts');
    await goToLine(workbench, LONG_LINES + 1);
    const lens = codeLenses(workbench, 'Decided: The end is far');
    await lens.waitFor();
    await lens.click();
    await quickInputRows(workbench).filter({ hasText: 'The end is far' }).first().waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('has nothing of all that in a file without memories', async () => {
    await openFile(workbench, 'plain.ts');
    await until('extensions know which file it is', PATIENCE_MS, () =>
      inHost(workbench, ({ window }) => window.activeTextEditor?.document.uri.path.endsWith('/plain.ts') ?? false),
    );
    expect(await hoverTextAt(1, 18)).not.toContain('From: ');
    const lenses = await inHost(workbench, ({ commands, window }) =>
      commands.executeCommand<unknown[]>('vscode.executeCodeLensProvider', window.activeTextEditor?.document.uri),
    );
    expect(lenses).toEqual([]);
    expect(await decorationOf(workbench, 'plain.ts')).not.toContain('Memories');
  });
});
