import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Runs the script of docs/team.md. @param root of this repository @param from folder of a replica that has ended @param to a new one */
export async function failOver(root: string, from: string, to: string): Promise<void> {
  const page = await readFile(`${root}/docs/team.md`, 'utf8');
  const [, script = ''] = /#### Fail over[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
  if (!script.includes('wallog')) throw new Error('docs/team.md has no script for a fail-over');
  await promisify(execFile)('/bin/sh', ['-c', script], { env: { PATH: process.env.PATH, FROM: from, TO: to } });
}
