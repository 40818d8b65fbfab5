/** Groups near-duplicates. */
import type { NearDuplicatePair, PairedMemory, ReviewEntry } from '../../../protocol/tool-values';
import type { AskedOfMemories } from './view-state';

/** Memories that say almost the same, the newest first. */
export interface DuplicateGroup {
  readonly kind: string;
  readonly newest: PairedMemory;
  readonly older: readonly PairedMemory[];
}

/** However alike they are. */
type Pair = Omit<NearDuplicatePair, 'similarity'>;

/** Pairs that share a memory belong together: three wordings of one fact are one question to a person, not three. */
export function duplicateGroups(pairs: readonly Pair[]): DuplicateGroup[] {
  const groups = new Map<string, Map<string, Pair['newer']>>();
  // Memories of several kinds are no duplicates.
  const kinds = new Map<string, string>();
  for (const { newer, older, kind } of pairs) {
    kinds.set(newer.id, kind).set(older.id, kind);
    const group = groups.get(newer.id) ?? groups.get(older.id) ?? new Map();
    for (const member of [newer, older]) {
      const other = groups.get(member.id);
      if (other && other !== group) for (const each of other.values()) group.set(each.id, each);
      group.set(member.id, member);
    }
    for (const id of group.keys()) groups.set(id, group);
  }
  return [...new Set(groups.values())].flatMap((group) => {
    const [newest, ...older] = [...group.values()].sort(
      (one, other) => compare(other.valid_from, one.valid_from) || compare(one.id, other.id),
    );
    return newest ? [{ kind: kinds.get(newest.id) ?? '', newest, older }] : [];
  });
}

/** Pairs that say nearly the same, by their newer memory: what is near one that is near another may be about something else. */
export function nearGroups(pairs: readonly NearDuplicatePair[]): DuplicateGroup[] {
  return [...new Set(pairs.map(({ newer }) => newer.id))].flatMap((id) => {
    const own = pairs.filter(({ newer }) => newer.id === id);
    const [first] = own;
    return first ? [{ kind: first.kind, newest: first.newer, older: own.map(({ older }) => older) }] : [];
  });
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** A memory that names the file and nothing in it. */
export function isWholeFile({ was, verdict }: ReviewEntry): boolean {
  return verdict !== 'gone' && was.code_type === 'file';
}

/**
 * One row for each memory, however many of its symbols are in doubt; the worst one is shown. Those about whole files come
 * last.
 */
export function worstOfEach(entries: readonly ReviewEntry[]): ReviewEntry[] {
  const worst = new Map<string, ReviewEntry>();
  for (const entry of entries) {
    const known = worst.get(entry.node.id);
    if (!known || rank(entry) > rank(known)) worst.set(entry.node.id, entry);
  }
  const all = [...worst.values()];
  return [...all.filter((entry) => !isWholeFile(entry)), ...all.filter(isWholeFile)];
}

function rank(entry: ReviewEntry): number {
  if (entry.verdict === 'gone') return 2;
  return isWholeFile(entry) ? 0 : 1;
}

/** What a row shows of memories, for the filter of the side bar. */
export interface Filtered {
  readonly kind: string;
  readonly ids: readonly string[];
  readonly texts: readonly string[];
}

/**
 * Whether the filter of the side bar lets a row through.
 * @param onCode ids of the memories that are on the code that it names; undefined where it names none
 */
export function passes(
  { kinds, letters }: Pick<AskedOfMemories, 'kinds' | 'letters'>,
  onCode: ReadonlySet<string> | undefined,
  { kind, ids, texts }: Filtered,
): boolean {
  return (
    (kinds.length === 0 || kinds.some((one) => one === kind)) &&
    (!onCode || ids.some((id) => onCode.has(id))) &&
    matches(letters, ...ids, ...texts)
  );
}

/** Whether an entry has all the words of a filter in its content or the name of its code. */
export function matches(words: string, ...texts: readonly string[]): boolean {
  const text = texts.join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
