/** The texts that a symbol may have had under a name that it has no longer. */
import { isSameSort } from './parsed';
import type { SomeTokens } from './tokens-between';

/** A name, without what it stood in, and the hashes of what was called so. */
export interface FormerName {
  readonly code_type: string;
  readonly name: string;
  readonly hashes: readonly string[];
}

/** Of this many things in a symbol that are called as it is, any may have been called so before it was renamed. */
const MOST_NAMESAKES = 5;

/** Stands in no tokens. */
const ANY = '\u0001';

/** The hash of a text in which a marker stands for this name. */
type Hash = (text: SomeTokens, name: string) => string;

/**
 * For symbols of this kind, the numbers of the names that one with such tokens and such a name had. However many names are
 * asked about, most of them cost nothing: under each that stands nowhere in a text, the text has the same hash.
 * @param check before each step
 */
export function formerNames(
  all: readonly FormerName[],
  codeType: string,
  hash: Hash,
  check: () => void,
): (own: SomeTokens, name: string) => readonly number[] {
  const asked = all.flatMap((one, number) => (isSameSort(one.code_type, codeType) ? [{ ...one, number }] : []));
  if (asked.length === 0) return () => [];
  const byHash = new Map<string, { readonly name: string; readonly number: number }[]>();
  for (const one of asked) {
    for (const text of one.hashes) {
      const known = byHash.get(text);
      if (known) known.push(one);
      else byHash.set(text, [one]);
    }
  }
  const names = new Set(asked.map(({ name }) => name));
  const [plain, others] = [[...names].filter(isOneToken), [...names].filter((name) => !isOneToken(name))];
  return (own, name) => {
    check();
    const said = new Set(own.bytes.toString().split(' '));
    const token = tokensOf(name).join(' ');
    // Of two that stand side by side a hash marks the first alone.
    const isTwice = own.bytes.includes(` ${token} ${token} `);
    const apart = new Set([...others, ...(isTwice ? plain : [...said].filter((one) => names.has(one)))]);
    const found = new Set<number>();
    for (const former of [ANY, ...apart]) {
      for (const was of textsUnder(own, name, former)) {
        check();
        for (const one of byHash.get(hash(was, former)) ?? []) {
          if (former === ANY ? !apart.has(one.name) : one.name === former) found.add(one.number);
        }
      }
    }
    return [...found];
  };
}

/**
 * Its text with the former name in place of its own. What else in it is called so may be a thing of its own
 * (`get() { return entries.get(); }`): then it was renamed alone, or it got the name that this has.
 * @returns none where the text has the same hash under each name
 */
function* textsUnder({ bytes, count }: SomeTokens, name: string, former: string): Generator<SomeTokens> {
  const [own, old] = [tokensOf(name), tokensOf(former)];
  const token = own.join(' ');
  const places = placesOf(bytes, token);
  const isMarked = own.length === 1 && old.length === 1;
  if (name === former || (isMarked && places.length === 1 && !bytes.includes(` ${former} `))) return;
  for (const chosen of choicesOf(places)) {
    const renamed = renamedAt(chosen, bytes, { name: token, former: old.join(' ') });
    yield { bytes: renamed, count: count + chosen.length * (old.length - own.length) };
  }
}

/** Words, and each other character. */
function tokensOf(name: string): readonly string[] {
  return name.match(/[\w$\u0080-\uffff]+|\S/g) ?? [];
}

/** The tokens of a line that may be names of one token. */
export function wordsOf(line: string): readonly string[] {
  return line.match(/[\w$\u0080-\uffff]+/g) ?? [];
}

/** Whether a marker can stand for it in a hash: not for `#get` and `empty?`. */
export function isOneToken(name: string): boolean {
  return tokensOf(name).length === 1;
}

/** Where a name stands; it is between two spaces. */
function placesOf(bytes: Buffer, name: string): number[] {
  const places: number[] = [];
  const token = Buffer.from(` ${name} `);
  for (let at = bytes.indexOf(token); at >= 0; at = bytes.indexOf(token, at + token.length - 1)) places.push(at + 1);
  return places;
}

/** All of them first: that is what editors do with the calls of itself. */
function* choicesOf(places: readonly number[]): Generator<readonly number[]> {
  if (places.length > 0) yield places;
  if (places.length > MOST_NAMESAKES) {
    yield places.slice(0, 1);
    return;
  }
  const all = 2 ** places.length - 1;
  for (let choice = 1; choice < all; choice++) yield places.filter((_, i) => (choice & (1 << i)) !== 0);
}

function renamedAt(
  places: readonly number[],
  bytes: Buffer,
  { name, former }: { readonly name: string; readonly former: string },
): Buffer {
  const length = Buffer.byteLength(name);
  const token = Buffer.from(former);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const at of places) {
    pieces.push(bytes.subarray(from, at), token);
    from = at + length;
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}
