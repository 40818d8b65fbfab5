/** The texts that a link accepts: the code that a memory fits. */
import type { CodeSymbol, TouchKey } from './touches';

/** The texts that a link accepts. */
export function acceptedTexts({ hash, confirmed }: Pick<TouchKey, 'hash' | 'confirmed'>): string[] {
  // `TOUCH_COLUMNS` built it.
  return [hash, ...(confirmed === undefined ? [] : (JSON.parse(confirmed) as string[]))];
}

/** What a link accepts where its symbol is gone. */
export const NO_TEXT = '';

/** Whether a link accepts nothing but that its symbol is gone: what it was made on was not there. */
export function isOnNothing(key: Pick<TouchKey, 'hash' | 'confirmed'>): boolean {
  return acceptedTexts(key).every((text) => text === NO_TEXT);
}

/** Whether a link accepts the text of a symbol. */
export function accepts(texts: readonly string[], { hash, old_hash }: Pick<CodeSymbol, 'hash' | 'old_hash'>): boolean {
  return texts.includes(hash) || (old_hash !== undefined && texts.includes(old_hash));
}

/** Of each of a link's overloads the texts that its link accepts. */
export function textsOfOverloads({ beside }: Pick<TouchKey, 'beside'>): string[][] {
  // As above.
  const links = beside === undefined ? [] : (JSON.parse(beside) as [hash: string, confirmed: string[]][]);
  return links.map(([hash, confirmed]) => [hash, ...confirmed]);
}

/** What stands there as one of these is not its symbol. */
export function textsBeside(key: Pick<TouchKey, 'beside'>): string[] {
  return textsOfOverloads(key).flat();
}
