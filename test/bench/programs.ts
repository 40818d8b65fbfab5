/** Runs our programs as a person would. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { ROOT } from './servers';

export interface CommandPlace {
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
}

export const program = (name: string): string => resolve(ROOT, 'dist', `${name}.js`);

/** Runs Node to its end. @throws Error when it fails */
export function ended({ project, environment }: CommandPlace, args: readonly string[], input = ''): Promise<void> {
  return new Promise((done, fail) => {
    const env = { PATH: process.env.PATH ?? '', ...environment };
    const child = spawn(process.execPath, args, { cwd: project, env, stdio: ['pipe', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    child.on('error', fail);
    child.on('close', (status) => (status === 0 ? done() : fail(new Error(`${args.join(' ')}: ${said}`))));
    child.stdin.end(input);
  });
}
