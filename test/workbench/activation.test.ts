import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFile } from './support/editors';
import { extensionLog } from './support/log';
import { runProgram } from './support/memory';
import { PATIENCE_MS, until } from './support/until';
import { dialog, isSaid, openView, pressInDialog, treeRows } from './support/views';
import { type Workbench, withWorkbench } from './support/workbench';

/** The programs of the extension that run for this workbench, by their names. */
function programsOf({ home }: Workbench): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        const program = /\/dist\/(svc[\w-]*)\.js\0/.exec(command)?.[1];
        const ours = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${home}\0`);
        return program !== undefined && ours ? [program] : [];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
}

const isActive = (workbench: Workbench) => () => extensionLog(workbench).includes('is active, after');

const SHARED = '---\nkind: fact\ndate: 2026-03-01\nid: f_bakilomu\n---\n\nPorts are opened by the proxy alone\n';

describe('the extension, before anything needs it', () => {
  it('starts no program and makes no file in a folder without a store', () =>
    withWorkbench({ files: { 'a.ts': 'export function a() {}\n' } }, async (workbench) => {
      await until('it is active', PATIENCE_MS, isActive(workbench));
      await openFile(workbench, 'a.ts');
      // The editor has asked for everything that it asks for by itself.
      await until('the servers are offered', PATIENCE_MS, () => extensionLog(workbench).includes('Offered to agents'));
      expect(programsOf(workbench)).toEqual([]);
      expect(existsSync(join(workbench.folder, '.svc'))).toBe(false);
      expect(existsSync(join(workbench.home, '.svc'))).toBe(false);

      // As soon as there is something to show, there is one server; also where a store comes at once with its folder.
      await runProgram({ ...workbench, folder: workbench.home }, 'svc-memory', 'init');
      renameSync(join(workbench.home, '.svc'), join(workbench.folder, '.svc'));
      await until('one server runs', PATIENCE_MS, () => programsOf(workbench).join() === 'svc-language-server');
    }));

  it('offers to read the shared memories of a folder without a store', () =>
    withWorkbench({ files: { '.svc/memories/ports.md': SHARED } }, async (workbench) => {
      await openView(workbench, 'Agent Memory');
      const { page } = workbench;
      await page.getByText('This folder has shared memories').first().waitFor();
      expect(await page.getByText('There are no memories here yet').count()).toBe(0);
      await workbench.screenshot('shared-not-read');
      await page.locator('.sidebar .monaco-button', { hasText: 'Read Shared Memories' }).click();
      const foreign = treeRows(workbench, 'Foreign shared files. Accept them');
      await treeRows(workbench, 'In no session').first().waitFor();
      await foreign.first().click();
      await dialog(workbench).filter({ hasText: '1 memory, in .svc/memories' }).waitFor();
      await workbench.screenshot('shared-foreign');
      await pressInDialog(workbench, 'Accept');
      await foreign.waitFor({ state: 'detached' });
      await isSaid(workbench, 'The shared memories are accepted');
      expect(await runProgram(workbench, 'svc-memory', 'recall', 'ports')).not.toContain('foreign');
    }));
});
