/** Finds the text that another one became. */

/** A share of common words from which two texts count as one that was rewritten; Git takes a half of the lines. */
const ALIKE = 0.6;
/** Shorter texts are alike by chance. */
const FEWEST_WORDS = 12;
/** Comparing is as long as the texts are. */
const LONGEST = 200_000;

/** @returns the number of the only text that is alike; undefined where none is, or several are */
export function onlyAlike(old: string, texts: readonly string[]): number | undefined {
  const words = countedWords(old);
  if (!words || words.all < FEWEST_WORDS) return undefined;
  const alike = texts.flatMap((text, i) => (share(words, countedWords(text)) >= ALIKE ? [i] : []));
  return alike.length === 1 ? alike[0] : undefined;
}

interface Words {
  readonly all: number;
  readonly counts: ReadonlyMap<string, number>;
}

function countedWords(text: string): Words | undefined {
  if (text.length > LONGEST) return undefined;
  const counts = new Map<string, number>();
  const words = text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { all: words.length, counts };
}

/** Words in common, of all of both: 0 to 1. */
function share(one: Words, other: Words | undefined): number {
  if (!other) return 0;
  let common = 0;
  for (const [word, count] of one.counts) common += Math.min(count, other.counts.get(word) ?? 0);
  return (2 * common) / (one.all + other.all);
}
