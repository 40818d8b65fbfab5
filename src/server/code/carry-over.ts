/** Gives links of older programs the hashes that their texts have now. */
import { isOldHash } from '../graph/extract';
import { acceptedTexts } from '../memory/code/accepted-texts';
import { type AcceptedText, replaceTexts } from '../memory/code/replace-texts';
import { type CodeSymbol, isSamePlace, type LocatedSymbol, type Touch } from '../memory/code/touches';
import type { Memory, Write } from '../memory/memory';

/**
 * The hashes of 0.1.0 left out what is in literals. A link with such a hash accepts the text that has this hash by the old
 * rule; as soon as that text is found in a working file, the link gets its new hash. Until then it keeps the old one.
 * @param located where the symbols of the links are
 */
export async function carryOver(
  { memory, write }: { readonly memory: Memory; readonly write: Write },
  keys: readonly Touch[],
  located: readonly LocatedSymbol[],
): Promise<void> {
  const files = new Map<string, readonly CodeSymbol[]>();
  const texts: AcceptedText[] = [];
  for (const [i, key] of keys.entries()) {
    const old = acceptedTexts(key).filter((hash) => hash !== '' && isOldHash(hash));
    const path = located[i]?.symbol?.file_path;
    if (old.length === 0 || path === undefined) continue;
    const symbols = files.get(path) ?? (await memory.code.withOldHashes?.(path)) ?? [];
    files.set(path, symbols);
    for (const text of old) {
      // Functions that differ only in what the old rule left out share its hash.
      const alike = symbols.filter(({ old_hash }) => old_hash === text);
      const here = alike.find((one) => isSamePlace(one, located[i]?.symbol ?? key));
      const same = here ?? (alike.length === 1 ? alike[0] : undefined);
      if (same) texts.push({ link: key, from: text, to: same.hash });
    }
  }
  if (texts.length > 0) await write((writable) => replaceTexts(writable, texts));
}
