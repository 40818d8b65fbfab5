import { Command, CommanderError } from 'commander';
import { SvcError } from '../base/errors';
import { cut, oneLine, quoted } from '../base/text';
import { MEMORY_TOOLS } from '../tools/registry';
import type { Cli, ExitStatus } from './cli';
import { consolidateCommand } from './commands/consolidate';
import { doctorCommand } from './commands/doctor';
import { exportCommand } from './commands/export';
import { importCommand } from './commands/import';
import { initCommand } from './commands/init';
import { defectSentence } from './defect';
import { GROUPS, presentation, STORE_GROUP } from './groups';
import { ReaderGone } from './output';
import { PROGRAM } from './program-name';
import { addGlobalOptions, toolCommand } from './tool-command';

const WRONG_USAGE = 2;
/** 128 + SIGINT */
const INTERRUPTED = 130;

const EXAMPLES = `
Examples:
  svc-memory init --register
  svc-memory store "The store is one SQLite file" --kind decision
  svc-memory recall "why sqlite" --budget-tokens 300

The store is the file that SVC_MEMORY_DB names, else the nearest .svc/memory.db
from the current folder upwards, else ~/.svc/memory.db. Commands that write go
on with the newest session that this command line opened and did not end.
Exit status: 0 done, 1 refused or failed, 2 wrong usage.
`;

/** Tools that a command of the program's own takes the place of. */
const REPLACED = new Set(['memory_import']);

/** The whole command line. Nothing is opened until a command runs. */
export function buildProgram(cli: Cli, finish: (status: ExitStatus) => void, print: (text: string) => void): Command {
  const { colours, errorColours, width } = cli.output;
  const program = new Command(PROGRAM)
    .description('A memory for coding agents: facts, decisions and outcomes that outlive a conversation.')
    .version(cli.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .enablePositionalOptions()
    .addHelpText('after', EXAMPLES);
  program.configureOutput({
    writeOut: print,
    writeErr: print,
    outputError: () => {},
    getOutHelpWidth: () => width,
    getErrHelpWidth: () => width,
    getOutHasColors: () => colours.isColorSupported,
    getErrHasColors: () => errorColours.isColorSupported,
  });
  program.configureHelp({
    subcommandTerm: (command) => command.name(),
    styleTitle: (title) => colours.bold(title),
    styleSubcommandTerm: (term) => colours.cyan(term),
    styleOptionTerm: (term) => colours.cyan(term),
    styleArgumentTerm: (term) => colours.cyan(term),
  });
  addGlobalOptions(program, 'namespace', 'session');

  const tools = MEMORY_TOOLS.filter((tool) => !REPLACED.has(tool.name));
  for (const group of GROUPS) {
    for (const tool of tools.filter((one) => presentation(one.name).group === group)) {
      program.addCommand(own(program, toolCommand(cli, tool, finish)).helpGroup(group));
    }
  }
  for (const make of [initCommand, consolidateCommand, exportCommand, importCommand, doctorCommand]) {
    program.addCommand(own(program, make(cli, finish)).helpGroup(STORE_GROUP));
  }
  program.commandsGroup(STORE_GROUP).helpCommand('help [command]', 'Print the help of a command');
  return program;
}

/** Commands that are made on their own do not inherit the program's ways by themselves. */
function own(program: Command, command: Command): Command {
  return command.copyInheritedSettings(program).helpOption('-h, --help', 'print this help');
}

/** Runs one command line and returns its exit status. The one place of the command line where errors are told. */
export async function runProgram(cli: Cli, args: readonly string[]): Promise<number> {
  const { output } = cli;
  let status: number = 0;
  let printed = '';
  const program = buildProgram(
    cli,
    (ended) => {
      status = ended;
    },
    (text) => {
      printed += text;
    },
  );
  program.exitOverride();
  for (const command of program.commands) command.exitOverride();
  try {
    try {
      await program.parseAsync([...args], { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      status = error.exitCode === 0 ? 0 : WRONG_USAGE;
      // Without a command the help is printed, and that is all there is to say.
      if (status !== 0 && (printed === '' || args.length > 0)) {
        printed = '';
        output.error('usage', usageProblem(error, program, args));
      }
    }
    if (printed !== '') await output.raw(printed);
  } catch (error) {
    status = tell(cli, error);
  }
  return cli.signal.aborted ? INTERRUPTED : status;
}

function tell(cli: Cli, error: unknown): number {
  if (error instanceof ReaderGone) return 0;
  // Whoever pressed Ctrl-C knows.
  if (cli.signal.aborted) return INTERRUPTED;
  if (error instanceof SvcError) {
    cli.output.error(error.code, error.message.slice(error.code.length + 2));
    return 1;
  }
  cli.log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const name = error instanceof Error ? cut(oneLine(error.name), 40) : 'unknown error';
  cli.output.error('internal', defectSentence(name));
  return 1;
}

/** Commander's message as one sentence, and where to read on. */
function usageProblem(error: CommanderError, program: Command, args: readonly string[]): string {
  const [first, topic] = args;
  if (first === 'help')
    return `there is no command ${quoted(topic ?? '')} to help with. "${PROGRAM} --help" tells more.`;
  const problem = oneLine(
    error.message
      .replace(/^error: /, '')
      .replace(/\n?\(Did you mean (?:one of )?([^?]*)\?\)/, '. Did you mean $1?')
      .replace(/^command-argument value '(.*)' is invalid for argument '(.*?)'/, '<$2> is "$1"')
      .replace(/^option '(--\S+)( <.*?>)?' argument '(.*)' is invalid/s, '$1 is "$3"')
      .replaceAll("'", '"'),
  );
  const command = program.commands.find((one) => args.includes(one.name()));
  const more = `"${PROGRAM} ${command ? `${command.name()} ` : ''}--help" tells more.`;
  const advice =
    error.code === 'commander.excessArguments'
      ? 'Put text of several words in quotes. '
      : error.code === 'commander.unknownOption' && /^unknown option "(-[^-]|[^"]*\s)/.test(problem)
        ? 'Put -- before text that begins with a dash. '
        : '';
  return `${cut(problem, 600)}${/[.?]$/.test(problem) ? '' : '.'} ${advice}${more}`;
}
