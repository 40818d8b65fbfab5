/** The command line `svc`. */
import type { Command } from 'commander';
import type { Cli, ExitStatus } from './cli';
import { buildCommand } from './commands/build';
import { completionCommand } from './commands/completion';
import { ingestCommand } from './commands/ingest';
import { syncCommand } from './commands/sync';
import { newProgram, own } from './new-program';

const EXAMPLES = `
Examples:
  svc build
  svc build packages/server --json
  svc ingest docs
  svc sync

Exit status: 0 done, 1 nothing found, refused or failed, 2 wrong usage or no
provider of a language model, 130 interrupted.
`;

/** The command line of the code graph. */
export function buildSvcProgram(
  cli: Cli,
  finish: (status: ExitStatus) => void,
  print: (text: string) => void,
): Command {
  const program = newProgram(cli, 'svc', 'The code graph of a project.', print).addHelpText('after', EXAMPLES);
  const commands = [buildCommand, ingestCommand, syncCommand, completionCommand('svc')];
  for (const make of commands) program.addCommand(own(program, make(cli, finish)));
  return program.helpCommand('help [command]', 'Print the help of a command');
}
