/**
 * Forms of secrets, and texts that look like them: a line each in `forms/`, `\n` where a line ends, values in braces. All of them were
 * written before it was seen what the rules say of them, which has been mended since: they hold what works, and measure nothing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findSecret } from '../../../src/server/secrets/find-secret';
import { seededRandom } from '../../support/random';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALPHABETS: Readonly<Record<string, string>> = {
  a: LOWER + UPPER + DIGITS,
  l: LOWER,
  q: LOWER + DIGITS,
  L: LOWER + UPPER,
  h: `${DIGITS}abcdef`,
  H: `${DIGITS}ABCDEF`,
  U: UPPER + DIGITS,
  d: DIGITS,
  b: `${LOWER}${UPPER}${DIGITS}+/`,
  B: `${UPPER}234567`,
  K: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  p: `${LOWER}${UPPER}${DIGITS}!@#$%^&*()-_=+[]{}|;:,.<>?/~`,
};
const WORDS =
  'river castle lemon quantum orbit walnut copper stadium violin glacier magnet puzzle harbor velvet cactus'.split(' ');
const SEEDS = [1, 2, 3, 4, 5];
/** Of drawn values some look like words, and a few forms are not known. */
const MOST_MISSED = 0.03;

/** `{a20}` is 20 letters and digits; `{pw}` a word, perhaps a sign, and digits, as people choose them. */
function texts(file: string, seed: number): string[] {
  const random = seededRandom(seed);
  const draw = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(random.below(alphabet.length))).join('');
  const word = (): string => WORDS[random.below(WORDS.length)] ?? '';
  const hex = (length: number): string => draw(ALPHABETS.h ?? '', length);
  const special: Readonly<Record<string, () => string>> = {
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    pw: () => `${word().replace(/^./, (first) => first.toUpperCase())}${draw('!#-_$', 1)}${draw(DIGITS, 3)}`,
    words12: () => Array.from({ length: 12 }, word).join(' '),
    basic: () => Buffer.from(`deploy:${draw(ALPHABETS.a ?? '', 14)}`).toString('base64'),
    bc53: () => draw(`${ALPHABETS.a}./`, 53),
  };
  const template = readFileSync(join(import.meta.dirname, 'forms', `${file}.txt`), 'utf8');
  return template
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped))
        .replace(/\{(?:(uuid|pw|words12|basic|bc53)|([alqLhHUdbBKp])(\d+))\}/g, (_, name, letter, length) =>
          name === undefined ? draw(ALPHABETS[letter] ?? '', Number(length)) : (special[name]?.() ?? ''),
        ),
    );
}

it('finds the secrets', () => {
  const all = SEEDS.flatMap((seed) => texts('secret', seed));
  const missed = all.filter((text) => !findSecret(text));
  expect(missed.length, missed.join('\n')).toBeLessThan(all.length * MOST_MISSED);
});

it('finds none in harmless texts', () => {
  const refused = SEEDS.flatMap((seed) => texts('harmless', seed)).filter((text) => findSecret(text));
  expect(refused).toEqual([]);
});
