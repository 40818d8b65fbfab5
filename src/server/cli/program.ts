/** The command line `svc-memory`. */
import type { Command } from 'commander';
import type { Cli, ExitStatus } from './cli';
import { STORE_GROUP } from './groups';
import { LISTED_COMMANDS } from './listed-commands';
import { newProgram, own } from './new-program';
import { PROGRAM } from './program-name';
import { addGlobalOptions } from './tool-command';

const EXAMPLES = `
Examples:
  svc-memory init --register
  svc-memory store "The store is one SQLite file" --kind decision
  svc-memory recall "why sqlite" --budget-tokens 300

The store is the file that SVC_MEMORY_DB names, else the nearest .svc/memory.db
from the current folder upwards, else ~/.svc/memory.db. Commands that write go
on with the newest session that this command line opened and did not end.
Exit status: 0 found or done, 1 nothing found or refused, 2 wrong usage.
`;

/** It needs the options of all others. */
const COMPLETION = 'completion';

/**
 * The command line: with the command that is named first, where one is, else with all of them. Nothing is opened until a
 * command runs.
 */
export async function buildProgram(
  cli: Cli,
  finish: (status: ExitStatus) => void,
  print: (text: string) => void,
  [first]: readonly string[] = [],
): Promise<Command> {
  const about = 'A memory for coding agents: facts, decisions and outcomes that outlive a conversation.';
  const program = newProgram(cli, PROGRAM, about, print).addHelpText('after', EXAMPLES);
  addGlobalOptions(program, 'namespace', 'session');
  const named = LISTED_COMMANDS.filter(({ name }) => name === first && name !== COMPLETION);
  for (const { group, load } of named.length > 0 ? named : LISTED_COMMANDS) {
    const make = await load();
    program.addCommand(own(program, make(cli, finish)).helpGroup(group));
  }
  program.commandsGroup(STORE_GROUP).helpCommand('help [command]', 'Print the help of a command');
  return program;
}
