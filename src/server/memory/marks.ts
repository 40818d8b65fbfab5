/** The marks of a memory. */
import { isClockAhead } from './clock-ahead';
import type { Told } from './code/touches';
import type { Memory } from './memory';
import type { Standing } from './origins';

/**
 * What a reader has to know of a memory before believing it, in the order of the line. `foreign`: it stands in a store
 * that was not made on this machine, and that nobody accepted, or in a file of such a folder. `shared`: it stands in a
 * file of the repository. `team`: it is in the memory of a team. `proposed`: it waits for a person. `code changed`, `code gone`: the code that it is about is not
 * as it was. `code of another branch`: it is about another version of the code than that of this branch. `clock ahead`: the clock that dated it was ahead. `older`: the same answer holds one that says nearly the same
 * and is newer.
 */
export const MARKS = [
  'foreign',
  'shared',
  'team',
  'proposed',
  'code changed',
  'code gone',
  'code of another branch',
  'clock ahead',
  'older',
] as const;
export type Mark = (typeof MARKS)[number];

export interface Marked {
  /** Missing where there is nothing to say. */
  readonly marks?: readonly Mark[] | undefined;
  /** The id of the one that makes it `older`. */
  readonly newer?: string | undefined;
}

/** The memories of a working tree that stand in files of the repository. */
export interface SharedMemories {
  has(id: string): boolean;
  /** The path of its file, relative to the root. */
  fileOf(id: string): string | undefined;
  /**
   * The names in those files that have no links, by id: what these memories are on follows from names, as the code stood
   * when that was found out.
   */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** The ids beside which the file of a memory says that it is to be kept, however alike they are. */
  keptBeside(id: string): readonly string[];
  /** Whether an entity is named by them alone. */
  names(id: string): boolean;
  /** The files came with a folder that nobody accepted. */
  readonly foreign: boolean;
}

/** What marks depend on besides the memory itself. */
type Marking = Pick<Memory, 'foreign' | 'shared'>;

/** The name of an entity or a session with its marks, in place of how it stands. */
export function markedName<Name extends { readonly id: string; readonly standing: Standing }>(
  memory: Marking,
  { standing, ...name }: Name,
): Omit<Name, 'standing'> & Marked {
  const marks = fromWhere(memory, name, standing);
  return marks.length === 0 ? name : { ...name, marks };
}

/** What marks are told from. */
export interface Markable {
  readonly id: string;
  readonly valid_from: string;
  readonly recorded_at?: string;
  readonly standing: Standing;
  readonly newer?: string | undefined;
}

/** What another memory is called where one leads to it. */
export function markedReference(
  memory: Marking & Pick<Memory, 'clock'>,
  node: Markable & { readonly content: string },
): Marked & { readonly id: string; readonly content: string } {
  const { marks } = marked<typeof node & Marked>(memory, node);
  return { id: node.id, content: node.content, ...(marks ? { marks } : {}) };
}

/** The same memory with its marks. @param code what became of the code that it is about, where that was looked up */
export function marked<Node extends Markable>(
  memory: Marking & Pick<Memory, 'clock'>,
  node: Node,
  code?: Told,
): Node & Marked {
  const { valid_from, recorded_at, standing, newer } = node;
  const marks = fromWhere(memory, node, standing);
  if (code !== undefined) marks.push(code === 'other version' ? 'code of another branch' : `code ${code}`);
  if (recorded_at !== undefined && isClockAhead(memory, { valid_from, recorded_at })) marks.push('clock ahead');
  if (newer !== undefined) marks.push('older');
  return marks.length === 0 ? node : { ...node, marks };
}

/** A shared one of a stranger waits for the whole folder to be accepted, not for itself. */
function fromWhere({ foreign, shared }: Marking, { id }: { readonly id: string }, standing: Standing): Mark[] {
  const isShared = shared.has(id);
  const isStrangers = shared.foreign && (isShared || shared.names(id));
  return [
    ...(foreign || isStrangers ? (['foreign'] as const) : []),
    ...(isShared ? (['shared'] as const) : []),
    ...(standing === 'proposed' && !isStrangers ? [standing] : []),
  ];
}
