/** The command line `svc-memory`. */
import type { Command } from 'commander';
import { MEMORY_TOOLS } from '../tools/registry';
import type { Cli, ExitStatus } from './cli';
import { adminCommand } from './commands/admin';
import { agentsBlockCommand, hooksCommand } from './commands/agent-files';
import { backupCommand } from './commands/backup';
import { checkCommand } from './commands/check';
import { ciCommand } from './commands/ci';
import { completionCommand } from './commands/completion';
import { consolidateCommand } from './commands/consolidate';
import { doctorCommand } from './commands/doctor';
import { exportCommand } from './commands/export';
import { hookCommand } from './commands/hook';
import { importCommand } from './commands/import';
import { initCommand } from './commands/init';
import { loginCommand } from './commands/login';
import { promoteCommand } from './commands/promote';
import { restoreBackupCommand } from './commands/restore-backup';
import { reviewCommand } from './commands/review';
import { serveCommand } from './commands/serve';
import { setupCommand } from './commands/setup';
import { statusCommand } from './commands/status';
import { trustCommand } from './commands/trust';
import { GROUPS, presentation, STORE_GROUP } from './groups';
import { newProgram, own } from './new-program';
import { PROGRAM } from './program-name';
import { addGlobalOptions, toolCommand } from './tool-command';

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

/** Tools that have a command of their own, elsewhere in the help. */
const REPLACED = new Set(['memory_import', 'settle']);

/** Tools whose command is more than their parameters. */
const OWN_COMMANDS: Readonly<Record<string, typeof reviewCommand>> = { review: reviewCommand, check: checkCommand };

const STORE_COMMANDS = [
  statusCommand,
  initCommand,
  trustCommand,
  consolidateCommand,
  exportCommand,
  importCommand,
  backupCommand,
  restoreBackupCommand,
  doctorCommand,
  completionCommand(PROGRAM),
];

const AGENTS_GROUP = 'Agents:';
const TEAM_GROUP = 'A team:';

/** The whole command line. Nothing is opened until a command runs. */
export function buildProgram(cli: Cli, finish: (status: ExitStatus) => void, print: (text: string) => void): Command {
  const about = 'A memory for coding agents: facts, decisions and outcomes that outlive a conversation.';
  const program = newProgram(cli, PROGRAM, about, print).addHelpText('after', EXAMPLES);
  addGlobalOptions(program, 'namespace', 'session');

  const tools = MEMORY_TOOLS.filter((tool) => !REPLACED.has(tool.name));
  for (const group of GROUPS) {
    for (const tool of tools.filter((one) => presentation(one.name).group === group)) {
      const make = OWN_COMMANDS[tool.name];
      program.addCommand(own(program, make ? make(cli, finish) : toolCommand(cli, tool, finish)).helpGroup(group));
    }
  }
  for (const make of STORE_COMMANDS) {
    program.addCommand(own(program, make(cli, finish)).helpGroup(STORE_GROUP));
  }
  for (const make of [setupCommand, hooksCommand, agentsBlockCommand, hookCommand]) {
    program.addCommand(own(program, make(cli, finish)).helpGroup(AGENTS_GROUP));
  }
  for (const make of [ciCommand, loginCommand, promoteCommand, serveCommand, adminCommand]) {
    program.addCommand(own(program, make(cli, finish)).helpGroup(TEAM_GROUP));
  }
  program.commandsGroup(STORE_GROUP).helpCommand('help [command]', 'Print the help of a command');
  return program;
}
