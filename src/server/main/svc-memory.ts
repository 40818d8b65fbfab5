/** The main of `svc-memory`. */
import { runCommandLine } from './command-line';

/** `svc-memory`: the memory for people at a terminal. What is not needed is not loaded. */
async function main(): Promise<void> {
  const isHook = process.argv[2] === 'hook';
  const build = isHook
    ? (await import('../cli/hook-program')).buildHookProgram
    : (await import('../cli/program')).buildProgram;
  await runCommandLine('svc-memory', build, 'status');
}

void main();
