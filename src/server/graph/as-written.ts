/** Says what is hashed where a source is half typed: tokens would tell neither where that stands nor how far in. */
import type { Language } from './language';

/** In UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A stretch that the parser took out, and what is hashed of it. */
export interface Written extends Span {
  readonly text: string;
}

/**
 * @param read the source as the parser read it: spaces stand for what it took out
 * @returns what is half typed in a stretch, or what it goes on in, in order
 */
export function writtenIn(text: string, read: string, language: Language): (span: Span) => readonly Written[] {
  const taken = text === read ? [] : takenFrom(text, read);
  return ({ start, end }) => {
    const from = text.lastIndexOf('\n', start) + 1;
    let to = end;
    const found: Written[] = [];
    for (const span of taken) {
      const isInside = span.start < to && span.end > start;
      // What goes on below the end is further in, and nothing else stands between.
      const goesOn =
        span.start >= to && read.slice(to, span.start).trim() === '' && isFurtherIn(text, from, span.start);
      if (!isInside && !goesOn) continue;
      found.push({ ...span, text: normalised(text.slice(span.start, span.end), language) });
      to = Math.max(to, span.end);
    }
    return found;
  };
}

/** The lines that were taken out, in order; those that follow each other are one span. */
export function takenFrom(text: string, read: string): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length + 1;
    const last = spans.at(-1);
    if (!read.startsWith(line, start)) {
      if (last?.end === start) spans[spans.length - 1] = { start: last.start, end };
      else spans.push({ start, end });
    }
    start = end;
  }
  return spans;
}

/** People do not indent further. */
const MOST_INDENTATION = 200;

function isFurtherIn(text: string, outer: number, inner: number): boolean {
  const indentation = (at: number): number => /\S/.exec(text.slice(at, at + MOST_INDENTATION))?.index ?? 0;
  return indentation(inner) > indentation(outer);
}

/** Literals as they are, up to the end of the line or of the source where nothing closes them; then words, and all else. */
const PIECES = /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?|[\w$]+|\S/g;

/** Where blocks have brackets, formatters break lines elsewhere, and put commas there. */
function normalised(text: string, { indented }: Language): string {
  if (indented) return text.replace(/[ \t\r]+$/gm, '').trimEnd();
  return (text.match(PIECES) ?? []).join(' ').replace(/ ,(?= [)\]}])/g, '');
}
