import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFile } from './support/editors';
import { runProgram, storeElsewhere } from './support/memory';
import { quickInput, quickInputRows } from './support/palette';
import { inlineAction, menuItem, notification, openView, treeRows, unfoldTo, view } from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

describe('the menus', () => {
  let workbench: Workbench;
  const memory = (text: string) => treeRows(workbench, text, 'Sessions').first();
  const header = (title: string) => view(workbench, title).locator('.pane-header');

  beforeAll(async () => {
    workbench = await openWorkbench({ files: { 'a.ts': 'export function a() {}\n' } });
    await runProgram(workbench, 'svc-memory', 'init');
    await storeElsewhere(workbench, 'The one that goes', 'fact');
    await storeElsewhere(workbench, 'The one that stays', 'fact');
    await storeElsewhere(workbench, 'Elsewhere it is otherwise', 'fact', '--namespace', 'experiment');
    await openView(workbench, 'Agent Memory');
    await unfoldTo(treeRows(workbench, 'session of', 'Sessions').first(), memory('The one that goes'));
  });
  afterAll(() => workbench?.close());

  it('of an editor offer to remember and to ask, on another machine, too', async () => {
    await openFile(workbench, 'a.ts');
    await workbench.page.locator('.monaco-editor .view-line').first().click({ button: 'right' });
    await menuItem(workbench, 'Remember Selection…').waitFor();
    await menuItem(workbench, 'Ask About the Symbol Here').waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('of a view undo what the editor did last, whichever row has the focus', async () => {
    await inlineAction(memory('The one that goes'), 'Forget');
    await memory('The one that goes').waitFor({ state: 'detached' });
    await memory('The one that stays').click({ modifiers: ['ControlOrMeta'] });
    await header('Sessions').hover();
    await header('Sessions').locator('.codicon-toolbar-more').click();
    await menuItem(workbench, 'Undo Last Change').hover();
    await workbench.page.keyboard.press('Enter');
    await notification(workbench, 'Undone').waitFor();
    await memory('The one that goes').waitFor();
  });

  it('of a view ask for the namespace, whichever one has the focus', async () => {
    await header('Namespaces').click();
    const other = treeRows(workbench, 'experiment', 'Namespaces').first();
    await other.click();
    await notification(workbench, 'The editor and new servers use "experiment" now.').waitFor();
    await header('Namespaces').hover();
    await header('Namespaces').locator('.action-label[aria-label^="Switch Namespace"]').click();
    await quickInput(workbench).waitFor();
    expect(await quickInputRows(workbench).locator('.label-name').allTextContents()).toEqual(
      expect.arrayContaining(['default', 'experiment']),
    );
    await quickInputRows(workbench).filter({ hasText: 'default' }).first().click();
    await notification(workbench, 'The editor and new servers use "default" now.').waitFor();
    await inlineAction(other, 'Switch to This Namespace');
    await notification(workbench, 'The editor and new servers use "experiment" now.').waitFor();
  });
});
