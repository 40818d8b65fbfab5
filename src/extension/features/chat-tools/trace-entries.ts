/** What is kept of the calls by which the chat was given memories. */

/** One call. No text is kept: what a memory says is looked up when it is shown. */
export interface Entry {
  readonly at: number;
  readonly folder: string;
  readonly namespace: string;
  readonly ids: readonly string[];
}

/**
 * Calls no further apart than this count as one answer, which the editor does not tell. A model calls again within
 * seconds; a person reads an answer before the next question.
 */
const ANSWER_MS = 20_000;

/** The newest calls that are close to each other. */
export function lastAnswer(entries: readonly Entry[]): readonly Entry[] {
  let from = entries.length - 1;
  while (from > 0 && (entries[from]?.at ?? 0) - (entries[from - 1]?.at ?? 0) <= ANSWER_MS) from -= 1;
  return entries.slice(Math.max(from, 0));
}

export const keyOf = ({ folder, namespace }: Entry, id: string): string => `${folder} ${namespace} ${id}`;

/**
 * The entries without what is no longer there.
 * @param asked those whose memories were looked up: what was noted meanwhile stays as it is
 * @param known what was found of them, by `keyOf`
 */
export function stillThere(
  entries: readonly Entry[],
  asked: readonly Entry[],
  known: ReadonlyMap<string, unknown>,
): readonly Entry[] {
  return entries.flatMap((entry) => {
    if (!asked.includes(entry)) return [entry];
    const ids = entry.ids.filter((id) => known.has(keyOf(entry, id)));
    // An answer that used none stays, as what is shown of the one before would be taken for it.
    return ids.length === 0 && entry.ids.length > 0 ? [] : [{ ...entry, ids }];
  });
}
