import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './editor-server';
import type { Workbench } from './workbench';

/** Runs one of the built command lines in a folder of the workbench: what another process does. */
export async function runProgram(
  workbench: Workbench,
  program: 'svc-memory' | 'svc',
  ...args: readonly string[]
): Promise<string> {
  const run = promisify(execFile)(process.execPath, [join(ROOT, 'dist', `${program}.js`), ...args], {
    cwd: workbench.folder,
    env: { PATH: process.env.PATH, HOME: workbench.home },
  });
  const { stdout } = await run.catch(
    (error: { readonly code?: number; readonly stdout: string; readonly stderr: string }) => {
      // Nothing was found, and said so.
      if (error.code === 1 && error.stdout !== '') return error;
      throw error;
    },
  );
  return stdout;
}

/** What another process stored, by its id. */
export async function storeElsewhere(
  workbench: Workbench,
  content: string,
  kind: string,
  ...args: readonly string[]
): Promise<string> {
  const json = await runProgram(workbench, 'svc-memory', 'store', content, '--kind', kind, '--json', ...args);
  // What memory_store answers.
  return (JSON.parse(json) as { node_id: string }).node_id;
}
