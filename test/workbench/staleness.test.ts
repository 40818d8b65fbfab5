import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeLenses, decorationOf, editorOf, explorerRow, goToLine, openFile } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { pick, quickInput, quickInputRows, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import {
  arrowTo,
  contextAction,
  inlineAction,
  notification,
  openView,
  pressInNotification,
  statusBarItem,
  treeRows,
  unfold,
  unnamedSessions,
  view,
} from './support/views';
import { EVERY_SIGNAL, openWorkbench, type Workbench } from './support/workbench';

/** What a person has confirmed stays accepted, so each new doubt takes a text that was not there before. */
const returning = (what: string): string => `export function openStore(): string {\n  return "${what}";\n}\n`;
/** A function in the editor, as `returning` writes it. */
const returns = (what: string) => new RegExp(`return\\s"${what.replaceAll(' ', '\\s')}"`);
/** A function far down in its file. */
const QUEUE = `${'// A queue of jobs.\n'.repeat(60)}export function takeJob(): string {\n  return "job";\n}\n`;
const PARSE = 'export function parseLine(line: string): string[] {\n  return line.split(",");\n}\n';

describe('memories whose code changes', () => {
  let workbench: Workbench;
  let decision = '';
  const write = (name: string, text: string) => writeFileSync(join(workbench.folder, name), text);
  const askWhy = async (file: string, line: number): Promise<void> => {
    await openFile(workbench, file);
    await goToLine(workbench, line);
    await workbench.page.keyboard.press('ControlOrMeta+k');
    await workbench.page.keyboard.press('y');
  };
  const status = () => statusBarItem(workbench, 'agentMemory.status');

  beforeAll(async () => {
    const settings = { 'workbench.colorTheme': 'Default Dark Modern', ...EVERY_SIGNAL };
    const files = { 'store.ts': returning('files'), 'parse.ts': PARSE, 'queue.ts': QUEUE };
    const prepare = async (folder: string): Promise<void> => {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: folder });
      git('init', '--quiet', '--initial-branch=main');
      git('add', '.');
      git('commit', '--quiet', '-m', 'Keep it in files');
    };
    workbench = await openWorkbench({ files, settings, prepare, size: { width: 1280, height: 900 } });
    await runProgram(workbench, 'svc-memory', 'init');
    await runProgram(workbench, 'svc', 'build');
    decision = await storeElsewhere(workbench, 'The store is a folder of files', 'decision', '--entities', 'openStore');
    await storeElsewhere(workbench, 'Jobs are taken oldest first', 'decision', '--entities', 'takeJob');
    await storeElsewhere(workbench, 'The queue holds a hundred', 'fact', '--entities', 'queue.ts');
    await storeElsewhere(workbench, 'Lines are split at commas', 'fact', '--entities', 'parseLine');
  });
  afterAll(() => workbench?.close());

  it('are not marked while it is as it was', async () => {
    await openFile(workbench, 'store.ts');
    await codeLenses(workbench, 'Decided: ').waitFor();
    await openView(workbench, 'Explorer');
    await explorerRow(workbench, 'store.ts').waitFor();
    expect(await decorationOf(workbench, 'store.ts')).not.toContain('Memories');
    expect(await status().textContent()).not.toContain('1');
  });

  it('are marked on the file, with what changed, when another program changes it', async () => {
    write('store.ts', returning('sqlite'));
    const label = await until('the file is marked', PATIENCE_MS, async () => {
      const found = await decorationOf(workbench, 'store.ts');
      return found.includes('code was changed') && found.replaceAll('\n', ' ');
    });
    expect(label).toMatch(/Memories whose code was changed: 1.*openStore/);
    await status().filter({ hasText: '1' }).waitFor();
    expect(await decorationOf(workbench, 'parse.ts')).not.toContain('Memories');
    await codeLenses(workbench, '1 memory may be out of date').waitFor();
    await workbench.screenshot('staleness-explorer-dark');
  });

  it('wait for review, marked in every view, and lead to the code', async () => {
    await openView(workbench, 'Agent Memory');
    const waiting = treeRows(workbench, 'The store is a folder of files', 'Review').first();
    await waiting.waitFor();
    expect(await waiting.getAttribute('aria-label')).toContain('Decision');
    await unfold(unnamedSessions(workbench).first());
    const listed = treeRows(workbench, 'The store is a folder of files', 'Sessions').first();
    await listed.and(workbench.page.locator('[aria-label*="code changed"]')).waitFor();
    const badge = workbench.page.locator('.activitybar .action-item:has(a[aria-label^="Agent Memory"]) .badge-content');
    expect(await badge.textContent()).toBe('1');
    await workbench.screenshot('staleness-side-bar-dark');
    await runCommand(workbench, 'Agent Memory: Search Memories…');
    await quickInput(workbench).fill('@store.ts');
    await quickInputRows(workbench).filter({ hasText: 'Decision · code changed' }).waitFor();
    await workbench.page.keyboard.press('Escape');
    await contextAction(workbench, waiting, 'Go to Code');
    await editorOf(workbench, 'store.ts').waitFor();
  });

  it('lose the mark when they are confirmed, and get it back when that is undone', async () => {
    const waiting = treeRows(workbench, 'The store is a folder of files', 'Review').first();
    await inlineAction(waiting, 'Still True');
    await waiting.waitFor({ state: 'detached' });
    await treeRows(workbench, 'No memory is in doubt', 'Review').first().waitFor();
    await status().filter({ hasText: '1' }).waitFor({ state: 'detached' });
    await pressInNotification(workbench, 'Still true: The store is a folder of files', 'Undo');
    await waiting.waitFor();
    await status().filter({ hasText: '1' }).waitFor();
    await inlineAction(waiting, 'Still True');
    await waiting.waitFor({ state: 'detached' });
    await openView(workbench, 'Explorer');
    await until(
      'the badge goes',
      PATIENCE_MS,
      async () => !(await decorationOf(workbench, 'store.ts')).includes('Memories'),
    );
  });

  it('are kept apart from those whose code is gone', async () => {
    rmSync(join(workbench.folder, 'parse.ts'));
    await openView(workbench, 'Agent Memory');
    await treeRows(workbench, 'Code gone', 'Review').first().waitFor();
    const gone = treeRows(workbench, 'Lines are split at commas', 'Review').first();
    await gone.waitFor();
    await workbench.screenshot('staleness-gone-dark');
    await contextAction(workbench, gone, 'Forget');
    await gone.waitFor({ state: 'detached' });
  });

  it('are offered, with what can be done about them, by a click on the function', async () => {
    // The lens is asked for several times after a change: a click in between has to do, too.
    for (const change of ['a tape', 'a card', 'a disk', 'a server']) {
      write('store.ts', returning(change));
      await openFile(workbench, 'store.ts');
      const lens = codeLenses(workbench, 'out of date');
      await lens.waitFor();
      await lens.click();
      const row = quickInputRows(workbench).filter({ hasText: 'The store is a folder of files' }).first();
      await row.waitFor();
      await row.hover();
      await workbench.screenshot('symbol-memories-dark');
      await row.locator('.action-label[aria-label="Still True"]').click();
      await codeLenses(workbench, 'Decided: ').waitFor();
      await openView(workbench, 'Agent Memory');
      await treeRows(workbench, 'No memory is in doubt', 'Review').first().waitFor();
    }
  });

  it('are shown with their code then and now, and settled by keys, which can be taken back', async () => {
    write('store.ts', returning('a queue'));
    await openView(workbench, 'Agent Memory');
    await treeRows(workbench, 'The store is a folder of files', 'Review').first().click();
    const side = (which: 'original' | 'modified') =>
      workbench.page.locator(`.monaco-diff-editor .editor.${which} .view-line`);
    // What was confirmed last was never committed.
    await side('original')
      .filter({ hasText: returns('a server') })
      .waitFor();
    await side('modified')
      .filter({ hasText: returns('a queue') })
      .waitFor();
    await side('modified')
      .filter({ hasText: /1\sof\s1/ })
      .waitFor();
    await side('modified')
      .filter({ hasText: /The\sstore\sis\sa\sfolder\sof\sfiles/ })
      .waitFor();
    await workbench.screenshot('review-diff-dark');
    await workbench.page.keyboard.press('y');
    await notification(workbench, 'Reviewed 1 memory (still true: 1)').waitFor();
    await treeRows(workbench, 'No memory is in doubt', 'Review').first().waitFor();
  });

  it('are listed in Source Control when the pending change touches them, and lead to the change', async () => {
    write('store.ts', returning('a river'));
    await openView(workbench, 'Source Control');
    // The editor folds what extensions put there, until a person unfolds it.
    await view(workbench, 'Memories of This Change').locator('.pane-header').click();
    const touched = treeRows(workbench, 'The store is a folder of files').first();
    await touched.waitFor();
    // About a file of which some line changed: it stands apart, is not counted, and is gone through by itself.
    write('queue.ts', `// Two queues.\n${QUEUE}`);
    const ofFiles = treeRows(workbench, 'About a file that changed').first();
    await ofFiles.waitFor();
    expect(await view(workbench, 'Memories of This Change').locator('.pane-header .description').textContent()).toBe(
      '1',
    );
    await workbench.screenshot('before-commit-dark');
    await touched.click();
    const now = workbench.page.locator('.monaco-diff-editor .editor.modified .view-line');
    await now.filter({ hasText: returns('a river') }).waitFor();
    await now.filter({ hasText: /1\sof\s1/ }).waitFor();
    await workbench.page.keyboard.press('y');
    await touched.waitFor({ state: 'detached' });
    await unfold(ofFiles);
    await treeRows(workbench, 'The queue holds a hundred').first().click();
    await now.filter({ hasText: /Two\squeues/ }).waitFor();
    await workbench.page.keyboard.press('y');
    const none = treeRows(workbench, 'This change leaves no memory in doubt').first();
    await none.waitFor();
    // The keys of the side bar do the same here, and open no page.
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.closeAllEditors'));
    write('queue.ts', `// Three queues.\n${QUEUE}`);
    await unfold(ofFiles);
    await treeRows(workbench, 'The queue holds a hundred').first().waitFor();
    await inHost(workbench, ({ commands }) => commands.executeCommand('agentMemory.beforeCommit.focus'));
    await arrowTo(workbench, 'Memories of This Change', 'The queue holds a hundred');
    await workbench.page.keyboard.press('y');
    await none.waitFor();
    expect(await workbench.page.locator('.tab').count()).toBe(0);
    write('queue.ts', QUEUE);
  });

  it('tell why a line is there, in a peek with the commit, and lead to the memory', async () => {
    await askWhy('store.ts', 1);
    const peek = workbench.page.locator('.peekview-widget');
    const line = (text: RegExp) => peek.locator('.view-line').filter({ hasText: text }).first();
    await line(/Keep\sit\sin\sfiles/).waitFor();
    await line(/The\sstore\sis\sa\sfolder\sof\sfiles/).waitFor();
    await line(/Still\sholds/).waitFor();
    await workbench.screenshot('why-here-dark');
    // In words of the language of the editor, with spaces in its address.
    await line(/Remember\swhy\sthis\sline/).click({ modifiers: ['ControlOrMeta'], position: { x: 30, y: 5 } });
    await quickInputRows(workbench).filter({ hasText: 'Decision' }).first().waitFor();
    await peek.waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('Escape');
  });

  it('tell first what is on the line itself, however far down it is', async () => {
    await askWhy('queue.ts', 62);
    const chosen = workbench.page.locator('.peekview-widget .ref-tree .monaco-list-row.focused');
    await chosen.filter({ hasText: 'Jobs are taken oldest first' }).waitFor();
    const shown = workbench.page.locator('.peekview-widget .view-line');
    await shown
      .filter({ hasText: /Why\sis\sline\s62/ })
      .first()
      .waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('are offered without those that were purged after the lens was drawn', async () => {
    await inHost(
      workbench,
      ({ commands, workspace }, known: string) => {
        const folder = workspace.workspaceFolders?.[0]?.uri;
        const argument = { folder: `${folder}`, file: `${folder}/store.ts`, symbol: 'openStore' };
        commands.executeCommand('agentMemory.showSymbolMemories', { ...argument, nodeIds: [known, 'f_gonegone'] });
      },
      decision,
    );
    await quickInputRows(workbench).filter({ hasText: 'The store is a folder of files' }).first().waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('have a colour of their own in themes of high contrast, too', async () => {
    await inHost(workbench, ({ workspace }) =>
      workspace.getConfiguration('workbench').update('colorTheme', 'Default High Contrast', true),
    );
    await workbench.page.locator('.monaco-workbench.hc-black').waitFor();
    for (const state of ['stale', 'missing', 'closed']) {
      const color = await workbench.page
        .locator('.monaco-workbench')
        .evaluate(
          (element, name) => getComputedStyle(element).getPropertyValue(name),
          `--vscode-agentMemory-${state}Foreground`,
        );
      expect(color.trim(), state).not.toBe('');
    }
  });

  it('can be told in a light theme', async () => {
    write('store.ts', returning('a cloud'));
    await inHost(workbench, ({ workspace }) =>
      workspace.getConfiguration('workbench').update('colorTheme', 'Default Light Modern', true),
    );
    await workbench.page.locator('.monaco-workbench.vs').waitFor();
    await openView(workbench, 'Agent Memory');
    await treeRows(workbench, 'The store is a folder of files', 'Review').first().waitFor();
    await workbench.screenshot('staleness-side-bar-light');
    await status().click();
    await pick(workbench, 'Review memories');
  });

  it('are on their function in review, also where they waited for a file before', async () => {
    await storeElsewhere(workbench, 'Both go together', 'fact', '--entities', 'takeJob', '--entities', 'store.ts');
    write('store.ts', returning('two files'));
    await treeRows(workbench, 'About a file that changed', 'Review').waitFor();
    const before = readFileSync(join(workbench.folder, 'queue.ts'), 'utf8');
    write('queue.ts', before.replace(/return .*;/, 'return "the oldest";'));
    // What is about whole files is folded.
    await treeRows(workbench, 'Both go together', 'Review').waitFor();
    write('queue.ts', before);
    await treeRows(workbench, 'Both go together', 'Review').waitFor({ state: 'detached' });
  });

  it('are not denied when the pending change leaves none, and others wait', async () => {
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: workbench.folder });
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '--all', '-m', 'Two files');
    await runCommand(workbench, 'Agent Memory: Review Memories of This Change');
    const said = /No file that Git knows is changed\. Others wait in Review: \d\./;
    await pressInNotification(workbench, said, 'Show Review');
    await treeRows(workbench, 'The store is a folder of files', 'Review').first().waitFor();
  });

  it('are those of the store that is used, and none without a store', async () => {
    const doubted = () =>
      inHost(workbench, ({ languages }) =>
        languages
          .getDiagnostics()
          .flatMap(([, list]) => list)
          .filter(({ source }) => source === 'Agent Memory')
          .map(({ message }) => message),
      );
    const inStore = (path: string | null): Promise<void> =>
      inHost(
        workbench,
        async ({ workspace }, to: string | null) =>
          workspace.getConfiguration('agentMemory').update('storePath', to ?? undefined, true),
        path,
      );
    const marked = () => status().filter({ hasText: /1/ });
    const seen = (sentence: string, yes: boolean) =>
      until(sentence, PATIENCE_MS, async () => (await doubted()).some((one) => one.includes('openStore')) === yes);
    write('store.ts', returning('memory'));
    await openFile(workbench, 'store.ts');
    await seen('the function is in doubt', true);
    await inStore('other.db');
    await seen('another store knows nothing of it', false);
    await marked().waitFor({ state: 'detached' });
    await inStore(null);
    await seen('it is in doubt again', true);
    await marked().waitFor();
    rmSync(join(workbench.folder, '.svc'), { recursive: true });
    await seen('no store knows anything of it', false);
    await marked().waitFor({ state: 'detached' });
  });
});
