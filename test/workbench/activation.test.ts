import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFile } from './support/editors';
import { extensionLog } from './support/log';
import { runProgram } from './support/memory';
import { PATIENCE_MS, until } from './support/until';
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
});
