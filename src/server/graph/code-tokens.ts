/** A source as its tokens: literals byte for byte, and line breaks where the language gives them a meaning. */
import type { Language } from './language';
import { isForLayout, LayoutTokens } from './layout-tokens';
import { isBreakKept } from './line-breaks';
import { ALL_TABS, CODE, COMMENT, LAYOUT, LITERAL, type Stretch } from './stretches';
import {
  BLANK,
  CLASSES,
  CLOSING,
  COMMENT_END,
  DEDENT,
  INDENT,
  INNER_BLANK,
  LINE,
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

const RETURN = 13;
const HASH = 35;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const SLASH = 47;
const LESS = 60;
const BACKSLASH = 92;

/**
 * In code and comments a token is a word, another single character, or two that are one operator. A literal is one stretch of
 * bytes, from one thing that is computed in it to the next.
 * @returns tokens that hold until the next call
 */
export function tokenizeCode(source: string, language: Language, stretches: readonly Stretch[]): Tokens {
  const { units, bytes, starts, places } = roomWith(source);
  const { indented, lineBreaks, trailingCommas, joined } = language;
  const layout = trailingCommas === 'kept' ? undefined : new LayoutTokens(source, trailingCommas, stretches);
  const columns = [0];
  let count = 0;
  let length = 0;
  bytes[length++] = BLANK;
  let column = 0;
  /** Nothing but comments stood in this line yet. */
  let fresh = true;
  let brackets = 0;
  let index = -1;
  let boundary = stretches[0]?.start ?? source.length;
  let mode: number = CODE;
  let margin = 0;
  /** The stretch has no token yet. */
  let begins = false;
  /** A comment that goes up to the end of its line stands before. */
  let commented = false;
  let directive = false;
  /** The line of the preprocessor goes on in the next one. */
  let spliced = false;
  /** Where the last token that is no comment begins and ends; -1 for a literal. */
  let from = 0;
  let to = 0;
  for (let at = 0; at < source.length; ) {
    if (at === boundary) {
      if (mode === LITERAL) bytes[length++] = BLANK;
      else if (mode === COMMENT) commented = isOfOneLine(units, stretches[index]?.start ?? 0);
      index += 1;
      mode = stretches[index]?.mode ?? CODE;
      margin = stretches[index]?.margin ?? 0;
      boundary = stretches[index + 1]?.start ?? source.length;
      begins = mode !== CODE;
    }
    const code = units[at] ?? 0;
    const kind = CLASSES[code] ?? WORD;
    if (kind === SPACE && mode !== LITERAL) {
      if (code === NEWLINE) {
        fresh = true;
        column = 0;
      } else column += code === TAB ? TAB_WIDTH - (column % TAB_WIDTH) : 1;
      at += 1;
      continue;
    }
    if (mode === LAYOUT) {
      // What it holds may be broken into lines, as in other brackets.
      if (OPENING.has(code)) {
        // `return` ends before the next line, whatever brackets begin it.
        if (
          fresh &&
          lineBreaks === 'script' &&
          isBreakKept(lineBreaks, source, source.slice(Math.max(from, 0), to), at)
        ) {
          bytes[length++] = LINE;
          bytes[length++] = BLANK;
        }
        [from, to] = [at, at + 1];
      }
      if (indented) brackets += OPENING.has(code) ? 1 : -1;
      fresh = false;
      at += 1;
      continue;
    }
    if (layout && mode === CODE && isForLayout(code)) {
      const before = from < 0 ? '"' : source.slice(from, to);
      if (layout.isOne(code, { at, index, before })) {
        at += 1;
        continue;
      }
    }
    if (code === BACKSLASH && mode !== LITERAL && lineBreaks === 'directive' && endsLine(units, at + 1)) {
      spliced ||= mode === CODE;
      at += 1;
      continue;
    }
    const counts = mode === CODE || (begins && mode !== COMMENT);
    if (fresh) {
      if (commented) {
        bytes[length++] = COMMENT_END;
        bytes[length++] = BLANK;
        commented = false;
      }
      if (counts && brackets === 0) {
        let isKept = false;
        if (indented) {
          const deeper = column > (columns.at(-1) ?? 0);
          // The line before goes on.
          const goesOn = from >= 0 && source[from] === '\\';
          let marks = 0;
          if (deeper && !goesOn) {
            columns.push(column);
            marks = 1;
          }
          if (!goesOn) for (; column < (columns.at(-1) ?? 0); marks++) columns.pop();
          isKept = marks === 0 && !goesOn;
          for (; marks > 0; marks--) {
            starts[count] = at;
            places[count++] = length;
            bytes[length++] = deeper ? INDENT : DEDENT;
            bytes[length++] = BLANK;
          }
        } else if (lineBreaks === 'directive') {
          const goesOn: boolean = directive && spliced;
          isKept = directive && !goesOn;
          directive = goesOn || code === HASH;
          spliced = false;
        } else if (lineBreaks !== 'none') {
          const start = units[from - 1] === DOT ? from - 1 : from;
          isKept = isBreakKept(lineBreaks, source, from < 0 ? '"' : source.slice(start, to), at);
        }
        if (isKept && count > 0) {
          bytes[length++] = LINE;
          bytes[length++] = BLANK;
        }
      }
    }
    begins = false;
    if (counts) {
      fresh = false;
      from = mode === CODE ? at : -1;
    }
    if (kind === SPACE) {
      if (code === BLANK) bytes[length++] = INNER_BLANK;
      // A line ends in the same way wherever it was checked out.
      else if (code < 128 && (code !== RETURN || units[at + 1] !== NEWLINE)) bytes[length++] = code;
      else if (code >= 128) length += bytes.write(source.charAt(at), length);
      at += 1;
      if (code === NEWLINE) at += marginAt(units, at, { margin, most: boundary - at });
      continue;
    }
    starts[count] = at;
    places[count++] = length;
    if (kind === OTHER) {
      if (indented && mode === CODE) {
        if (OPENING.has(code)) brackets += 1;
        else if (brackets > 0 && CLOSING.has(code)) brackets -= 1;
      }
      bytes[length++] = code;
      at += 1;
      const isFirst = mode === CODE && (code === PLUS || code === MINUS || code === LESS) && at < boundary;
      if (isFirst && joined.includes(source.slice(at - 1, at + 1))) bytes[length++] = units[at++] ?? 0;
    } else {
      const begin = length;
      const start = at;
      let all = 0;
      let next = code;
      do {
        bytes[length++] = next;
        all |= next;
        next = units[++at] ?? BLANK;
      } while (CLASSES[next] === WORD && at < boundary);
      if (all >= 128) length = begin + bytes.write(source.slice(start, at), begin);
    }
    if (counts) to = at;
    if (mode !== LITERAL) bytes[length++] = BLANK;
  }
  if (mode === LITERAL) bytes[length++] = BLANK;
  return { bytes: bytes.subarray(0, length), starts: starts.subarray(0, count), places: places.subarray(0, count) };
}

function isOfOneLine(units: Uint16Array, start: number): boolean {
  return units[start] === HASH || (units[start] === SLASH && units[start + 1] === SLASH);
}

function endsLine(units: Uint16Array, at: number): boolean {
  return units[at] === NEWLINE || (units[at] === RETURN && units[at + 1] === NEWLINE);
}

/** How much of the indentation there belongs to all lines of a literal. */
function marginAt(units: Uint16Array, at: number, { margin, most }: { margin: number; most: number }): number {
  const until = margin === ALL_TABS ? most : Math.min(margin, most);
  let skipped = 0;
  while (skipped < until && (units[at + skipped] === TAB || (margin > 0 && units[at + skipped] === BLANK)))
    skipped += 1;
  return skipped;
}
