/**
 * A text as its tokens, joined by one space, so that a formatter changes nothing that is hashed. A token is a word or a
 * single other character; it takes no grammar, and is the same for a whole file and for a symbol in it.
 */
export interface Tokens {
  /** In UTF-8, each token between two spaces. */
  readonly bytes: Buffer;
  /** Where each token begins in the source, in UTF-16 units. */
  readonly starts: Int32Array;
  /** Where each token begins in `bytes`. */
  readonly places: Int32Array;
}

/** Where a block of an indented language begins and ends: no source holds these. */
const INDENT = 2;
const DEDENT = 3;

const SPACE = 0;
const WORD = 1;
const OTHER = 2;
/** By UTF-16 unit; beyond ASCII everything but spaces belongs to a word. */
const CLASSES = new Uint8Array(65_536).fill(WORD);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (!/[\w$]/.test(character)) CLASSES[code] = /\s/.test(character) ? SPACE : OTHER;
}
for (const code of [0xa0, 0xfeff, 0x2028, 0x2029]) CLASSES[code] = SPACE;
const NEWLINE = 10;
const TAB = 9;
const BLANK = 32;
const TAB_WIDTH = 8;
/** A character takes three bytes at most (half a pair two), and a space behind it; indentation ends as often as it began. */
const MOST_BYTES = 8;
/** For each character: with it, a block can begin, and later end. */
const MOST_TOKENS = 3;
/** Room for the tokens of a source this long is kept: fresh memory costs more than what is written into it. */
const KEPT_LENGTH = 250_000;

interface Room {
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

function roomWith(source: string): Room {
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

/** @returns tokens that hold until the next call */
export function tokenize(source: string, indented: boolean): Tokens {
  const { units, bytes, starts, places } = roomWith(source);
  const columns = [0];
  let count = 0;
  let length = 0;
  bytes[length++] = BLANK;
  let column = 0;
  let fresh = true;
  let brackets = 0;
  for (let at = 0; at < source.length; ) {
    const code = units[at] ?? 0;
    const kind = CLASSES[code] ?? WORD;
    if (kind === SPACE) {
      if (code === NEWLINE) {
        fresh = true;
        column = 0;
      } else column += code === TAB ? TAB_WIDTH - (column % TAB_WIDTH) : 1;
      at += 1;
      continue;
    }
    if (indented) {
      if (fresh && brackets === 0) {
        let marks = 0;
        const deeper = column > (columns.at(-1) ?? 0);
        if (deeper) {
          columns.push(column);
          marks = 1;
        }
        for (; column < (columns.at(-1) ?? 0); marks++) columns.pop();
        for (; marks > 0; marks--) {
          starts[count] = at;
          places[count++] = length;
          bytes[length++] = deeper ? INDENT : DEDENT;
          bytes[length++] = BLANK;
        }
      }
      if (OPENING.has(code)) brackets += 1;
      else if (brackets > 0 && CLOSING.has(code)) brackets -= 1;
    }
    fresh = false;
    starts[count] = at;
    places[count++] = length;
    if (kind === OTHER) {
      bytes[length++] = code;
      at += 1;
    } else {
      const begin = length;
      const start = at;
      let all = 0;
      let next = code;
      do {
        bytes[length++] = next;
        all |= next;
        next = units[++at] ?? BLANK;
      } while (CLASSES[next] === WORD);
      if (all >= 128) length = begin + bytes.write(source.slice(start, at), begin);
    }
    bytes[length++] = BLANK;
  }
  return { bytes: bytes.subarray(0, length), starts: starts.subarray(0, count), places: places.subarray(0, count) };
}

const codes = (characters: string): ReadonlySet<number> => new Set(Array.from(characters, (one) => one.charCodeAt(0)));
const OPENING = codes('([{');
const CLOSING = codes(')]}');

/** The tokens of a stretch of the source, each between two spaces; without the blocks that begin or end before it. */
export function tokensBetween({ bytes, starts, places }: Tokens, start: number, end: number): Buffer {
  let first = firstFrom(starts, start);
  while (isMark(bytes[places[first] ?? -1])) first += 1;
  const from = places[first] ?? bytes.length;
  const to = places[firstFrom(starts, end)] ?? bytes.length;
  return bytes.subarray(from - 1, to);
}

function isMark(byte: number | undefined): boolean {
  return byte === INDENT || byte === DEDENT;
}

/** The index of the first token that begins at or after this place. */
function firstFrom(starts: Int32Array, place: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
