/** A text as its tokens, whatever it is: the rule for files that are not parsed, and for all texts up to 0.1.0. */
import {
  BLANK,
  CLASSES,
  CLOSING,
  DEDENT,
  INDENT,
  NEWLINE,
  OPENING,
  OTHER,
  roomWith,
  SPACE,
  TAB,
  TAB_WIDTH,
  type Tokens,
  WORD,
} from './token-room';

/** A token is a word or a single other character, wherever it stands. @returns tokens that hold until the next call */
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
