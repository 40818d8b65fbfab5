/** Runs a command line, and reports its errors. */
import { type Command, CommanderError } from 'commander';
import { cut, oneLine, quoted } from '../base/text';
import type { Cli, ExitStatus } from './cli';
import { INTERRUPTED, tellError, WRONG_USAGE } from './tell-error';

/** Commands that work without SQLite, or report themselves what is missing. */
const TELL_THEMSELVES = new Set(['completion', 'doctor', 'hook', 'setup']);

/** Makes a command line. Nothing is opened until one of its commands runs. @param args what was typed */
type BuildProgram = (
  cli: Cli,
  finish: (status: ExitStatus) => void,
  print: (text: string) => void,
  args: readonly string[],
) => Command | Promise<Command>;

/** Runs one command line and returns its exit status. All errors of the command line are reported here. */
export async function runProgram(cli: Cli, build: BuildProgram, args: readonly string[]): Promise<number> {
  const { output } = cli;
  let status: number = 0;
  let printed = '';
  const program = await build(
    cli,
    (ended) => {
      status = ended;
    },
    (text) => {
      printed += text;
    },
    args,
  );
  program.exitOverride();
  for (const command of program.commands) command.exitOverride();
  program.hook('preAction', async (_, command) => {
    const missing = TELL_THEMSELVES.has(command.name()) ? undefined : await cli.missing();
    if (missing) throw missing;
  });
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
    // A command for which 1 means something else has said before what failing means.
    status = Math.max(status, tellError(cli, error));
  }
  return cli.signal.aborted ? INTERRUPTED : status;
}

/** What other programs call such a command. Commander compares letters alone. */
const CALLED_ELSEWHERE: Readonly<Record<string, string>> = {
  ...{ add: 'store', remember: 'store', save: 'store' },
  ...{ ask: 'recall', find: 'recall', query: 'recall', search: 'recall' },
  ...{ list: 'nodes', ls: 'nodes', show: 'node', delete: 'forget', remove: 'forget', rm: 'forget' },
};

function isMeant(name: string, problem: string): boolean {
  const [, asked = ''] = /^unknown command "([a-z]+)"$/.exec(problem) ?? [];
  return CALLED_ELSEWHERE[asked] === name;
}

/** Commander's message as one sentence, and where to read on. */
function usageProblem(error: CommanderError, program: Command, args: readonly string[]): string {
  const [first, topic] = args;
  if (first === 'help')
    return `there is no command ${quoted(topic ?? '')} to help with. "${program.name()} --help" tells more.`;
  const problem = oneLine(
    error.message
      .replace(/^error: /, '')
      .replace(/\n?\(Did you mean (?:one of )?([^?(]*)\?\)/, '. Did you mean $1?')
      .replace(/^command-argument value '(.*)' is invalid for argument '(.*?)'/, '<$2> is "$1"')
      .replace(/^option '(--\S+)( <.*?>)?' argument '(.*)' is invalid/s, '$1 is "$3"')
      .replaceAll("'", '"'),
  );
  const command = program.commands.find((one) => args.includes(one.name()));
  const meant =
    error.code === 'commander.unknownOption'
      ? optionsMeant(problem, command ?? program)
      : program.commands.map((one) => one.name()).filter((name) => isMeant(name, problem));
  const more = `"${program.name()} ${command ? `${command.name()} ` : ''}--help" tells more.`;
  const advice =
    error.code === 'commander.excessArguments'
      ? 'Put text of several words in quotes. '
      : meant.length === 0 &&
          error.code === 'commander.unknownOption' &&
          /^unknown option "(-[^-"][^"]|[^"]*\s)/.test(problem)
        ? 'Put -- before text that begins with a dash. '
        : meant.length > 0
          ? `Did you mean ${meant.join(', ')}? `
          : '';
  return `${cut(problem, 600)}${/[.?]$/.test(problem) ? '' : '.'} ${advice}${more}`;
}

/** Commander compares letters alone; `--rejected-alternatives` is not far from `--alternatives-rejected`, either. */
function optionsMeant(problem: string, command: Command): string[] {
  const letter = /^unknown option "-(\w)"$/.exec(problem)?.[1]?.toLowerCase();
  const shown = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
  if (letter !== undefined) return shown.filter((long) => long.startsWith(`--${letter}`));
  const asked = /^unknown option "--([\w-]+)"$/.exec(problem)?.[1]?.split('-') ?? [];
  return command.options
    .flatMap(({ long }) => long ?? [])
    .filter((long) =>
      long
        .slice(2)
        .split('-')
        .some((word) => asked.includes(word)),
    );
}
