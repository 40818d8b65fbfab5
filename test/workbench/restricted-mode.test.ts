// A folder that is not trusted, with a store of one's own: everything can be read, and nothing is written until it is
// trusted. One editor: every test finds what those before it made.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderSnapshot } from '../support/folder-snapshot';
import { codeLenses, hoverAt, openFile, webview } from './support/editors';
import { inHost } from './support/host';
import { extensionLog } from './support/log';
import { runProgram, storeElsewhere } from './support/memory';
import { commandsMatching, quickInput, quickInputRows, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import { notification, openView, statusBarItem, treeRows, unfoldTo, unnamedSessions, view } from './support/views';
import { EVERY_SIGNAL, openWorkbench, type Workbench } from './support/workbench';

const OPEN = 'export function openStore(): string {\n  return "files";\n}\n';

describe('a folder that is not trusted', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench({ files: { 'a.ts': OPEN }, trust: true, settings: EVERY_SIGNAL });
  });
  afterAll(() => workbench?.close());

  const clear = () => runCommand(workbench, 'Notifications: Clear All Notifications');
  const inStore = (path: string) => existsSync(join(workbench.folder, '.svc', path));

  it('opens in Restricted Mode, with the extension active', async () => {
    await workbench.page.locator('[id="status.workspaceTrust"]').waitFor();
    await until('the extension is active', PATIENCE_MS, () => extensionLog(workbench).includes('is active'));
    expect(inStore('')).toBe(false);
  });

  it('shows its memories, offers nothing that changes them, and nothing changes by itself', async () => {
    await runProgram(workbench, 'svc-memory', 'init');
    await storeElsewhere(workbench, 'Read me', 'decision');
    const before = folderSnapshot(workbench.folder);
    await openView(workbench, 'Agent Memory');
    const row = treeRows(workbench, 'Read me', 'Sessions').first();
    await unfoldTo(unnamedSessions(workbench).first(), row);
    await row.hover();
    expect(await row.locator('.action-label[aria-label^="Forget"]:not(.disabled)').count()).toBe(0);
    const build = view(workbench, 'Review').locator('.monaco-button', { hasText: 'Build Code Graph' });
    await build.waitFor();
    expect(await build.getAttribute('aria-disabled')).toBe('true');
    await inHost(workbench, ({ commands }) => void commands.executeCommand('agentMemory.forget'));
    await notification(workbench, 'not trusted').first().waitFor();
    await clear();
    await row.click();
    await workbench.page.keyboard.press('Delete');
    await notification(workbench, 'not trusted').first().waitFor();
    await clear();
    // The click has opened the page of the memory.
    await runCommand(workbench, 'View: Close All Editors');
    expect(folderSnapshot(workbench.folder)).toEqual(before);
  });

  it('has in its palette only what reads', async () => {
    for (const title of [
      'Forget',
      'Initialise Memory',
      'Remember Selection…',
      'Ingest Documents…',
      'Share Memory with Other Agents…',
    ]) {
      expect(await commandsMatching(workbench, `Agent Memory: ${title}`)).not.toContain(`Agent Memory: ${title}`);
    }
    await inHost(workbench, ({ commands }) => void commands.executeCommand('agentMemory.share'));
    await notification(workbench, 'not trusted').first().waitFor();
    await clear();
    expect(existsSync(join(workbench.folder, 'AGENTS.md'))).toBe(false);
    expect(inStore('graph.db')).toBe(false);
    await runCommand(workbench, 'Agent Memory: Search Memories…');
    await workbench.page.getByPlaceholder('#symbol').waitFor();
    await quickInput(workbench).fill('read');
    await quickInputRows(workbench).filter({ hasText: 'Read me' }).waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('tells that code has changed', async () => {
    await runProgram(workbench, 'svc', 'build');
    await storeElsewhere(workbench, 'It is a folder of files', 'fact', '--entities', 'openStore');
    await openFile(workbench, 'a.ts');
    await codeLenses(workbench, /1 memory$/).waitFor();
    await openView(workbench, 'Agent Memory');
    await treeRows(workbench, 'No memory is in doubt', 'Review').first().waitFor();
    writeFileSync(join(workbench.folder, 'a.ts'), OPEN.replace('files', 'sqlite'));
    await treeRows(workbench, 'Memories that no longer fit their code: 1', 'Review').first().waitFor();
    await treeRows(workbench, 'its memory is read-only', 'Review').first().waitFor();
    await statusBarItem(workbench, 'agentMemory.status').filter({ hasText: '1' }).waitFor();
    // What is offered on it writes nothing.
    const hover = await hoverAt(workbench, 'openStore', 'It is a folder of files');
    await hover.getByText('Open', { exact: true }).waitFor();
    expect(
      await hover.locator('a', { hasText: /^(?:Still True|No Longer True|Rewrite…|Open)$/ }).allTextContents(),
    ).toEqual(['Open']);
  });

  it('is only read in the explorer, until it is trusted', async () => {
    const page = () => webview(workbench);
    const action = (name: string) => page().getByRole('button', { name, exact: true });
    const openExplorer = () => inHost(workbench, ({ commands }) => commands.executeCommand('agentMemory.openExplorer'));
    await openExplorer();
    await page().locator('button.row', { hasText: 'Read me' }).first().click();
    await page().locator('p.content', { hasText: 'Read me' }).waitFor();
    await page().getByText('Memories are read-only until you trust this workspace').waitFor();
    for (const name of ['Still True', 'No Longer True', 'Rewrite…', 'Forget']) {
      expect(await action(name).isDisabled()).toBe(true);
    }
    await page().locator('ol.history', { hasText: 'Stored' }).waitFor();
    expect(await page().locator('ol.history button').count()).toBe(0);
    // Looking is free.
    await action('Show in graph').click();
    await page().locator('.graph-row', { hasText: 'Read me' }).waitFor();
    await action('Back').click();
    await workbench.screenshot('explorer-restricted');

    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.trust.manage'));
    await workbench.page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
    await openExplorer();
    await action('Forget').and(page().locator(':enabled')).click();
    await page().locator('.state', { hasText: 'forgotten' }).first().waitFor();
    await page().locator('.announcement').getByRole('button', { name: 'Undo' }).click();
    await page().locator('.state', { hasText: 'open' }).first().waitFor();
  });
});
