/** What a memory in other words still rejects. Pure. */

/** What turns a choice away: then it may be named because it is rejected. */
const TURNS_AWAY =
  /\b(?:not|no|never|none|without|nor|cannot|instead|rather|over|than|against|from|but|except|before|formerly|previously|earlier|stop\w*|reject\w*|drop\w*|avoid\w*|remov\w*|replac\w*)\b|n['’]t\b/i;

/**
 * Without what the new words say, word for word, and the old ones did not: it is chosen now. Where the new words hold all of
 * the old ones, what was chosen is chosen still, and more is told of it.
 */
export function stillRejected(
  alternatives: readonly string[],
  { now, before }: { readonly now: string; readonly before: string },
): readonly string[] {
  if (TURNS_AWAY.test(now) || says(now, before)) return alternatives;
  return alternatives.filter((one) => !says(now, one) || says(before, one));
}

function says(text: string, other: string): boolean {
  const words = (each: string): string => ` ${(each.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(' ')} `;
  return words(other).trim() !== '' && words(text).includes(words(other));
}
