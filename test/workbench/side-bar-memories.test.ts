import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFile, webview } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { pick, quickInput, quickInputRows, runCommand } from './support/palette';
import { happens, PATIENCE_MS, until } from './support/until';
import {
  contextAction,
  dialog,
  isSaid,
  notification,
  openView,
  pressInDialog,
  pressInNotification,
  treeRows,
  unfold,
  unfoldTo,
  view,
} from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

const FILES = {
  'store.ts': 'export function openStore(): string {\n  return "files";\n}\n',
  'src/queue.ts': 'export function dequeue(): number {\n  return 1;\n}\n',
  'src/shape.ts': 'export function shape(): shape {\n  return {};\n}\nexport interface shape {}\n',
  'src/parse.ts':
    'export function parse(text: string): string;\nexport function parse(bytes: number[]): string;\nexport function parse(all: unknown): string {\n  return String(all);\n}\n',
};

describe('the memories of the side bar', () => {
  let workbench: Workbench;
  const rows = (text: string | RegExp, inView?: string) => treeRows(workbench, text, inView).first();

  beforeAll(async () => {
    const settings = { 'workbench.colorTheme': 'Default Dark Modern' };
    workbench = await openWorkbench({ files: FILES, settings, size: { width: 1280, height: 900 } });
    await runProgram(workbench, 'svc-memory', 'init');
    await runProgram(workbench, 'svc-memory', 'start-session', 'Move the store to SQLite');
    await storeElsewhere(workbench, 'The store is one SQLite file', 'decision', '--entities', 'storage');
    await storeElsewhere(workbench, 'Many processes write at once', 'fact', '--entities', 'storage');
    await openView(workbench, 'Agent Memory');
    await unfoldTo(rows('Move the store to SQLite', 'Sessions'), rows('Many processes write at once', 'Sessions'));
  });
  afterAll(() => workbench?.close());

  it('are listed by kind, by file, and on the file in the editor', async () => {
    await storeElsewhere(workbench, 'Opening takes no lock', 'fact', '--entities', 'store.ts#openStore');
    await storeElsewhere(workbench, 'The oldest goes first', 'fact', '--entities', 'src/queue.ts#dequeue');
    await storeElsewhere(workbench, 'Jobs are kept in one file', 'fact', '--entities', 'src/queue.ts');
    await storeElsewhere(workbench, 'A text is given back as it is', 'fact', '--entities', 'src/parse.ts#parse');
    await storeElsewhere(workbench, 'Bytes are taken for UTF-8', 'fact', '--entities', 'src/parse.ts#parse');
    await storeElsewhere(workbench, 'Shapes are plain objects', 'fact', '--entities', 'src/shape.ts#shape');
    const group = async (by: string, title: string): Promise<void> => {
      await runCommand(workbench, 'Agent Memory: List Memories By…');
      await pick(workbench, by);
      await view(workbench, title).waitFor();
    };
    await group('Kinds', 'Kinds');
    const decisions = rows('Decision', 'Kinds');
    await decisions.waitFor();
    expect(await decisions.getAttribute('aria-label')).toBe('Decision, 1 memory');
    await unfoldTo(decisions, rows('The store is one SQLite file', 'Kinds'));
    // The key that takes back also where nothing is left to be seen.
    await runCommand(workbench, 'Agent Memory: Filter Side Bar…');
    await quickInput(workbench).fill('one SQLite');
    await workbench.page.keyboard.press('Enter');
    await rows('The store is one SQLite file', 'Kinds').click();
    await workbench.page.keyboard.press('Delete');
    await rows('Nothing here matches the filter.', 'Kinds').waitFor();
    await workbench.page.keyboard.press('ControlOrMeta+z');
    await rows('The store is one SQLite file', 'Kinds').waitFor();
    await runCommand(workbench, 'Agent Memory: Clear Filter');
    await group('Files', 'Files');
    await unfoldTo(rows('store.ts', 'Files'), rows('Opening takes no lock', 'Files'));
    await unfoldTo(rows('On no code', 'Files'), rows('Many processes write at once', 'Files'));
    await workbench.screenshot('side-bar-files');
    await group('This File', 'This File');
    await rows('Open a file to see what is remembered about it.', 'This File').waitFor();
    await openFile(workbench, 'store.ts');
    await rows('openStore', 'This File').waitFor();
    await rows('Opening takes no lock', 'This File').waitFor();
    await workbench.screenshot('side-bar-this-file');
    // The page of a memory takes the place of the file, not of the list.
    await rows('Opening takes no lock', 'This File').click();
    await workbench.page.locator('.tab.active', { hasText: 'Memory Explorer' }).waitFor();
    await webview(workbench).locator('p.content', { hasText: 'Opening takes no lock' }).waitFor();
    await rows('openStore', 'This File').waitFor();
    expect(await rows('Open a file to see', 'This File').count()).toBe(0);
    // The group of the file itself looks like a file, in whatever folder it is.
    await openFile(workbench, 'src/queue.ts');
    const icon = (text: string) => rows(text, 'This File').locator('.custom-view-tree-node-item-icon');
    await rows('dequeue', 'This File').waitFor();
    expect(await icon('dequeue').getAttribute('class')).toContain('codicon-symbol-method');
    expect(await icon('queue.ts').getAttribute('class')).toContain('codicon-file-code');
    // Overloads are one group, with each memory once.
    await openFile(workbench, 'src/parse.ts');
    await rows('Bytes are taken for UTF-8', 'This File').waitFor();
    const listed = treeRows(workbench, undefined, 'This File');
    expect(await listed.locator('.label-name').allTextContents()).toEqual([
      'parse',
      'Bytes are taken for UTF-8',
      'A text is given back as it is',
    ]);
    expect(await rows('parse', 'This File').getAttribute('aria-label')).toBe('parse, 2 memories');
    // What else has the same name is another group.
    await openFile(workbench, 'src/shape.ts');
    await rows('Shapes are plain objects', 'This File').waitFor();
    const both = view(workbench, 'This File').locator(
      '[aria-label="shape, 1 memory"] .custom-view-tree-node-item-icon',
    );
    const shown = await both.evaluateAll((icons) => icons.map(({ className }) => className));
    expect(shown).toEqual([
      expect.stringContaining('codicon-symbol-method'),
      expect.stringContaining('codicon-symbol-interface'),
    ]);
    await openFile(workbench, 'src/queue.ts');
    await rows('dequeue', 'This File').waitFor();
    // The number is of what is listed, and the file is in all of it.
    await runCommand(workbench, 'Agent Memory: Filter Side Bar…');
    await quickInput(workbench).fill('#dequeue');
    await workbench.page.keyboard.press('Enter');
    await view(workbench, 'This File').locator('.pane-header', { hasText: '1 memory · filter: #dequeue' }).waitFor();
    await rows('The oldest goes first', 'This File').waitFor();
    await rows('Jobs are kept in one file', 'This File').waitFor({ state: 'detached' });
    await openFile(workbench, 'store.ts');
    await rows('matches the filter.', 'This File').waitFor();
    await view(workbench, 'This File').locator('.pane-header', { hasText: '0 memories · filter' }).waitFor();
    await runCommand(workbench, 'Agent Memory: Clear Filter');
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.closeAllEditors'));
    await group('Sessions', 'Sessions');
    await unfold(rows('Move the store to SQLite', 'Sessions'));
  });

  it('take keys after a click: still true, rewrite, go to the page, forget', async () => {
    const { keyboard } = workbench.page;
    const row = rows('Opening takes no lock', 'Sessions');
    /** Of a row that is drawn again at this moment, a key does nothing. */
    const press = (key: string, done: Locator): Promise<unknown> =>
      until(`${key} does something`, PATIENCE_MS, async () => {
        await row.click();
        await webview(workbench).getByText('Opening takes no lock').first().waitFor();
        await keyboard.press(key);
        return happens(done.waitFor({ timeout: 2_000 }));
      });
    await press('y', notification(workbench, 'Still true: Opening takes no lock').first());
    await press('F2', quickInput(workbench));
    expect(await quickInput(workbench).inputValue()).toBe('Opening takes no lock');
    await keyboard.press('Escape');
    await press('Enter', webview(workbench).locator('h1:focus'));
    await press('Delete', notification(workbench, 'Forgotten: Opening takes no lock'));
    await row.waitFor({ state: 'detached' });
    // Keys go on with the next one.
    const keyed = view(workbench, 'Sessions').locator('.monaco-list-row.selected.focused');
    expect(await keyed.count()).toBe(1);
    // Nor does one that is brought back look like the one that they mean.
    const next = await keyed.textContent();
    await runCommand(workbench, 'Agent Memory: Restore Forgotten Memory');
    await pick(workbench, 'Opening takes no lock');
    await notification(workbench, 'Restored: Opening takes no lock').waitFor();
    await row.waitFor();
    expect(await keyed.textContent()).toBe(next);
    expect(await view(workbench, 'Sessions').locator('.monaco-list-row.selected').count()).toBe(1);
    await runCommand(workbench, 'Agent Memory: Undo Last Change');
    await row.waitFor({ state: 'detached' });
  });

  it('that are rewritten, or go, get the keys back when that is taken back', async () => {
    const { keyboard } = workbench.page;
    await storeElsewhere(workbench, 'Locks are advisory', 'fact');
    const keyed = (text: string) =>
      view(workbench, 'Sessions').locator('.monaco-list-row.selected.focused', { hasText: text });
    await until('F2 asks for other words', PATIENCE_MS, async () => {
      await rows('Locks are advisory', 'Sessions').click();
      await webview(workbench).getByText('Locks are advisory').first().waitFor();
      await keyboard.press('F2');
      // Not a second time while the first box is still coming: it would take the words of the first.
      await quickInput(workbench)
        .waitFor({ timeout: 10_000 })
        .catch(() => undefined);
      return quickInput(workbench).isVisible();
    });
    await quickInput(workbench).fill('Locks are mandatory');
    await keyboard.press('Enter');
    await keyed('Locks are mandatory').waitFor();
    await keyboard.press('Control+z');
    await notification(workbench, 'Undone. As it was before: Locks are advisory').waitFor();
    await keyed('Locks are advisory').waitFor();
    await keyboard.press('Delete');
    await notification(workbench, 'Forgotten: Locks are advisory').waitFor();
    // At once, while the list still has the row. The editor shows no fourth message within 0.8 s.
    await keyboard.press('Control+z');
    await keyed('Locks are advisory').waitFor();
    expect(await runProgram(workbench, 'svc-memory', 'nodes')).toContain('Locks are advisory');
    // Who has gone on to another row before the list has the new words stays there.
    await keyboard.press('F2');
    await quickInput(workbench).waitFor();
    await quickInput(workbench).fill('Locks are leases');
    await keyboard.press('Enter');
    await rows('Many processes write at once', 'Sessions').click();
    await rows('Locks are leases', 'Sessions').waitFor();
    // Longer than keys take to go to the new words.
    await workbench.page.waitForTimeout(1_500);
    expect(await keyed('Many processes write at once').count()).toBe(1);
    await runCommand(workbench, 'Agent Memory: Undo Last Change');
    await rows('Locks are advisory', 'Sessions').waitFor();
  });

  it('of which several are settled are taken back together, also while that goes on', async () => {
    const names = Array.from({ length: 6 }, (_, i) => `Note ${i + 1} of the release`);
    const ids: string[] = [];
    for (const name of names) ids.push(await storeElsewhere(workbench, name, 'fact'));
    const open = async () =>
      (JSON.parse(await runProgram(workbench, 'svc-memory', 'nodes', '--json')) as { id: string }[]).map(
        ({ id }) => id,
      );
    await inHost(
      workbench,
      async ({ commands, workspace }, nodeIds) => {
        const folder = workspace.workspaceFolders?.[0]?.uri.toString();
        const forgetting = commands.executeCommand('agentMemory.forget', { folder, namespace: 'default', nodeIds });
        await commands.executeCommand('agentMemory.undo', { onlyHere: true });
        await forgetting;
      },
      ids,
    );
    await notification(workbench, 'Undone. 6 memories are as they were before.').first().waitFor();
    expect(await open()).toEqual(expect.arrayContaining(ids));
  });

  it('of which somebody else has changed one since are taken back after a choice', async () => {
    const shown = quickInputRows(workbench);
    const undo = () => runCommand(workbench, 'Agent Memory: Undo Last Change');
    await contextAction(workbench, rows('Many processes write at once'), 'Forget');
    await notification(workbench, 'Forgotten: Many processes write at once').waitFor();
    const id = await storeElsewhere(workbench, 'An agent was here', 'fact');
    await undo();
    await shown.filter({ hasText: /An agent was here.*Stored · cli · / }).waitFor();
    await shown.filter({ hasText: /Many processes write at once.*Forgotten · in this window · / }).waitFor();
    await workbench.screenshot('undo-which');
    await workbench.page.keyboard.press('Escape');
    const isThere = async () => (await runProgram(workbench, 'svc-memory', 'nodes')).includes(id);
    expect(await isThere()).toBe(true);
    await undo();
    await shown.nth(1).waitFor();
    await workbench.page.keyboard.press('Enter');
    await notification(workbench, 'Undone. Not remembered any more: An agent was here').waitFor();
    expect(await isThere()).toBe(false);
    // Now nothing was done since.
    await undo();
    await notification(workbench, 'Undone. Remembered again: Many processes write at once').waitFor();
  });

  it('are put on the function at the cursor, and that is taken back', async () => {
    await openFile(workbench, 'store.ts');
    await inHost(workbench, ({ window, Selection }) => {
      if (window.activeTextEditor) window.activeTextEditor.selection = new Selection(1, 3, 1, 3);
    });
    await contextAction(workbench, rows('Many processes write at once'), 'Put on the Code Here');
    await notification(workbench, 'On the code at the cursor now: Many processes write at once').waitFor();
    expect(await runProgram(workbench, 'svc-memory', 'for-code', 'store.ts')).toContain('Many processes write at once');
    // Where it is there already, nothing is said to be done.
    await contextAction(workbench, rows('Many processes write at once'), 'Put on the Code Here');
    await notification(workbench, 'It was on store.ts#openStore already.').waitFor();
    await pressInNotification(workbench, 'On the code at the cursor now', 'Undo');
    await until(
      'it is on no code',
      PATIENCE_MS,
      async () => !(await runProgram(workbench, 'svc-memory', 'for-code', 'store.ts')).includes('Many processes'),
    );
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.closeAllEditors'));
  });

  it('are put on the function that their rows are dropped on, which is taken back in one step', async () => {
    await openFile(workbench, 'store.ts');
    const { mouse, keyboard } = workbench.page;
    const dropOnStore = async (row: Locator): Promise<void> => {
      const code = workbench.page.locator('.editor-instance .view-line:visible', { hasText: 'return' }).first();
      const at = await until('the code is seen', PATIENCE_MS, () => code.boundingBox());
      await row.hover();
      await mouse.down();
      // With Shift, as for files: what is dropped goes to the text, not to the editor.
      await keyboard.down('Shift');
      for (const x of [40, 20, 12]) await mouse.move(at.x + x, at.y + at.height / 2, { steps: 5 });
      await mouse.up();
      await keyboard.up('Shift');
    };
    await dropOnStore(rows('Many processes write at once', 'Sessions'));
    await notification(workbench, 'The memory was put on store.ts#openStore.').waitFor();
    await pressInNotification(workbench, 'The memory was put on store.ts#openStore.', 'Undo');
    await inHost(workbench, ({ commands }) => commands.executeCommand('agentMemory.sessions.focus'));
    await rows('The store is one SQLite file', 'Sessions').click();
    await openFile(workbench, 'store.ts');
    await rows('Many processes write at once', 'Sessions').click({ modifiers: ['ControlOrMeta'] });
    await openFile(workbench, 'store.ts');
    await dropOnStore(rows('Many processes write at once', 'Sessions'));
    await notification(workbench, '2 memories were put on store.ts#openStore.').waitFor();
    await runCommand(workbench, 'Agent Memory: Undo Last Change');
    await notification(workbench, 'Undone. 2 memories are as they were before.').waitFor();
    expect(await runProgram(workbench, 'svc-memory', 'for-code', 'store.ts')).not.toMatch(/Many processes|one SQLite/);
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.closeAllEditors'));
  });

  it('are deleted for good after two questions, and told from others that say the same', async () => {
    await storeElsewhere(workbench, 'The password is on a note', 'fact');
    // Another one that says the same, and was forgotten.
    const old = await storeElsewhere(workbench, 'The password is on a note', 'preference');
    await runProgram(workbench, 'svc-memory', 'forget', old);
    await runCommand(workbench, 'Agent Memory: Delete a Memory for Good…');
    await quickInput(workbench).fill('password');
    await quickInputRows(workbench).filter({ hasText: 'forgotten · Preference' }).waitFor();
    await pick(workbench, /on a note\s*Fact · /);
    await dialog(workbench)
      .filter({ hasText: 'The password is on a note' })
      .filter({ hasText: /Fact · .* · f_/ })
      .waitFor();
    await pressInDialog(workbench, 'Continue…');
    await dialog(workbench).filter({ hasText: 'You cannot undo this' }).waitFor();
    await pressInDialog(workbench, 'Cancel');
    expect(await runProgram(workbench, 'svc-memory', 'timeline', 'password')).toContain('on a note');

    await runCommand(workbench, 'Agent Memory: Delete a Memory for Good…');
    await pick(workbench, /on a note\s*Fact · /);
    await pressInDialog(workbench, 'Continue…');
    await dialog(workbench).filter({ hasText: 'You cannot undo this' }).waitFor();
    await pressInDialog(workbench, 'Delete for Good');
    await notification(workbench, 'The memory is deleted for good.').waitFor();
    // What is forgotten stays in the timeline.
    const left = await runProgram(workbench, 'svc-memory', 'timeline', 'password');
    expect(left.match(/\[\w+\](?=.* on a note)/g)).toEqual([`[${old}]`]);
  });

  it('are none in a session that has just begun', async () => {
    await runProgram(workbench, 'svc-memory', 'end-session', 'The store is moved');
    await runProgram(workbench, 'svc-memory', 'start-session', 'Tidy the queue');
    await unfoldTo(rows('Tidy the queue', 'Sessions'), rows('This session has no memories here.', 'Sessions'));
  });

  it('name their session where nobody did, also when its end is taken back', async () => {
    await runProgram(workbench, 'svc-memory', 'end-session', 'The queue is tidy');
    await storeElsewhere(workbench, 'The retry queue is bounded', 'fact');
    await runProgram(workbench, 'svc-memory', 'end-session', 'It is bounded');
    await runCommand(workbench, 'Agent Memory: Undo Last Change');
    await quickInputRows(workbench)
      .filter({ hasText: /It is bounded.*Session ended/ })
      .click();
    await isSaid(workbench, 'Undone. As it was before: The retry queue is bounded');
  });
});
