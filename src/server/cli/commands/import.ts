/** `svc-memory import`. */
import { createHash } from 'node:crypto';
import { constants, createReadStream, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { Command, InvalidArgumentError, Option } from 'commander';
import { counted } from '../../base/counted';
import { wrongUsage } from '../../base/errors';
import { readStream } from '../../base/read-stream';
import { quoted } from '../../base/text';
import { HERE, SOURCES } from '../../bring/source-names';
import type { Unresolved } from '../../memory/code/touches';
import type { Project } from '../../project/open';
import type { ReadImport } from '../../project/transfer';
import { callTool } from '../../tools/call-tool';
import { importOfFile } from '../../tools/memory-import';
import { addAllowSecret, allowsSecret } from '../allow-secret';
import type { Cli, ExitStatus, GlobalOptions } from '../cli';
import { notAChoice } from '../did-you-mean';
import { statusOf } from '../exit-status';
import { offering } from '../offered';
import { showProgress } from '../progress';
import { WAITS } from '../proposed';
import { addGlobalOptions, globalOptions, refusal } from '../tool-command';
import { unresolvedInWords } from '../unresolved-names';
import { noteHome, withProject } from '../with-project';

/** The longest text that JavaScript can hold is a little over 500 MB. */
const LARGEST_FILE_BYTES = 500_000_000;
/** A large file is read in few pieces. */
const PIECE_BYTES = 1_000_000;
const SHOWN_ERRORS = 20;

const ABOUT = `Import memories from a file, or from standard input with "-": an export of this program, a JSON list of objects with "content" and "kind", or the JSONL file of the official memory server (@modelcontextprotocol/server-memory). With --from it brings what other tools and people wrote down in the project: it shows what that is, asks, and everything waits until a person keeps it. All of it is kept or, when it is interrupted, nothing. Objects that are not right are named, and the others are kept; what an export brings along a second time is not written twice. An export's memories go to the namespaces that they are from, all others to the one of the command.`;

const FORMS = { export: 'export', list: 'list', official: 'file of the official memory server' } as const;

export function importCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('import')
    .summary('Take memories from a file, or from what is there')
    .description(ABOUT)
    .argument('[file]', 'the file, or - for standard input')
    .addOption(fromOption())
    .option('--dry-run', 'with --from: only show what would be brought')
    .option('-y, --yes', 'with --from: do not ask')
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      `\nSources of --from:\n${sourceLines()}\nExamples:\n  svc-memory import --from here\n  svc-memory import --from adr --dry-run\n  svc-memory import backup.json\n  svc-memory import ~/memory.jsonl\n  svc-memory export | SVC_MEMORY_DB=copy.db svc-memory import -\n`,
    );
  addAllowSecret(command);
  addGlobalOptions(command, 'namespace', 'session');
  return command.action(async (file: string | undefined, options: Options) => {
    const { from, dryRun = false, yes = false, json = false } = options;
    if (from && file !== undefined) command.error('--from takes no file');
    if (from) {
      const { importFrom } = await import('./import-from');
      return finish(await importFrom(cli, { ...globalOptions(command), from, dryRun, yes, json }));
    }
    if (dryRun || yes) command.error(`--${dryRun ? 'dry-run' : 'yes'} is for --from`);
    if (file === undefined) return command.error('<file> is missing; --from here brings what the project says already');
    const allowSecret = allowsSecret(cli, { ...options });
    finish(await importFile(cli, file, { ...globalOptions(command), allowSecret, json }));
  });
}

interface Options {
  readonly from?: readonly string[];
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
  readonly allowSecret?: true;
}

/** Readers are loaded when they are used; the help needs their names alone. */
function fromOption(): Option {
  const names = [HERE, ...SOURCES.map(({ name }) => name)];
  const from = new Option('--from <source>', 'bring what the project says already (may be given several times)');
  return offering(from, names).argParser((value: string, previous: readonly string[] = []) => {
    if (names.includes(value)) return [...previous, value];
    throw new InvalidArgumentError(notAChoice(value, names));
  });
}

function sourceLines(): string {
  const all = [{ name: HERE, about: 'all of these' }, ...SOURCES];
  const longest = Math.max(...all.map(({ name }) => name.length));
  return all.map(({ name, about }) => `  ${name.padEnd(longest)}  ${about}\n`).join('');
}

interface Imported {
  readonly imported: number;
  readonly created_entity_ids: readonly string[];
  readonly errors: readonly { readonly index: number; readonly message: string }[];
  readonly unresolved?: readonly Unresolved[];
}

