import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram, storeElsewhere } from './support/memory';
import { processesIn, programsIn } from './support/processes';
import { PATIENCE_MS, until } from './support/until';
import { openView, statusBarItem, treeRows, unfold, unfoldTo, unnamedSessions, view } from './support/views';
import { withWorkbench } from './support/workbench';

const OPEN = 'export function openStore(): string {\n  return "files";\n}\n';

describe('the side bar', () => {
  it('counts once what folders share, whose store is that of the folder above them', () =>
    withWorkbench({ folders: { one: { 'a.ts': OPEN }, two: { 'b.ts': '' } } }, async (workbench) => {
      await runProgram(workbench, 'svc-memory', 'init');
      await runProgram(workbench, 'svc', 'build');
      await storeElsewhere(workbench, 'It is a folder of files', 'fact', '--entities', 'openStore');
      await openView(workbench, 'Agent Memory');
      await unnamedSessions(workbench).nth(1).waitFor();
      writeFileSync(join(workbench.folder, 'one', 'a.ts'), OPEN.replace('files', 'sqlite'));
      await treeRows(workbench, 'It is a folder of files', 'Review').nth(1).waitFor();
      const badge = workbench.page.locator(
        '.activitybar .action-item:has(a[aria-label^="Agent Memory"]) .badge-content',
      );
      await badge.filter({ hasText: /./ }).waitFor();
      expect(await badge.textContent()).toBe('1');
    }));

  it('offers to build a code graph where there is none, and asks again for what a server that died has not answered', () =>
    withWorkbench({ files: { 'a.ts': '' }, settings: { 'agentMemory.autoBuild': false } }, async (workbench) => {
      await runProgram(workbench, 'svc-memory', 'init');
      await storeElsewhere(workbench, 'Not linked to code', 'fact');
      await statusBarItem(workbench, 'agentMemory.status').filter({ hasText: 'Memory' }).waitFor();
      const pid = await until(
        'a server runs',
        PATIENCE_MS,
        () => programsIn(workbench.home, 'svc-language-server')[0]?.pid,
      );
      process.kill(pid, 'SIGSTOP');
      await openView(workbench, 'Agent Memory');
      // What is not known yet is not called nothing.
      await workbench.page.waitForTimeout(3_000);
      expect(await view(workbench, 'Sessions').getByText('Nothing is remembered').count()).toBe(0);
      process.kill(pid, 'SIGCONT');
      // Nothing can go stale without a graph.
      await view(workbench, 'Review').getByText('Build Code Graph').waitFor();
      await view(workbench, 'Review').getByText('Find Near-Duplicates').click();
      await treeRows(workbench, 'Memories here are not linked to code', 'Review').first().waitFor();
      await treeRows(workbench, 'Near-duplicates', 'Review').first().waitFor();

      const session = unnamedSessions(workbench).first();
      await session.waitFor();
      process.kill(pid, 'SIGSTOP');
      await until('what is below the row is asked for', PATIENCE_MS, async () => {
        await unfold(session);
        return (await session.getAttribute('aria-expanded')) === 'true';
      });
      process.kill(pid, 'SIGKILL');
      await unfoldTo(session, treeRows(workbench, 'Not linked to code', 'Sessions').first());
    }));

  it('a store that is made before the editor watches the folder is found, and its code graph is built', () =>
    withWorkbench({ files: { 'a.ts': OPEN } }, async (workbench) => {
      const watcher = processesIn(workbench.home).find(({ commandLine }) => commandLine.includes('--type=fileWatcher'));
      // As one that is still busy with beginning to watch.
      process.kill(watcher?.pid ?? Number.NaN, 'SIGSTOP');
      await runProgram(workbench, 'svc-memory', 'init');
      await storeElsewhere(workbench, 'It is a folder of files', 'fact', '--entities', 'openStore');
      await until('the code graph is built', PATIENCE_MS, () => existsSync(join(workbench.folder, '.svc/graph.db')));
    }));

  it('a code graph that is deleted is built again', () =>
    withWorkbench({ files: { 'a.ts': OPEN } }, async (workbench) => {
      await runProgram(workbench, 'svc-memory', 'init');
      await storeElsewhere(workbench, 'It is a folder of files', 'fact', '--entities', 'openStore');
      await openView(workbench, 'Agent Memory');
      const graph = join(workbench.folder, '.svc/graph.db');
      await treeRows(workbench, 'No memory is in doubt', 'Review').first().waitFor();
      // One that goes before anybody has seen it was never there.
      await workbench.page.waitForTimeout(3_000);
      for (const ending of ['', '-wal', '-shm']) rmSync(`${graph}${ending}`, { force: true });
      await until('it is built once more', PATIENCE_MS, () => existsSync(graph));
      await treeRows(workbench, 'No memory is in doubt', 'Review').first().waitFor();
    }));

  it('marks the store in the home directory', () =>
    withWorkbench({ files: { 'a.ts': '' }, settings: { 'agentMemory.autoInit': false } }, async (workbench) => {
      await storeElsewhere(workbench, 'For every folder', 'preference');
      await openView(workbench, 'Agent Memory');
      const session = unnamedSessions(workbench).first();
      await unfoldTo(session, treeRows(workbench, 'For every folder', 'Sessions').first());
      await view(workbench, 'Sessions').locator('.pane-header', { hasText: 'home store' }).waitFor();
    }));
});
