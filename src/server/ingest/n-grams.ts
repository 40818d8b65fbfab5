/** Enough slots that few n-grams of a large code base share one. */
const BUCKETS = 1 << 18;
const GRAM = 4;
const MOST_WORDS = 2_000;

export function wordsIn(terms: string): string[] {
  return terms === '' ? [] : terms.split(' ').slice(0, MOST_WORDS);
}

/** The slots of a local embedding: each word, and its runs of four characters with its ends marked. */
export function nGrams(terms: string): Set<number> {
  const slots = new Set<number>();
  for (const word of wordsIn(terms)) {
    slots.add(slotOf(`=${word}`));
    const marked = `<${word}>`;
    for (let at = 0; at + GRAM <= marked.length; at++) slots.add(slotOf(marked.slice(at, at + GRAM)));
  }
  return slots;
}

/** FNV-1a */
function slotOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % BUCKETS;
}
