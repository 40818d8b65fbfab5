/** The tokens of a stretch of a source. */
import { BLANK, COMMENT_END, DEDENT, INDENT, LINE, type Tokens } from './token-room';

export interface SomeTokens {
  /** Each between two spaces. */
  readonly bytes: Buffer;
  readonly count: number;
}

/** Without the blocks, lines and comments that begin or end before them. */
export function tokensBetween({ bytes, starts, places }: Tokens, start: number, end: number): SomeTokens {
  let first = firstFrom(starts, start);
  while (isBlock(bytes[places[first] ?? -1])) first += 1;
  const last = firstFrom(starts, end);
  const from = places[first] ?? bytes.length;
  let to = places[last] ?? bytes.length;
  while (to - 2 >= from && isBreak(bytes[to - 2]) && bytes[to - 1] === BLANK) to -= 2;
  return { bytes: bytes.subarray(from - 1, to), count: last - first };
}

function isBlock(byte: number | undefined): boolean {
  return byte === INDENT || byte === DEDENT;
}

function isBreak(byte: number | undefined): boolean {
  return byte === LINE || byte === COMMENT_END;
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
