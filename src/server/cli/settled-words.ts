/** What `svc-memory review` has done, in words: the memory that it was done to, and how to take it back. */
import { counted } from '../base/counted';
import { shownId } from '../base/shown';
import { cut, oneLine, shownPath } from '../base/text';
import { PROGRAM } from './program-name';

/** What `settle` and `undo` answer: what is read of it here. */
export interface Settled {
  readonly action: keyof typeof SAID;
  readonly node_id: string;
  readonly count: number;
  /** What was kept in its place. */
  readonly stored?: string;
  readonly operation: number | null;
  readonly paths?: readonly string[];
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

/** @param otherId of a pair: the one that replaces it, or is kept beside it */
export async function settledWords(done: Settled, otherId: string | undefined, saying: Saying): Promise<string> {
  const { action, count, operation, paths = [] } = done;
  const other = otherId === undefined ? '' : ` ${action === 'merge' ? 'by' : 'beside'} [${shownId(otherId)}]`;
  const ids = count === 1 ? [done.stored ?? done.node_id] : [];
  const back = operation === null ? '' : ` (${undoing(operation, saying)})`;
  const files = paths.map((path) => `  ${action === 'forget' ? 'without' : 'in'} ${shownPath(path)}, to be committed`);
  return [await said(`${SAID[action]}${other}`, { ids, count }, back, saying), ...files].join('\n');
}

export function undoneWords({ node_ids, operation }: Undone, saying: Saying): Promise<string> {
  const again = ` (again: ${undoing(operation, saying)})`;
  return said('Taken back', { ids: node_ids, count: node_ids.length }, again, saying);
}

function undoing(operation: number, { options }: Saying): string {
  return `${PROGRAM} undo ${operation}${options}`;
}

/** One memory by its words, several by their number. */
async function said(
  what: string,
  { ids: [id, ...more], count }: { readonly ids: readonly string[]; readonly count: number },
  end: string,
  { width, contentOf }: Saying,
): Promise<string> {
  if (id === undefined || more.length > 0) return `${what}: ${counted(count, 'memory')}${end}`;
  const content = oneLine((await contentOf(id)) ?? '');
  return `${cut(`${what}: [${shownId(id)}] ${content}`.trimEnd(), width - end.length)}${end}`;
}
