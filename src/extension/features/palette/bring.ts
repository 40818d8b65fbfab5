/** The command that brings what the project says already. */
import * as vscode from 'vscode';
import { storeAt } from '../../../store-place/locate';
import { fileOf } from '../../../store-place/store-place';
import { homeFolder } from '../../environment';
import { counted } from '../../kinds';
import { failureOf, runProgram } from '../../programs';
import { MAX_MESSAGE_LENGTH, MAX_ROW_LENGTH, plainLine, withoutLinks } from '../../stored-text';
import type { Doing, PaletteCommand } from './command';
import { memoryFolder } from './memory-folder';
import { withProgress } from './progress';
import { fromJson, MOST_LOGGED, runAndTell } from './run-and-tell';

export const BRING: PaletteCommand = { command: 'agentMemory.bring', writes: 'memories', run: bring };

/** As `svc-memory import --from here --dry-run --json` gives it. */
interface Found {
  readonly sources: readonly {
    /** What `--from` takes. */
    readonly reader: string;
    readonly source: string;
    readonly new: number;
    readonly changed: number;
    readonly secrets: number;
    /** Each a sentence without its end. */
    readonly unread: readonly string[];
    /** What is open here still. */
    readonly given_up: readonly { readonly content: string }[];
    readonly memories: readonly { readonly content: string }[];
  }[];
}

interface Brought {
  readonly waiting: number;
  readonly replaced: number;
  readonly given_up: number;
  readonly errors: readonly { readonly message: string }[];
}

/** Looks first, asks which of it, and shows what waits: docs/behaviour.md, "Bringing what is there". */
async function bring(doing: Doing): Promise<void> {
  const folder = memoryFolder(doing.place);
  const environment = { SVC_MEMORY_DB: folder.store.file ?? fileOf(storeAt(folder.path, homeFolder())) };
  const found = await look(doing, environment);
  if (!found) return;
  const unread = found.sources.flatMap((source) => source.unread);
  for (const one of unread.slice(0, MOST_LOGGED)) doing.editor.log.warn(plainLine(one));
  const more = [...unreadInWords(unread), ...givenUpInWords(found)];
  const rows = rowsOf(found);
  if (rows.length === 0) {
    const nothing = vscode.l10n.t(
      "There is nothing to draft from: no rules for agents, no records of decisions, and no reasons in Git's history.",
    );
    const nothingNew = vscode.l10n.t('The project says nothing that was not brought already.');
    const said = [found.sources.length === 0 ? nothing : nothingNew, ...more].join(' ');
    vscode.window.showInformationMessage(withoutLinks(said, MAX_MESSAGE_LENGTH));
    return;
  }
  const chosen = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t('Draft Memories from This Project'),
    placeHolder: vscode.l10n.t('Nothing of it counts until you keep it in Review'),
    canPickMany: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (!chosen || chosen.length === 0) return;
  const shows = await runAndTell(doing, {
    title: vscode.l10n.t('Bringing memories'),
    program: 'svc-memory',
    arguments: ['import', ...chosen.flatMap(({ reader }) => ['--from', reader]), '--yes', '--json'],
    changes: true,
    environment,
    summary: fromJson<Brought>((brought) => {
      for (const { message } of brought.errors.slice(0, MOST_LOGGED)) doing.editor.log.warn(plainLine(message));
      return [...broughtInWords(brought), ...more].join(' ');
    }),
    button: vscode.l10n.t('Show Review'),
    cancelled: vscode.l10n.t('Cancelled; nothing was imported.'),
  });
  if (shows) await vscode.commands.executeCommand('agentMemory.showProposals');
}

