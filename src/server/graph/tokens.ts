/**
 * A text as its tokens, joined by one space, so that a formatter changes nothing that is hashed. A token is a word or a
 * single other character; it takes no grammar, and is the same for a whole file and for a symbol in it.
 */
export interface Tokens {
  /** Each token between two spaces. */
  readonly text: string;
  /** Where each token begins in the source, in UTF-16 units. */
  readonly starts: readonly number[];
  /** Where each token begins in `text`. */
  readonly places: readonly number[];
}

/** Where a block of an indented language begins and ends: no source holds these. */
const INDENT = '\u0002';
const DEDENT = '\u0003';

const SPACE = 0;
const WORD = 1;
const OTHER = 2;
const CLASSES = new Uint8Array(128).fill(OTHER);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[\w$]/.test(character)) CLASSES[code] = WORD;
  else if (/\s/.test(character)) CLASSES[code] = SPACE;
}
const NEWLINE = 10;
const TAB = 9;
const TAB_WIDTH = 8;

export function tokenize(source: string, indented: boolean): Tokens {
  const pieces: string[] = [];
  const starts: number[] = [];
  const places: number[] = [];
  let length = 1;
  const push = (token: string, at: number): void => {
    pieces.push(token);
    starts.push(at);
    places.push(length);
    length += token.length + 1;
  };
  const columns = [0];
  let column = 0;
  let fresh = true;
  let brackets = 0;
  for (let at = 0; at < source.length; ) {
    const kind = classOf(source.charCodeAt(at));
    if (kind === SPACE) {
      const code = source.charCodeAt(at);
      if (code === NEWLINE) {
        fresh = true;
        column = 0;
      } else column += code === TAB ? TAB_WIDTH - (column % TAB_WIDTH) : 1;
      at += 1;
      continue;
    }
    if (indented && fresh && brackets === 0) {
      if (column > (columns.at(-1) ?? 0)) {
        columns.push(column);
        push(INDENT, at);
      }
      while (column < (columns.at(-1) ?? 0)) {
        columns.pop();
        push(DEDENT, at);
      }
    }
    fresh = false;
    let end = at + 1;
    if (kind === WORD) while (end < source.length && classOf(source.charCodeAt(end)) === WORD) end += 1;
    const token = source.slice(at, end);
    if (indented) {
      if (token === '(' || token === '[' || token === '{') brackets += 1;
      else if (brackets > 0 && (token === ')' || token === ']' || token === '}')) brackets -= 1;
    }
    push(token, at);
    at = end;
  }
  return { text: ` ${pieces.join(' ')} `, starts, places };
}

/** The tokens of a stretch of the source, each between two spaces. */
export function tokensBetween(tokens: Tokens, start: number, end: number): string {
  const first = firstFrom(tokens.starts, start);
  const after = firstFrom(tokens.starts, end);
  const from = tokens.places[first] ?? tokens.text.length;
  const to = tokens.places[after] ?? tokens.text.length;
  return tokens.text.slice(from - 1, to);
}

/** Beyond ASCII everything but spaces belongs to a word. */
function classOf(code: number): number {
  if (code < 128) return CLASSES[code] ?? OTHER;
  return code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029 ? SPACE : WORD;
}

/** The index of the first token that begins at or after this place. */
function firstFrom(starts: readonly number[], place: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
