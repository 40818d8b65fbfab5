/** `svc-memory review`. */
import { Argument, Command } from 'commander';
import type { Project } from '../../project/open';
import { callTool } from '../../tools/call-tool';
import type { Tool } from '../../tools/define-tool';
import { memoryVerifyStaleness } from '../../tools/memory-verify-staleness';
import { review } from '../../tools/review';
import { settle } from '../../tools/settle';
import { undo } from '../../tools/undo';
import type { Cli, ExitStatus } from '../cli';
import { statusOf } from '../exit-status';
import { sayingIn } from '../saying';
import { type Saying, type Settled, settledWords, type Undone, undoneWords } from '../settled-words';
import { addGlobalOptions, globalOptions, refusal } from '../tool-command';
import { undoInFile } from '../undo-in-file';
import { withProject } from '../with-project';

const ABOUT = `List what waits for review, or settle it. Entries are memories whose code changed or is gone: their code is looked at first, as by "svc-memory verify-staleness". Near-duplicates are what "svc-memory consolidate" would close; --only duplicates lists what says nearly the same as well, which it leaves to you. A shared memory that two branches rewrote, each in its way, is listed with both: merge them, or keep both. Proposals wait until a person keeps them: what came with a file, or what an agent may not keep by itself.

confirm: it still holds, and its code is taken as it is now. refute: it is wrong, and is closed. forget: it is hidden. dismiss: nothing to do until the code changes again. merge: the second memory supersedes the first. keep: both are wanted, or with one id, or --source, what was proposed is. drop: what was proposed is not wanted. edit: the text given is kept in its place. undo: take back what was done last.`;

const HELP = `
Examples:
  svc-memory review
  svc-memory review confirm 3
  svc-memory review dismiss 4 5 6
  svc-memory review merge f_bakilomu f_bakilomi
  svc-memory review keep d_bakilomu
  svc-memory review keep --source 3
  svc-memory review edit d_bakilomu "The store is one file"
  svc-memory review undo
`;

const ACTIONS = ['confirm', 'refute', 'forget', 'dismiss', 'merge', 'keep', 'drop', 'edit', 'undo'] as const;
type Action = (typeof ACTIONS)[number];

/** What of a review can be listed alone. */
const PARTS: readonly string[] = ['code', 'forks', 'duplicates', 'proposals'];

interface Options {
  readonly only?: string;
  readonly limit?: string;
  readonly source?: string;
  readonly yes?: true;
  readonly allNamespaces?: true;
  readonly json?: true;
}

export function reviewCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('review')
    .summary('List what waits for review, and settle it')
    .description(ABOUT)
    .addArgument(new Argument('[action]', 'what to do').choices(ACTIONS))
    .argument('[what...]', 'numbers of entries, ids of memories; of edit, an id and a text; of undo, an operation')
    .option('--only <what>', 'list only this (code, forks, duplicates, proposals)')
    .option('--source <number>', 'keep or drop all that waits of this source')
    .option('-y, --yes', 'keep without a terminal; not for agents')
    .option('--limit <number>', 'list at most this many entries and pairs')
    .option('--all-namespaces', 'list what waits in every namespace')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', HELP);
  addGlobalOptions(command, 'namespace');
  return command.action(async (action: Action | undefined, what: readonly string[], options: Options) => {
    const calls = action === undefined ? [listing(command, options)] : settling(command, action, what, options);
    const by = options.yes === true && !cli.startedByAgent ? asPerson(cli) : cli;
    finish(await run(by, command, calls, options.json === true));
  });
}

interface Call {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
}

function listing(command: Command, { only, limit, allNamespaces }: Options): Call {
  if (only !== undefined && !PARTS.includes(only)) {
    command.error(`--only is "${only}". It must be one of ${PARTS.join(', ')}`);
  }
  return {
    tool: review,
    input: {
      ...(only === undefined ? {} : { only }),
      ...(limit === undefined ? {} : { limit: wholeNumber(command, limit, '--limit') }),
      all_namespaces: allNamespaces === true,
    },
  };
}

