import { randomInt } from 'node:crypto';

/** Draws the unique suffix of a node id. Comes from the handle, so that tests can fix it. */
export type IdSource = () => string;

// Every id is printed in every recall, so it is paid for again and again. Eight base32 letters cost 4.3 tokens at
// random (o200k_base) and 3.1 when they alternate between common consonants and vowels, which people can also read
// out. 24 million suffixes for each kind: a clash is found by the primary key and drawn again.
const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';
const SYLLABLES = 4;
const KINDS_OF_SYLLABLE = CONSONANTS.length * VOWELS.length;

export const randomSuffix: IdSource = () => {
  let rest = randomInt(KINDS_OF_SYLLABLE ** SYLLABLES);
  let id = '';
  for (let i = 0; i < SYLLABLES; i++) {
    const syllable = rest % KINDS_OF_SYLLABLE;
    rest = Math.floor(rest / KINDS_OF_SYLLABLE);
    id += CONSONANTS.charAt(Math.floor(syllable / VOWELS.length)) + VOWELS.charAt(syllable % VOWELS.length);
  }
  return id;
};
