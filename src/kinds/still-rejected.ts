/** What a memory in other words still rejects. Pure. */

/** Without what the new words say, word for word, and the old ones did not: it is chosen now. */
export function stillRejected(
  alternatives: readonly string[],
  { now, before }: { readonly now: string; readonly before: string },
): readonly string[] {
  return alternatives.filter((one) => !says(now, one) || says(before, one));
}

function says(text: string, other: string): boolean {
  const words = (each: string): string => ` ${(each.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(' ')} `;
  return words(other).trim() !== '' && words(text).includes(words(other));
}
