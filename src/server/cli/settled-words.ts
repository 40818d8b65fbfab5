/** What was settled or taken back, in words: the memory that it was done to, and how to take it back. */
import { counted } from '../base/counted';
import { shownId, shownTime } from '../base/shown';
import { cut, oneLine, shownPath } from '../base/text';
import type { TakenBack } from '../memory/history/taken-back';
import { PROGRAM } from './program-name';

/** What `settle` and `undo` answer: what is read of it here. */
export interface Settled {
  readonly action: keyof typeof SAID;
  readonly node_id: string;
  readonly count: number;
  /** What was kept in its place. */
  readonly stored?: string;
  /** What that rejects no more. */
  readonly chosen_now?: readonly string[];
  readonly operation: number | null;
  readonly paths?: readonly string[];
  readonly unchanged?: true;
}

/** What `restore` answers. */
export interface Restored {
  readonly node_id: string;
  readonly valid_until: string | null;
  readonly operation: number | null;
  readonly path?: string;
  readonly unshared?: string;
}

export interface Undone {
  readonly node_ids: readonly string[];
  readonly operation: number;
}

/** How it is said. */
export interface Saying {
  readonly width: number;
  /** Options that lead to the same place. */
  readonly options: string;
  /** What a memory says; undefined where it is no longer there. */
  contentOf(id: string): Promise<string | undefined>;
  takenBack(undone: Undone): Promise<TakenBack>;
}

const SAID = {
  confirm: 'Still true',
  refute: 'No longer true',
  forget: 'Forgotten',
  dismiss: 'Change ignored',
  merge: 'Replaced',
  keep: 'Kept',
  drop: 'Dropped',
  edit: 'Kept in your words',
} as const;

const UNDONE: Readonly<Record<TakenBack['did'], string>> = {
  store: 'stored',
  confirm: 'still true',
  refute: 'no longer true',
  forget: 'forgotten',
  supersede: 'replaced',
  end: 'session ended',
  dismiss: 'change ignored',
  keep: 'kept beside another',
  accept: 'kept',
  fill: 'stored again, with its reasons',
  link: 'put on code',
  restore: 'restored',
  share: 'shared',
  undo: 'undone',
  redo: 'done again',
};

/** @param otherId of a pair: the one that replaces it, or is kept beside it */
export async function settledWords(done: Settled, otherId: string | undefined, saying: Saying): Promise<string> {
  const { action, count, operation, paths = [], chosen_now = [], unchanged } = done;
  const other = otherId === undefined ? '' : ` ${action === 'merge' ? 'by' : 'beside'} [${shownId(otherId)}]`;
  const id = count === 1 ? (done.stored ?? done.node_id) : undefined;
  // The sharing came after it: taken back alone, it is refused.
  const back = operation === null || paths.length > 0 ? '' : ` (${undoing(operation, saying)})`;
  const end = unchanged ? 'which says so already' : 'to be committed';
  const files = paths.map((path) => `  ${action === 'forget' ? 'without' : 'in'} ${shownPath(path)}, ${end}`);
  const chosen = chosen_now.map((one) => cut(`  chosen now, and rejected no more: ${oneLine(one)}`, saying.width));
  return [await said(`${SAID[action]}${other}:`, { id, count }, back, saying), ...chosen, ...files].join('\n');
}

/** Undoing it does it again; where that has been done, undoing takes it back once more. */
export async function undoneWords(undone: Undone, saying: Saying): Promise<string> {
  const { did, isAgain, ids } = await saying.takenBack(undone);
  const undo = undoing(undone.operation, saying);
  const what = `${isAgain ? 'Done again' : 'Taken back'}: ${UNDONE[did]}.`;
  return said(what, { id: ids[0], count: ids.length }, isAgain ? ` (${undo})` : ` (again: ${undo})`, saying);
}

export async function restoredWords(restored: Restored, saying: Saying): Promise<string> {
  const { node_id: id, valid_until, operation, path, unshared } = restored;
  const back = operation === null ? '' : ` (${undoing(operation, saying)})`;
  const how = [
    ...(valid_until === null ? [] : [`  It is closed since ${shownTime(valid_until)}, as before.`]),
    ...(path === undefined ? [] : [`  in ${shownPath(path)}, so it is shared again`]),
    ...(unshared === undefined ? [] : [`  ${unshared}.`]),
  ];
  return [await said('Restored:', { id, count: 1 }, back, saying), ...how].join('\n');
}

function undoing(operation: number, { options }: Saying): string {
  return `${PROGRAM} undo ${operation}${options}`;
}

/** With less room for what a memory says, the command gets a line of its own. */
const MIN_ROOM = 10;

/** One memory by its words, several by their number, and by the words of one of them where it is given. */
async function said(
  what: string,
  { id, count }: { readonly id: string | undefined; readonly count: number },
  end: string,
  { width, contentOf }: Saying,
): Promise<string> {
  const number = count === 1 ? [] : [counted(count, 'memory')];
  const head = `${what} ${[...number, ...(id === undefined ? [] : [`[${shownId(id)}]`])].join(', first ')}`;
  const words = id === undefined ? head : `${head} ${oneLine((await contentOf(id)) ?? '')}`.trimEnd();
  const room = width - end.length;
  const isTight = words.length > room && room - head.length < MIN_ROOM;
  return isTight ? `${cut(words, width)}\n ${end}` : `${cut(words, room)}${end}`;
}
