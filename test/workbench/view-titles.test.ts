import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webview } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { quickInput, quickInputRows, runCommand } from './support/palette';
import { happens, PATIENCE_MS, until } from './support/until';
import {
  contextAction,
  inlineAction,
  isSaid,
  menuItem,
  openView,
  pressInNotification,
  treeRows,
  unfoldTo,
  unnamedSessions,
  view,
} from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

describe('the title of a view', () => {
  let workbench: Workbench;
  const memory = (text: string) => treeRows(workbench, text, 'Sessions').first();
  const forget = async (text: string): Promise<void> => {
    await until(`Delete forgets "${text}"`, PATIENCE_MS, async () => {
      await memory(text).click();
      await workbench.page.keyboard.press('Delete');
      return happens(memory(text).waitFor({ state: 'detached', timeout: 2_000 }));
    });
  };
  /** What is said next may be the same. */
  const told = async (text: string): Promise<void> => {
    await isSaid(workbench, text);
    await inHost(workbench, ({ commands }) => commands.executeCommand('notifications.clearAll'));
  };
  const header = (title: string) => view(workbench, title).locator('.pane-header');

  beforeAll(async () => {
    workbench = await openWorkbench({ files: { 'a.ts': '' } });
    await runProgram(workbench, 'svc-memory', 'init');
    await storeElsewhere(workbench, 'The one that goes', 'fact');
    await storeElsewhere(workbench, 'The one that stays', 'fact');
    await storeElsewhere(workbench, 'Elsewhere it is otherwise', 'fact', '--namespace', 'experiment');
    await openView(workbench, 'Agent Memory');
    await unfoldTo(unnamedSessions(workbench).first(), memory('The one that goes'));
  });
  afterAll(() => workbench?.close());

  it('undoes what the editor did last, whichever row has the focus', async () => {
    await contextAction(workbench, memory('The one that goes'), 'Forget');
    await memory('The one that goes').waitFor({ state: 'detached' });
    await memory('The one that stays').click({ modifiers: ['ControlOrMeta'] });
    await header('Sessions').hover();
    await header('Sessions').locator('.codicon-toolbar-more').click();
    await menuItem(workbench, 'Undo Last Change').hover();
    await workbench.page.keyboard.press('Enter');
    await told('Undone');
    await memory('The one that goes').waitFor();
  });

  it('stands above sessions that are called the same on their page and in the search, with who wrote them', async () => {
    const session = unnamedSessions(workbench).filter({ hasText: 'The one that goes' }).first();
    expect(await session.getAttribute('aria-label')).toMatch(
      /^Session about The one that goes, .*written by the agent cli/,
    );
    await contextAction(workbench, session, 'Open Memory');
    await webview(workbench).locator('h1', { hasText: 'Session' }).waitFor();
    expect(await webview(workbench).locator('p.content').textContent()).toBe('The one that goes');
    await webview(workbench).locator('ul.rows').getByText('The one that goes').click();
    await webview(workbench).locator('h1', { hasText: 'Fact' }).waitFor();
    await webview(workbench).locator('dd button.link', { hasText: 'The one that goes' }).waitFor();
    await runCommand(workbench, 'Agent Memory: Search Memories…');
    await quickInput(workbench).fill('goes');
    const named = quickInputRows(workbench).locator('.label-name', { hasText: 'The one that goes' });
    await until('the session is found, too', PATIENCE_MS, async () => (await named.count()) === 2);
    expect(await quickInputRows(workbench).filter({ hasText: 'session of' }).count()).toBe(0);
    await workbench.page.keyboard.press('Escape');
  });

  it('undoes with the key of the editor after Delete, and nothing that another program did', async () => {
    const { keyboard } = workbench.page;
    await forget('The one that stays');
    await forget('The one that goes');
    await storeElsewhere(workbench, 'Written meanwhile', 'fact');
    // The same was said before.
    await inHost(workbench, ({ commands }) => commands.executeCommand('notifications.clearAll'));
    // In a hurry, too.
    await keyboard.press('ControlOrMeta+z');
    await keyboard.press('ControlOrMeta+z');
    await memory('The one that goes').waitFor();
    await memory('The one that stays').waitFor();
    await isSaid(workbench, 'Undone. Remembered again: The one that goes');
    await isSaid(workbench, 'Undone. Remembered again: The one that stays');
    // What was undone last is done again first, until nothing is left.
    await memory('Written meanwhile').click();
    await keyboard.press('ControlOrMeta+Shift+z');
    await memory('The one that stays').waitFor({ state: 'detached' });
    await memory('Written meanwhile').click();
    await keyboard.press(process.platform === 'darwin' ? 'Meta+Shift+z' : 'Control+y');
    await memory('The one that goes').waitFor({ state: 'detached' });
    // The messages of the undoing are still there, with their buttons.
    await pressInNotification(workbench, 'Undone. Remembered again: The one that goes', 'Redo');
    await told('That was done again already.');
    const isNothing = workbench.page.locator('.statusbar', { hasText: 'is left to redo' }).waitFor();
    await memory('Written meanwhile').click();
    await keyboard.press('ControlOrMeta+Shift+z');
    await isNothing;
    await memory('Written meanwhile').click();
    await keyboard.press('ControlOrMeta+z');
    await keyboard.press('ControlOrMeta+z');
    await memory('The one that goes').waitFor();
    await memory('The one that stays').waitFor();
    await isSaid(workbench, 'Undone. As it was before: The one that goes');
    await told('Undone. As it was before: The one that stays');
    await memory('Written meanwhile').click();
    await keyboard.press('ControlOrMeta+z');
    await told('Nothing that was done in this window is left to undo.');
    const listed = await runProgram(workbench, 'svc-memory', 'nodes');
    expect(listed).toContain('Written meanwhile');

    // What somebody else has changed since is in the way of nothing.
    const id = /f_\w+(?=[^\n]*Written meanwhile)/.exec(listed)?.[0] ?? '';
    await forget('Written meanwhile');
    await runProgram(workbench, 'svc-memory', 'restore', id);
    await memory('Written meanwhile').click();
    await keyboard.press('ControlOrMeta+z');
    await told('This can no longer be undone. It was undone before');
    await memory('Written meanwhile').click();
    await keyboard.press('ControlOrMeta+z');
    await told('Nothing that was done in this window is left to undo.');
    // Of what cannot be done again, the words are about that.
    await forget('Written meanwhile');
    await memory('The one that goes').click();
    await keyboard.press('ControlOrMeta+z');
    await told('Undone. Remembered again: Written meanwhile');
    await runProgram(workbench, 'svc-memory', 'forget', '--node-id', id);
    await memory('The one that goes').click();
    await keyboard.press('ControlOrMeta+Shift+z');
    await told('This can no longer be redone. It was done again before');
  });

  it('asks for the namespace, whichever one has the focus', async () => {
    await forget('The one that goes');
    await header('Namespaces').click();
    const other = treeRows(workbench, 'experiment', 'Namespaces').first();
    await other.click();
    await told('The editor and new servers now use "experiment".');
    // A key takes back nothing that is not shown.
    await other.click();
    await workbench.page.keyboard.press('ControlOrMeta+z');
    await told('What is left to undo is in the namespace "default". Switch to it first.');
    await header('Namespaces').hover();
    await header('Namespaces').locator('.action-label[aria-label^="Switch Namespace"]').click();
    await quickInput(workbench).waitFor();
    expect(await quickInputRows(workbench).locator('.label-name').allTextContents()).toEqual(
      expect.arrayContaining(['default', 'experiment']),
    );
    await quickInputRows(workbench).filter({ hasText: 'default' }).first().click();
    await told('The editor and new servers now use "default".');
    await inlineAction(other, 'Switch to This Namespace');
    await told('The editor and new servers now use "experiment".');
    // A name that was typed to find it need not be typed again to make it.
    await runCommand(workbench, 'Agent Memory: Switch Namespace…');
    await quickInput(workbench).fill('billing');
    await quickInputRows(workbench).filter({ hasText: 'New namespace "billing"' }).first().waitFor();
    await workbench.page.keyboard.press('Enter');
    await told('The editor and new servers now use "billing".');
  });
});
