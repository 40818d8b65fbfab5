/** The main of `svc-memory`. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildProgram } from '../cli/program';
import { runCommandLine } from './command-line';

/** Commands with a bundle of their own: the protocol and its server are most of it. */
const OF_A_TEAM = new Set(['serve', 'admin']);

/** `svc-memory`: the memory for people at a terminal. What is not needed is not loaded. */
async function main(): Promise<void> {
  if (OF_A_TEAM.has(process.argv[2] ?? '')) {
    const bundle = join(__dirname, 'svc-team.bundle.js');
    if (existsSync(bundle)) createRequire(__filename)(bundle);
    else {
      process.stderr.write(
        'unavailable: The editor has no server for a team. Install the npm package, and run it from there.\n',
      );
      process.exitCode = 1;
    }
    return;
  }
  await runCommandLine('svc-memory', buildProgram, { alone: 'status' });
}

void main();
