import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './editor-server';
import type { Workbench } from './workbench';

/** `svc-memory …` in the folder of the workbench, as somebody in a terminal beside the editor would run it. */
export async function commandLine({ folder, home }: Workbench, ...args: readonly string[]): Promise<string> {
  const program = join(ROOT, 'dist', 'svc-memory.js');
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { cwd: folder, env });
  return stdout;
}
