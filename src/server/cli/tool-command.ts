/** Turns a tool into a command. */
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { type Speech, TO_AGENTS } from '../base/phrase';
import type { Project } from '../project/open';
import { callTool, type RefusedCall } from '../tools/call-tool';
import type { Tool } from '../tools/define-tool';
import { addAllowSecret, allowsSecret } from './allow-secret';
import type { Cli, ExitStatus, GlobalOptions } from './cli';
import { defectSentence } from './defect';
import { notAChoice } from './did-you-mean';
import { statusOf } from './exit-status';
import { inPlainWords, presentation } from './groups';
import { offering } from './offered';
import { commandName, type Parameter, parametersOf } from './parameters';
import { PROGRAM } from './program-name';
import { showProgress } from './progress';
import { noteHome, withProject } from './with-project';

const GLOBAL_GROUP = 'Options of every command:';
/** The parameter that the option of every command stands for. */
const GLOBAL_PARAMETER = 'namespace';

/** Makes a tool a command: its parameters become arguments and options, its answer text or JSON. */
export function toolCommand(cli: Cli, tool: Tool, finish: (status: ExitStatus) => void): Command {
  const { examples, always = {} } = presentation(tool.name);
  const command = new Command(commandName(tool.name)).summary(tool.title).description(tool.description);
  const parameters = parametersOf(tool).filter(
    ({ name, required }) =>
      !(name in always) && (name !== GLOBAL_PARAMETER || required || tool.positional?.includes(name)),
  );
  const positional = (tool.positional ?? []).flatMap((name) => parameters.filter((one) => one.name === name));
  const named = parameters.filter((one) => !positional.includes(one));

  const isOneText = tool.effect === 'read' && positional.length === 1;
  for (const one of positional) command.addArgument(isOneText && isWords(one) ? words(one) : argument(one));
  const required = named.filter((one) => one.required).map((one) => ` --${one.flag} <${placeholder(one)}>`);
  command.usage(`[options]${required.join('')}${positional.map((one) => ` ${inBrackets(one)}`).join('')}`);
  for (const one of named) for (const option of optionsOf(one)) command.addOption(option);
  for (const one of positional) if (one.name !== GLOBAL_PARAMETER) command.addOption(hidden(one));
  if (tool.effect !== 'read' && tool.stores) addAllowSecret(command);
  command.option('--json', 'print the answer as JSON');
  addGlobalOptions(command, 'namespace', ...(tool.effect === 'read' ? [] : (['session'] as const)));
  if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.map((one) => `  ${one}\n`).join('')}`);

  command.action(async () => {
    const options: Record<string, unknown> = command.opts();
    const typed = { ...inputOf(command, positional, named, options), ...always };
    const other = presentation(tool.name).meant?.(typed);
    const meant = (await other?.load()) ?? tool;
    const input = other?.input ?? typed;
    const allowSecret = allowsSecret(cli, options);
    finish(await run(cli, meant, input, { ...globalOptions(command), allowSecret, json: options.json === true }));
  });
  return command;
}

/** Which of the options of every command mean something to this one; the others are accepted and not shown. */
export type Meaningful = 'namespace' | 'session';

export function addGlobalOptions(command: Command, ...meaningful: Meaningful[]): Command {
  const namespace = new Option('--namespace <name>', 'work in this namespace (SVC_NAMESPACE, else default)');
  const session = new Option('--session <id>', 'write into this open session (else the newest of this command line)');
  return command
    .addOption(namespace.helpGroup(GLOBAL_GROUP).hideHelp(!meaningful.includes('namespace')))
    .addOption(session.helpGroup(GLOBAL_GROUP).hideHelp(!meaningful.includes('session')));
}

/** Those given to the command itself win over those given before its name. */
export function globalOptions(command: Command): GlobalOptions {
  const own = command.opts<GlobalOptions>();
  const before = command.parent?.opts<GlobalOptions>();
  return { namespace: own.namespace ?? before?.namespace, session: own.session ?? before?.session };
}

async function run(
  cli: Cli,
  tool: Tool,
  input: Record<string, unknown>,
  options: GlobalOptions & { readonly json: boolean; readonly allowSecret: boolean },
): Promise<ExitStatus> {
  const { output } = cli;
  const progress = showProgress(output, tool.title);
  const { forPeople, said, saidFrom, note, isNothing } = presentation(tool.name);
  let writtenIn: Pick<Project, 'place'> | undefined;
  const { answer, shown, words } = await withProject(cli, options, async (project) => {
    if (tool.effect !== 'read' || options.session !== undefined) {
      const { chooseSession } = await import('../project/choose-session');
      await chooseSession(project, cli.holder().client, options.session);
    }
    const { allowSecret } = options;
    // What these two load has to do with the files of shared memories, which most commands have not.
    const inFile = tool.name === 'undo' ? (await import('./undo-in-file')).undoInFile : undefined;
    const called =
      (await inFile?.(cli, project, tool, input)) ??
      (await callTool([tool], project, tool.name, input, {
        progress: progress.step,
        signal: cli.signal,
        allowSecret,
      }));
    const value = called.ok ? called.value : undefined;
    const isShown = called.ok && !options.json;
    if (called.ok && tool.effect !== 'read') writtenIn = project;
    return {
      answer: called,
      shown: isShown && forPeople ? await forPeople(project.memory, value) : value,
      words:
        isShown && saidFrom
          ? await saidFrom(value, (await import('./saying')).sayingIn(project, cli, options))
          : undefined,
    };
  });
  progress.end();
  if (!answer.ok) {
    output.error(answer.code, refusal(answer, tool));
    return statusOf(answer.code);
  }
  const nothing = isNothing?.(answer.value) === true;
  if (options.json) await output.json(answer.value);
  else if (said && nothing) output.error('not_found', said(shown, input));
  else if (said) await output.text(said(shown, input));
  else if (words !== undefined) await output.text(words);
  else await output.text((tool.render ? answer.text : await listed(shown, output.width)) || 'Nothing found.');
  const noted = note?.(answer.value);
  if (noted !== undefined) output.note(noted);
  if (writtenIn && !nothing) noteHome(cli, writtenIn);
  return nothing ? 1 : 0;
}

/** Loaded on use, because rules of Unicode come with it that Node takes 10 to 20 ms to load. */
async function listed(value: unknown, width: number): Promise<string> {
  const { listing } = await import('./listing');
  return listing(value, width);
}

/** The text of a refusal for people at a terminal. */
export function refusal(
  answer: Pick<RefusedCall, 'saidIn' | 'defect'>,
  tool: Tool,
  speech: Partial<Speech> = {},
): string {
  const { defect } = answer;
  return defect === undefined ? answer.saidIn({ ...asTyped(tool), ...speech }) : defectSentence(defect);
}

/** Agents read the names of tools and parameters; people type commands, arguments and options. */
function asTyped(tool: Tool): Speech {
  const typed = (name: string): string | undefined => {
    const flag = parametersOf(tool).find((one) => one.name === name)?.flag;
    if (flag === undefined) return undefined;
    return tool.positional?.includes(name) ? `<${flag}>` : `--${flag}`;
  };
  return {
    parameter(named) {
      const shown = typed(named.parameter);
      return shown === undefined ? TO_AGENTS.parameter(named) : shown + named.rest;
    },
    inParentheses: (name) => ` (parameter ${typed(name) ?? name})`,
    tool: commandName,
    parametersOf: () => `"${PROGRAM} ${commandName(tool.name)} --help" tells more`,
  };
}

/** What was given on the command line, under the names of the tool's parameters. Nothing that was not given. */
function inputOf(
  command: Command,
  positional: readonly Parameter[],
  named: readonly Parameter[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const one of named) put(input, one, options[attribute(one)]);
  for (const [i, one] of positional.entries()) {
    const given: unknown = command.processedArgs[i];
    // Words that were not given are an empty list.
    const byPosition = Array.isArray(given) && given.length === 0 ? undefined : given;
    const byName = one.name === GLOBAL_PARAMETER ? undefined : options[attribute(one)];
    if (byPosition !== undefined && byName !== undefined) {
      command.error(`<${one.flag}> is given twice, by position and as --${one.flag}`);
    }
    put(input, one, byPosition ?? byName);
  }
  for (const one of positional)
    if (one.required && !(one.name in input)) command.error(`${inBrackets(one)} is missing`);
  for (const one of named) {
    if (one.required && !(one.name in input))
      command.error(`the option --${one.flag} <${placeholder(one)}> is missing`);
  }
  return input;
}

function put(input: Record<string, unknown>, { name, kind }: Parameter, value: unknown): void {
  if (value !== undefined) input[name] = kind === 'list' && !Array.isArray(value) ? [value] : value;
}

function argument(one: Parameter): Argument {
  if (one.kind === 'list') {
    return new Argument(`[${one.flag}...]`, describe(one)).argParser((value: string, before: string[] | undefined) => [
      ...(before ?? []),
      value,
    ]);
  }
  // Commander's own check would not know that a parameter may also be given by name.
  const made = offering(new Argument(`[${one.flag}]`, describe(one)), one.choices);
  return made.argParser((value: string) => parse(one, value, undefined));
}

/** A text of several words; an id has one. */
function isWords({ kind, choices, flag }: Parameter): boolean {
  return kind === 'text' && choices === undefined && !/(^|-)id$/.test(flag);
}

/** Of what only reads: in a command that stores, a word too many may be one that was meant for an option. */
function words(one: Parameter): Argument {
  const join = (word: string, before: string | undefined): string =>
    before === undefined ? word : `${before} ${word}`;
  return new Argument(`[${one.flag}...]`, describe(one)).argParser(join);
}

function optionsOf(one: Parameter): Option[] {
  if (one.kind !== 'flag') return [withParser(new Option(`--${one.flag} <${placeholder(one)}>`, describe(one)), one)];
  if (one.default !== true) return [new Option(`--${one.flag}`, describe(one))];
  const on = new Option(`--${one.flag}`).hideHelp();
  return [on, new Option(`--no-${one.flag}`, `not: ${describe(one)}`)];
}

function hidden(one: Parameter): Option {
  return withParser(new Option(`--${one.flag} <${placeholder(one)}>`).hideHelp(), one);
}

function withParser(option: Option, one: Parameter): Option {
  return offering(option, one.choices).argParser((value: string, previous: unknown) => parse(one, value, previous));
}

function parse({ kind, choices }: Parameter, value: string, previous: unknown): unknown {
  if (choices && !choices.includes(value)) throw new InvalidArgumentError(notAChoice(value, choices));
  switch (kind) {
    case 'number':
      if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value))
        throw new InvalidArgumentError('It must be a number.');
      return Number(value);
    case 'list':
      return [...(Array.isArray(previous) ? previous : []), value];
    case 'json':
      try {
        return JSON.parse(value);
      } catch {
        throw new InvalidArgumentError('It must be JSON.');
      }
    default:
      return value;
  }
}

/** The description, and in parentheses what may be given. */
function describe({ name, description, kind, choices, range, default: usual }: Parameter): string {
  const shown =
    usual !== undefined && usual !== false && usual !== true && !(Array.isArray(usual) && usual.length === 0);
  const extra = [
    ...(choices ? [choices.join(', ')] : []),
    ...(kind === 'list' ? ['may be given several times'] : []),
    ...(range === undefined ? [] : [range]),
    ...(shown ? [`default: ${String(usual)}`] : []),
  ];
  return [description || inPlainWords(name), extra.length > 0 ? `(${extra.join('; ')})` : ''].filter(Boolean).join(' ');
}

/** What stands for the value in the help: `--as-of <time>`. */
function placeholder({ kind, flag, choices }: Parameter): string {
  if (kind === 'number' || kind === 'json') return kind;
  if (choices) return /^kinds?$/.test(flag) ? 'kind' : 'choice';
  if (/(^|-)id$|^supersedes$/.test(flag)) return 'id';
  if (/^(as-of|before|since|valid-from)$/.test(flag)) return 'time';
  return kind === 'list' ? 'name' : 'text';
}

function inBrackets({ flag, required, kind }: Parameter): string {
  const name = kind === 'list' ? `${flag}...` : flag;
  return required ? `<${name}>` : `[${name}]`;
}

/** Commander's name for the value of an option. */
function attribute({ flag }: Parameter): string {
  return flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
