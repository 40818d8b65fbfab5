import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { webview } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { contextAction, openView, treeRows, unfoldTo, view } from './support/views';
import { type Workbench, withWorkbench } from './support/workbench';

const openExplorer = (workbench: Workbench) =>
  inHost(workbench, ({ commands }) => commands.executeCommand('agentMemory.openExplorer'));
const page = (workbench: Workbench) => webview(workbench);
const row = (workbench: Workbench, text: string) => page(workbench).locator('button.row', { hasText: text }).first();
const shownFolder = (workbench: Workbench) => page(workbench).getByLabel('Folder').locator('option:checked');

/** A store in one of several folders, with a memory in it. */
async function rememberIn(workbench: Workbench, name: string, content: string): Promise<void> {
  const folder = { ...workbench, folder: join(workbench.folder, name) };
  await runProgram(folder, 'svc-memory', 'init');
  await storeElsewhere(folder, content, 'decision', '--entities', `${name} thing`);
}

describe('the Memory explorer', () => {
  it('shows the memory of one of several folders, of another on demand, and of one that is left when that is closed', () =>
    withWorkbench({ folders: { red: { 'a.ts': '' }, blue: { 'b.ts': '' } } }, async (workbench) => {
      await rememberIn(workbench, 'red', 'It is red here');
      await rememberIn(workbench, 'blue', 'It is blue here');
      await openExplorer(workbench);
      await row(workbench, 'It is red here').waitFor();
      expect(await shownFolder(workbench).textContent()).toBe('red');

      for (const [name, other] of [
        ['blue', 'red'],
        ['red', 'blue'],
        ['blue', 'red'],
      ] as const) {
        await page(workbench).getByLabel('Folder').selectOption(name);
        await row(workbench, `It is ${name} here`).waitFor();
        expect(await row(workbench, `It is ${other} here`).count()).toBe(0);
      }
      await workbench.screenshot('explorer-folders');

      // What is opened from elsewhere in the window brings its folder with it.
      await openView(workbench, 'Agent Memory');
      const memory = treeRows(workbench, 'It is red here', 'Sessions').first();
      await unfoldTo(treeRows(workbench, 'session of', 'Sessions').first(), memory);
      await memory.click();
      await page(workbench).locator('p.content', { hasText: 'It is red here' }).waitFor();
      expect(await shownFolder(workbench).textContent()).toBe('red');

      await page(workbench).getByLabel('Folder').selectOption('blue');
      await row(workbench, 'It is blue here').waitFor();
      await inHost(workbench, ({ workspace }) => workspace.updateWorkspaceFolders(1, 1));
      await row(workbench, 'It is red here').waitFor();
      await page(workbench).getByLabel('Folder').waitFor({ state: 'detached' });
    }));

  it('only reads until the workspace is trusted, says so, and then changes what it is told to', () =>
    withWorkbench({ files: { 'a.ts': '' }, trust: true }, async (workbench) => {
      await runProgram(workbench, 'svc-memory', 'init');
      await storeElsewhere(workbench, 'Everybody may read this', 'decision');
      await openExplorer(workbench);
      await row(workbench, 'Everybody may read this').click();
      await page(workbench).locator('p.content', { hasText: 'Everybody may read this' }).waitFor();
      const action = (name: string) => page(workbench).getByRole('button', { name, exact: true });
      await page(workbench).getByText('Memories are read-only until you trust this workspace').waitFor();
      for (const name of ['Confirm', 'Refute', 'Supersede…', 'Forget']) {
        expect(await action(name).isDisabled()).toBe(true);
      }
      await page(workbench).locator('ol.history', { hasText: 'Stored' }).waitFor();
      expect(await page(workbench).locator('ol.history button').count()).toBe(0);
      // Looking is free.
      await action('Show in graph').click();
      await page(workbench).locator('.graph-row', { hasText: 'Everybody may read this' }).waitFor();
      await action('Back').click();
      await workbench.screenshot('explorer-restricted');

      await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.trust.manage'));
      await workbench.page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
      await openExplorer(workbench);
      await action('Forget').and(page(workbench).locator(':enabled')).click();
      await page(workbench).locator('.state', { hasText: 'forgotten' }).first().waitFor();
      await page(workbench).locator('.announcement').getByRole('button', { name: 'Undo' }).click();
      await page(workbench).locator('.state', { hasText: 'open' }).first().waitFor();
    }));

  it('is opened from the side bar at a memory, at an entity and at a session', () =>
    withWorkbench({ files: { 'a.ts': '' } }, async (workbench) => {
      await runProgram(workbench, 'svc-memory', 'init');
      await runProgram(workbench, 'svc-memory', 'start-session', 'Move the store to SQLite');
      await storeElsewhere(workbench, 'Memories lie in one file', 'decision', '--entities', 'storage');
      await openView(workbench, 'Agent Memory');
      const session = treeRows(workbench, 'Move the store', 'Sessions').first();
      const memory = treeRows(workbench, 'Memories lie in one file', 'Sessions').first();
      await unfoldTo(session, memory);
      await view(workbench, 'Entities').locator('.pane-header').click();
      const entity = treeRows(workbench, 'storage', 'Entities').first();
      await entity.waitFor();
      for (const [each, kind, content, below] of [
        [entity, 'Entity', 'storage', 'Known about it'],
        [session, 'Session', 'Move the store to SQLite', 'Stored in it'],
        [memory, 'Decision', 'Memories lie in one file', 'Origin'],
      ] as const) {
        await contextAction(workbench, each, 'Open Memory');
        await page(workbench).locator('h1', { hasText: kind }).waitFor();
        await page(workbench).locator('p.content', { hasText: content }).waitFor();
        await page(workbench).locator('h2', { hasText: below }).waitFor();
      }
    }));
});
