/** Filters lists by words. */

/** Words of a filter that count; a person who types more than these has found it. */
const MAX_FILTER_WORDS = 8;

export interface WordsCondition {
  /** SQL, true where there are no words; its parameters are `words` and `letters` numbered. */
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * What is true of a node that has all these words in its content or its id, whatever their case.
 * @param node the name of mem_nodes in the statement
 */
export function hasWords(node: string, letters: string): WordsCondition {
  const words = letters.split(/\s+/u).filter(Boolean).slice(0, MAX_FILTER_WORDS);
  const conditions = words.map(
    // SQLite lowers ASCII only; for other letters the word also counts as it was typed.
    (_, i) =>
      `(instr(lower(${node}.content), $letters${i}) > 0 OR instr(${node}.content, $words${i}) > 0 OR instr(${node}.id, $words${i}) > 0)`,
  );
  return {
    condition: conditions.length === 0 ? '1' : conditions.join(' AND '),
    values: Object.fromEntries(
      words.flatMap((word, i) => [
        [`words${i}`, word],
        [`letters${i}`, word.toLowerCase()],
      ]),
    ),
  };
}
