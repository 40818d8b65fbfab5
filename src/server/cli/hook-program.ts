/** The command line `svc-memory hook` alone: hosts wait for it, and loading the other commands takes most of its time. */
import type { Command } from 'commander';
import type { Cli, ExitStatus } from './cli';
import { hookCommand } from './commands/hook';
import { newProgram, own } from './new-program';
import { PROGRAM } from './program-name';

/** As in the whole command line, which has its help. */
export function buildHookProgram(
  cli: Cli,
  finish: (status: ExitStatus) => void,
  print: (text: string) => void,
): Command {
  const program = newProgram(cli, PROGRAM, '', print);
  return program.addCommand(own(program, hookCommand(cli, finish)));
}