async function importFile(
  cli: Cli,
  file: string,
  options: GlobalOptions & { readonly json: boolean; readonly allowSecret: boolean },
): Promise<ExitStatus> {
  const { output } = cli;
  const { readImport } = await import('../../project/transfer');
  const name = file === '-' ? 'The standard input' : `The file ${quoted(file)}`;
  const bytes = await bytesOf(cli, file, name);
  const read = readImport(bytes, name);
  const { isOwnExport } = await import('../../project/own-exports');
  const isOwn = read.form === 'export' && isOwnExport(cli.around.home, read.nodes);
  const source = file === '-' ? 'standard input' : basename(file);
  const tool = importOfFile({ name: source, hash: createHash('sha256').update(bytes).digest('hex'), isOwn });
  const progress = showProgress(output, 'Importing');
  let written: Pick<Project, 'place'> | undefined;
  const answer = await withProject(cli, options, async (project) => {
    const { chooseSession } = await import('../../project/choose-session');
    await chooseSession(project, cli.holder().client, options.session);
    const { signal } = cli;
    const { allowSecret } = options;
    written = project;
    return callTool(
      [tool],
      project,
      tool.name,
      { nodes: read.nodes },
      { progress: progress.step, signal, allowSecret },
    );
  });
  progress.end();
  if (!answer.ok) {
    output.error(answer.code, refusal(answer, tool));
    return statusOf(answer.code);
  }
  // The tool's own result.
  const imported = answer.value as Imported;
  const problems = [
    ...read.errors.map(({ line, message }) => `line ${line}: ${message}`),
    ...imported.errors.map(({ index, message }) => `nodes[${index}]: ${message}`),
  ];
  // All that did not come from this machine's own exports.
  const waits = !isOwn && imported.imported > 0;
  if (options.json) await output.json({ ...imported, errors: [...read.errors, ...imported.errors], waits });
  else await tell(cli, read, imported, problems);
  if (waits && !options.json) output.note(WAITS);
  if (written && imported.imported > 0) noteHome(cli, written);
  return problems.length === 0 ? 0 : 1;
}

async function tell({ output }: Cli, read: ReadImport, imported: Imported, problems: readonly string[]): Promise<void> {
  const { length: created } = imported.created_entity_ids;
  const others = read.nodes.length - imported.imported - imported.errors.length;
  const sentences = [
    `Imported ${counted(imported.imported, 'node')} from the ${FORMS[read.form]}`,
    ...(created > 0 ? [`created ${counted(created, 'entity')}`] : []),
    ...(others > 0 ? [`left out ${others} that ${others === 1 ? 'was' : 'were'} there already`] : []),
    ...(problems.length > 0 ? [`refused ${problems.length}`] : []),
  ];
  await output.text(sentences.join(', '));
  for (const notes of [problems, unresolvedInWords(imported.unresolved)]) {
    for (const note of notes.slice(0, SHOWN_ERRORS)) output.note(note);
    if (notes.length > SHOWN_ERRORS) output.note(`… and ${notes.length - SHOWN_ERRORS} more; --json lists all`);
  }
}

async function bytesOf(cli: Cli, file: string, name: string): Promise<Buffer> {
  let bytes: Buffer | undefined;
  try {
    bytes = await (file === '-' ? cli.stdin(LARGEST_FILE_BYTES) : bytesIn(resolve(cli.around.cwd, file), cli.signal));
  } catch {
    throw wrongUsage(
      `${name} cannot be read`,
      'Check that the path is right, that it is a file, and that this user may read it',
    );
  }
  if (!bytes) {
    throw wrongUsage(
      `${name} is larger than ${LARGEST_FILE_BYTES / 1e6} MB`,
      'Split its "nodes" over several files, sessions and entities first',
    );
  }
  return bytes;
}

/** A person names the file, so it may lie anywhere, and be a pipe that another program fills. */
async function bytesIn(path: string, signal: AbortSignal): Promise<Buffer | undefined> {
  const found = await stat(path);
  if (found.isFIFO()) return readStream(openPipe(path, signal), LARGEST_FILE_BYTES);
  if (!found.isFile()) throw new Error('Neither a file nor a pipe');
  if (found.size > LARGEST_FILE_BYTES) return undefined;
  return readStream(createReadStream(path, { signal, highWaterMark: PIECE_BYTES }), LARGEST_FILE_BYTES);
}

/** Waiting for who fills it must not hold a thread, which Ctrl-C could not end. */
function openPipe(path: string, signal: AbortSignal): Readable {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return addAbortSignal(signal, new Socket({ fd, readable: true, writable: false }));
}
