/** What a memory says, whatever its case, spaces and end punctuation. */

/** Of the scripts that have marks of their own for the end of a sentence, too. */
const END_MARKS = ' .!?…:;,。！？：；，';

/** Two texts say the same when this is equal. */
export function said(content: string): string {
  const text = content.toLowerCase().replace(/\s+/gu, ' ').trim();
  let end = text.length;
  while (end > 0 && END_MARKS.includes(text.charAt(end - 1))) end -= 1;
  // Of a text of such marks alone nothing would be left.
  return end === 0 ? text : text.slice(0, end);
}

/** FNV-1a: its first value and its factor. */
const [FIRST, FACTOR] = [0x811c9dc5, 0x01000193];

/** A number of 31 bits under which what a text says is found. Others may have the same number. */
export function saidKey(content: string): number {
  const text = said(content);
  let hash = FIRST;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FACTOR);
  return hash >>> 1;
}