function settling(command: Command, action: Action, what: readonly string[], { source }: Options): Call[] {
  if (source !== undefined) {
    if (action !== 'keep' && action !== 'drop') command.error(`${action} does not take --source`);
    if (what.length > 0) command.error(`${action} --source takes nothing else`);
    return [{ tool: settle, input: { action, source: wholeNumber(command, source, '--source') } }];
  }
  if (action === 'edit') {
    const [node_id, content, ...more] = what;
    if (content === undefined || more.length > 0)
      command.error('edit takes the id of a proposal, and a text in quotes');
    return [{ tool: settle, input: { action, node_id, content } }];
  }
  if (action === 'undo') {
    if (what.length > 1) command.error('undo takes one operation, or none for the last one');
    const [operation] = what;
    return [
      { tool: undo, input: operation === undefined ? {} : { operation: wholeNumber(command, operation, 'undo') } },
    ];
  }
  if (action === 'merge' || (action === 'keep' && what.length === 2)) {
    const [node_id, other_id] = what;
    if (what.length !== 2) command.error(`${action} takes the ids of two memories`);
    return [{ tool: settle, input: { action, node_id, other_id } }];
  }
  if (what.length === 0) command.error(`${action} takes the number of an entry, or the id of a memory`);
  return what.map((one) => ({
    tool: settle,
    input: /^\d+$/.test(one) ? { action, entry: wholeNumber(command, one, action) } : { action, node_id: one },
  }));
}

function wholeNumber(command: Command, text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) command.error(`${name} is "${text}". It must be a whole number`);
  return Number(text);
}

/** What changed since somebody looked is in the list. What cannot be looked at, or not be noted, keeps nobody from the rest. */
async function look(cli: Cli, project: Project, { input }: Call): Promise<void> {
  const { only = 'code' } = input as { readonly only?: string };
  if (only === 'code')
    await callTool([memoryVerifyStaleness], project, memoryVerifyStaleness.name, {}, { signal: cli.signal });
}

/** One call after the other; the first that is refused is the last. */
async function run(cli: Cli, command: Command, calls: readonly Call[], json: boolean): Promise<ExitStatus> {
  const { output } = cli;
  const options = globalOptions(command);
  return withProject(cli, options, async (project) => {
    for (const call of calls) {
      const { tool, input } = call;
      if (tool.name === review.name) await look(cli, project, call);
      const answer =
        (await undoInFile(cli, project, tool, input)) ??
        (await callTool([tool], project, tool.name, input, { signal: cli.signal }));
      if (!answer.ok) {
        output.error(answer.code, refusal(answer, tool, AS_GIVEN));
        return statusOf(answer.code);
      }
      if (json) await output.json(answer.value);
      else if (tool.name !== review.name)
        await output.text(await sentence(call, answer.value, sayingIn(project, cli, options)));
      else {
        await output.text(answer.text);
        hint(cli, answer.value);
      }
    }
    return 0;
  });
}

/** A person who types --yes in a script vouches for it, as with "trust". */
function asPerson(cli: Cli): Cli {
  return { ...cli, holder: () => ({ ...cli.holder(), by: 'person' }) };
}

/** What is settled is given by position here; the tool behind it has names for it. */
const AS_GIVEN = { inParentheses: () => '' };

/** What was done, and how to take it back. */
function sentence({ tool, input }: Call, value: unknown, saying: Saying): Promise<string> {
  // What these tools answer; it is not checked.
  if (tool.name === undo.name) return undoneWords(value as Undone, saying);
  const { other_id } = input as { readonly other_id?: string };
  return settledWords(value as Settled, other_id, saying);
}

function hint({ output }: Cli, value: unknown): void {
  const { entries, sources, forks, near_duplicates, near } = value as {
    readonly entries: readonly { readonly id: number }[];
  } & Readonly<Record<'sources' | 'forks' | 'near_duplicates' | 'near', readonly unknown[]>>;
  if (sources.length > 0) {
    output.note('Proposals: svc-memory review keep|drop <id>, or --source <number> for all of one; edit <id> "<text>"');
  }
  if ([forks, near_duplicates, near].some(({ length }) => length > 0)) {
    output.note('Pairs: svc-memory review merge <id> <id>, where the second takes the place; keep <id> <id> for both');
  }
  if (entries.length > 0) output.note('Settle with: svc-memory review confirm|refute|forget|dismiss <number>');
  if (entries.some(({ id }, i) => id !== i + 1)) output.note('Each entry keeps its number until it is settled.');
}
