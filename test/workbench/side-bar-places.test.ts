import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderSnapshot } from '../support/folder-snapshot';
import { codeLenses, hoverAt, openFile, webview } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { commandsMatching } from './support/palette';
import { programsIn } from './support/processes';
import { PATIENCE_MS, until } from './support/until';
import { notification, openView, statusBarItem, treeRows, unfold, unfoldTo, view } from './support/views';
import { withWorkbench } from './support/workbench';

const OPEN = 'export function openStore(): string {\n  return "files";\n}\n';

describe('the side bar', () => {
  it('says what a memory belongs to when no folder is open', () =>
    withWorkbench({ empty: true }, async (workbench) => {
      await openView(workbench, 'Agent Memory');
      await view(workbench, 'Sessions').getByText('Open Folder', { exact: true }).waitFor();
      expect(await statusBarItem(workbench, 'agentMemory.status').count()).toBe(0);
      await inHost(workbench, ({ commands }) => void commands.executeCommand('agentMemory.forget'));
      await notification(workbench, 'Agent Memory needs one').waitFor();
    }));

  it('has a row for each of several folders', () =>
    withWorkbench({ folders: { one: { 'a.ts': '' }, two: { 'b.ts': '' } } }, async (workbench) => {
      await runProgram({ ...workbench, folder: `${workbench.folder}/one` }, 'svc-memory', 'init');
      await storeElsewhere({ ...workbench, folder: `${workbench.folder}/one` }, 'Only here', 'fact');
      await openView(workbench, 'Agent Memory');
      const one = treeRows(workbench, /^one/, 'Sessions').first();
      await one.waitFor();
      const session = treeRows(workbench, 'session of', 'Sessions').first();
      await unfoldTo(session, treeRows(workbench, 'Only here', 'Sessions').first());
      const two = treeRows(workbench, /^two/, 'Sessions').first();
      expect(await two.getAttribute('aria-label')).toContain('no store yet');
      await treeRows(workbench, 'No memory has been stored yet', 'Sessions').first().waitFor();
      await workbench.screenshot('side-bar-folders');
    }));

  it('counts once what folders share, whose store is that of the folder above them', () =>
    withWorkbench({ folders: { one: { 'a.ts': OPEN }, two: { 'b.ts': '' } } }, async (workbench) => {
      await runProgram(workbench, 'svc-memory', 'init');
      await runProgram(workbench, 'svc', 'build');
      await storeElsewhere(workbench, 'It is a folder of files', 'fact', '--entities', 'openStore');
      await openView(workbench, 'Agent Memory');
      await treeRows(workbench, 'session of', 'Sessions').nth(1).waitFor();
      writeFileSync(join(workbench.folder, 'one', 'a.ts'), OPEN.replace('files', 'sqlite'));
      await treeRows(workbench, 'It is a folder of files', 'Review').nth(1).waitFor();
      const badge = workbench.page.locator(
        '.activitybar .action-item:has(a[aria-label^="Agent Memory"]) .badge-content',
      );
      await badge.filter({ hasText: /./ }).waitFor();
      expect(await badge.textContent()).toBe('1');
    }));

  it('leaves the status bar with the folder of the last file while a page is in front', () =>
    withWorkbench({ folders: { one: { 'a.ts': '' }, two: { 'b.ts': '' } } }, async (workbench) => {
      const status = () => statusBarItem(workbench, 'agentMemory.status').locator('a').getAttribute('aria-label');
      await openFile(workbench, 'b.ts');
      await until('the folder of the file is shown', PATIENCE_MS, async () => (await status())?.includes('/two/.svc/'));
      await inHost(workbench, ({ commands }) => commands.executeCommand('agentMemory.openExplorer'));
      await webview(workbench).locator('h1').waitFor();
      // Something that makes it look again.
      await runProgram({ ...workbench, folder: `${workbench.folder}/two` }, 'svc-memory', 'init');
      await until('it has looked again', PATIENCE_MS, async () => (await status())?.includes('No session is open'));
      expect(await status()).toContain('/two/.svc/');
    }));

  it('asks again for what a server that died has not answered', () =>
    withWorkbench({ files: { 'a.ts': '' } }, async (workbench) => {
      await runProgram(workbench, 'svc-memory', 'init');
      await storeElsewhere(workbench, 'Not answered at first', 'fact');
      await openView(workbench, 'Agent Memory');
      const session = treeRows(workbench, 'session of', 'Sessions').first();
      await session.waitFor();
      const pid = await until(
        'a server runs',
        PATIENCE_MS,
        () => programsIn(workbench.home, 'svc-language-server')[0]?.pid,
      );
      process.kill(pid, 'SIGSTOP');
      await until('what is below the row is asked for', PATIENCE_MS, async () => {
        await unfold(session);
        return (await session.getAttribute('aria-expanded')) === 'true';
      });
      process.kill(pid, 'SIGKILL');
      await unfoldTo(session, treeRows(workbench, 'Not answered at first', 'Sessions').first());
    }));

  it('offers to build a code graph where there is none, because nothing can go stale without', () =>
    withWorkbench({ files: { 'a.ts': '' }, settings: { 'agentMemory.autoBuild': false } }, async (workbench) => {
      await runProgram(workbench, 'svc-memory', 'init');
      await storeElsewhere(workbench, 'Not linked to code', 'fact');
      await openView(workbench, 'Agent Memory');
      await view(workbench, 'Review').getByText('Build Code Graph').waitFor();
      await view(workbench, 'Review').getByText('Find Near-Duplicates').click();
      await treeRows(workbench, 'Memories here are not linked to code', 'Review').first().waitFor();
      await treeRows(workbench, 'Near-duplicates', 'Review').first().waitFor();
    }));

  it('marks the store in the home directory', () =>
    withWorkbench({ files: { 'a.ts': '' }, settings: { 'agentMemory.autoInit': false } }, async (workbench) => {
      await storeElsewhere(workbench, 'For every folder', 'preference');
      await openView(workbench, 'Agent Memory');
      const session = treeRows(workbench, 'session of', 'Sessions').first();
      await unfoldTo(session, treeRows(workbench, 'For every folder', 'Sessions').first());
      await view(workbench, 'Sessions').locator('.pane-header', { hasText: 'default · home store' }).waitFor();
    }));

  it('shows memories in Restricted Mode, offers nothing that changes them, and changes nothing itself', () =>
    withWorkbench({ files: { 'a.ts': '' }, trust: true }, async (workbench) => {
      await runProgram(workbench, 'svc-memory', 'init');
      await storeElsewhere(workbench, 'Read me', 'fact');
      const before = folderSnapshot(workbench.folder);
      await openView(workbench, 'Agent Memory');
      const row = treeRows(workbench, 'Read me', 'Sessions').first();
      await unfoldTo(treeRows(workbench, 'session of', 'Sessions').first(), row);
      await row.hover();
      expect(await row.locator('.action-label[aria-label^="Forget"]:not(.disabled)').count()).toBe(0);
      const build = view(workbench, 'Review').locator('.monaco-button', { hasText: 'Build Code Graph' });
      await build.waitFor();
      expect(await build.getAttribute('aria-disabled')).toBe('true');
      expect(await commandsMatching(workbench, 'Agent Memory: Forget')).not.toContain('Agent Memory: Forget');
      await inHost(workbench, ({ commands }) => void commands.executeCommand('agentMemory.forget'));
      await notification(workbench, 'not trusted').waitFor();
      expect(folderSnapshot(workbench.folder)).toEqual(before);
    }));

  it('tells in Restricted Mode, too, that code has changed', () =>
    withWorkbench({ files: { 'a.ts': OPEN }, trust: true }, async (workbench) => {
      await runProgram(workbench, 'svc-memory', 'init');
      await runProgram(workbench, 'svc', 'build');
      await storeElsewhere(workbench, 'It is a folder of files', 'fact', '--entities', 'openStore');
      await openFile(workbench, 'a.ts');
      await codeLenses(workbench, /^1 fact$/).waitFor();
      await openView(workbench, 'Agent Memory');
      await treeRows(workbench, 'Every memory still fits its code', 'Review').first().waitFor();
      writeFileSync(join(workbench.folder, 'a.ts'), OPEN.replace('files', 'sqlite'));
      await treeRows(workbench, 'Memories that no longer fit their code: 1', 'Review').first().waitFor();
      await treeRows(workbench, 'its memory is read-only', 'Review').first().waitFor();
      await statusBarItem(workbench, 'agentMemory.status').filter({ hasText: '1' }).waitFor();
      // What is offered on it writes nothing.
      const hover = await hoverAt(workbench, 'openStore', 'It is a folder of files');
      expect(await hover.locator('a', { hasText: /^(?:Confirm|Refute|Supersede|Open)$/ }).allTextContents()).toEqual([
        'Open',
      ]);
    }));
});
