/** The room in which a source is taken apart into tokens. */

/**
 * A text as its tokens, joined by one space, so that a formatter changes nothing that is hashed; the same for a whole file
 * and for a symbol in it.
 */
export interface Tokens {
  /** In UTF-8, each token between two spaces. */
  readonly bytes: Buffer;
  /** Where each token begins in the source, in UTF-16 units. */
  readonly starts: Int32Array;
  /** Where each token begins in `bytes`. */
  readonly places: Int32Array;
}

/** Marks of what tokens do not say; no source holds these. Where a block of an indented language begins and ends: */
export const INDENT = 2;
export const DEDENT = 3;
/** A space in a literal; a line break that counts; the end of a comment that goes up to the end of its line. */
export const INNER_BLANK = 4;
export const LINE = 5;
export const COMMENT_END = 6;

export const SPACE = 0;
export const WORD = 1;
export const OTHER = 2;
/** By UTF-16 unit; beyond ASCII everything but spaces belongs to a word. */
export const CLASSES = new Uint8Array(65_536).fill(WORD);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (!/[\w$]/.test(character)) CLASSES[code] = /\s/.test(character) ? SPACE : OTHER;
}
for (const code of [0xa0, 0xfeff, 0x2028, 0x2029]) CLASSES[code] = SPACE;
export const NEWLINE = 10;
export const TAB = 9;
export const BLANK = 32;
export const TAB_WIDTH = 8;
/** A character takes three bytes at most (half a pair two), and a space behind it; indentation ends as often as it began. */
const MOST_BYTES = 8;
/** For each character: with it, a block can begin, and later end. */
const MOST_TOKENS = 3;
/** Room for the tokens of a source this long is kept: fresh memory costs more than what is written into it. */
const KEPT_LENGTH = 250_000;

export interface Room {
  /** In UTF-16 units, of a language with or without indentation. */
  readonly length: number;
  /** The source; reading it from here takes a fifth of the time that reading a string takes. */
  readonly units: Uint16Array;
  readonly bytes: Buffer;
  readonly starts: Int32Array;
  readonly places: Int32Array;
}

function roomFor(length: number): Room {
  const tokens = length * MOST_TOKENS + 1;
  return {
    length,
    units: new Uint16Array(length + 1),
    // Never read beyond what was written: it need not be cleared.
    bytes: Buffer.allocUnsafeSlow(length * MOST_BYTES + 2),
    starts: new Int32Array(tokens),
    places: new Int32Array(tokens),
  };
}

let kept = roomFor(0);

/** @returns room whose content holds until the next call */
export function roomWith(source: string): Room {
  let room = kept;
  if (room.length < source.length) {
    // Somewhat more than asked for, so that a slightly longer source fits as well.
    room = roomFor(Math.max(source.length, Math.min(source.length * 2, KEPT_LENGTH)));
    if (room.length <= KEPT_LENGTH) kept = room;
  }
  Buffer.from(room.units.buffer).write(source, 'utf16le');
  // Ends the last word.
  room.units[source.length] = BLANK;
  return room;
}

const codes = (characters: string): ReadonlySet<number> => new Set(Array.from(characters, (one) => one.charCodeAt(0)));
export const OPENING = codes('([{');
export const CLOSING = codes(')]}');