/** What came closed is in no Review. */
function broughtInWords({ waiting, replaced, given_up, errors }: Brought): string[] {
  const withOthers =
    replaced === 1
      ? vscode.l10n.t('1 more was replaced at its source, and is kept with what replaced it.')
      : vscode.l10n.t('{0} more were replaced at their source, and are kept with what replaced them.', replaced);
  const closed =
    given_up === 1
      ? vscode.l10n.t('1 more was given up at its source, and stays closed.')
      : vscode.l10n.t('{0} more were given up at their source, and stay closed.', given_up);
  return [
    vscode.l10n.t('In Review until you keep or drop them: {0}.', counted.memories(waiting)),
    ...(replaced > 0 ? [withOthers] : []),
    ...(given_up > 0 ? [closed] : []),
    ...(errors.length > 0 ? [vscode.l10n.t('Refused: {0}.', errors.length)] : []),
  ];
}

/** The log has all of it. */
function unreadInWords([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  const one = plainLine(first);
  return [
    others.length === 0
      ? vscode.l10n.t('Not read: {0}.', one)
      : vscode.l10n.t('Not read: {0}, and {1} more, which the log names.', one, others.length),
  ];
}

/** Only a person closes what a person has kept. */
function givenUpInWords({ sources }: Found): string[] {
  const [first, ...others] = sources.flatMap((one) => one.given_up);
  if (first === undefined) return [];
  const content = plainLine(first.content);
  return [
    others.length === 0
      ? vscode.l10n.t('Given up at its source since, and open here: {0}.', content)
      : vscode.l10n.t('Given up at their sources since, and open here: {0}, and {1} more.', content, others.length),
  ];
}

/** @returns undefined when it was cancelled or failed, which was said */
async function look(doing: Doing, environment: Readonly<Record<string, string>>): Promise<Found | undefined> {
  const folder = memoryFolder(doing.place);
  const ended = await withProgress(vscode.l10n.t('Looking for what the project says'), async (token, onProgress) => {
    // It looks from the store of the folder, which has to be there.
    const made = folder.store.exists
      ? undefined
      : await runProgram(doing.editor, { program: 'svc-memory', arguments: ['init'], folder, environment });
    if (made && made.status !== 0) return made;
    const run = { program: 'svc-memory', folder, environment, token, onProgress } as const;
    return runProgram(doing.editor, { ...run, arguments: ['import', '--from', 'here', '--dry-run', '--json'] });
  });
  // Without a source the status is 1, and that is no failure.
  if (ended.output.trim().startsWith('{')) return JSON.parse(ended.output) as Found;
  if (ended.status !== INTERRUPTED) vscode.window.showWarningMessage(withoutLinks(failureOf(ended), MAX_ROW_LENGTH));
  return undefined;
}

/** As our command lines end when they are interrupted. */
const INTERRUPTED = 130;
/** What is shown of a kind of source. */
const SHOWN_NAMES = 3;

interface ReaderRow extends vscode.QuickPickItem {
  readonly reader: string;
}

/** A row for each kind of source that says something new, all of them picked. */
function rowsOf({ sources }: Found): ReaderRow[] {
  const readers = [...new Set(sources.map(({ reader }) => reader))];
  return readers.flatMap((reader) => {
    const all = sources.filter((one) => one.reader === reader);
    const own = all.filter((one) => one.new + one.changed > 0);
    const [first] = own;
    if (!first) return [];
    const sum = (what: 'new' | 'changed' | 'secrets'): number => own.reduce((all, one) => all + one[what], 0);
    const secrets = sum('secrets');
    const unread = all.reduce((count, one) => count + one.unread.length, 0);
    const names = own.slice(0, SHOWN_NAMES).map(({ source }) => source);
    const notes = [
      counted.memories(sum('new') + sum('changed')),
      ...(secrets > 0 ? [vscode.l10n.t('left out as secrets: {0}', secrets)] : []),
      ...(unread > 0 ? [vscode.l10n.t('not read: {0}', unread)] : []),
    ];
    return {
      reader,
      label: plainLine([...names, ...(own.length > SHOWN_NAMES ? ['…'] : [])].join(', ')),
      description: notes.join(', '),
      detail: plainLine(first.memories[0]?.content ?? ''),
      picked: true,
    };
  });
}
