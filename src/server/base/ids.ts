/** Makes the ids of nodes short, and easy to read out. */
import { randomInt } from 'node:crypto';

/** Draws the unique suffix of a node id. Comes from the handle, so that tests can fix it. */
export type IdSource = () => string;

// Every id is printed in every recall, so it is paid for again and again. A line with eight base32 characters at random
// costs 24.5 tokens before its content, with eight random letters 23.7, with pronounceable ones 22.8 (o200k_base), and
// people can read those out. 434 million suffixes for each kind: a clash is found by the primary key and drawn again.
const CONSONANTS = 'bcdfghklmnprstvw';
const VOWELS = 'aeiou';
const PATTERNS = ['cvcvcvcv', 'cvccvcvc', 'cvcvccvc', 'cvcvcvcc'].map((pattern) =>
  [...pattern].map((letter) => (letter === 'c' ? CONSONANTS : VOWELS)),
);
const SIZES = PATTERNS.map((letters) => letters.reduce((product, { length }) => product * length, 1));
const ALL = SIZES.reduce((sum, size) => sum + size, 0);

export const randomSuffix: IdSource = () => suffixAt(randomInt(ALL));

/** The suffix with this number: the same for the same number. */
export function suffixAt(number: number): string {
  let rest = number % ALL;
  let pattern = 0;
  for (const size of SIZES) {
    if (rest < size) break;
    rest -= size;
    pattern += 1;
  }
  let id = '';
  for (const letters of PATTERNS[pattern] ?? []) {
    id += letters.charAt(rest % letters.length);
    rest = Math.floor(rest / letters.length);
  }
  return id;
}
