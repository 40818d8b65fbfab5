/** The main of `svc-memory`. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runCommandLine } from './command-line';

/** Commands with a bundle of their own: the protocol and its server are most of it. */
const OF_A_TEAM = new Set(['serve', 'admin']);

/** `svc-memory`: the memory for people at a terminal. What is not needed is not loaded. */
async function main(): Promise<void> {
  if (OF_A_TEAM.has(process.argv[2] ?? '')) {
    createRequire(__filename)(join(__dirname, 'svc-team.bundle.js'));
    return;
  }
  const isHook = process.argv[2] === 'hook';
  const build = isHook
    ? (await import('../cli/hook-program')).buildHookProgram
    : (await import('../cli/program')).buildProgram;
  await runCommandLine('svc-memory', build, { alone: 'status' });
}

void main();
