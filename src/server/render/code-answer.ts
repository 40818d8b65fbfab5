/** Prints the answer of query_codebase within its budget. */
import { shownDay, shownId, shownShare, shownWord } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { CodeMemory } from '../memory/code/memories-of-file';
import { marksOf } from './line';
import type { TokenCounter } from './tokens';

/** A symbol as it is printed. */
export interface PrintedSymbol {
  readonly file_path: string;
  readonly code_type: string;
  readonly name: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly signature: string;
  readonly doc: string;
  readonly callers: readonly (readonly PrintedNeighbour[])[];
  readonly callees: readonly (readonly PrintedNeighbour[])[];
  readonly bases: readonly PrintedNeighbour[];
  readonly heirs: readonly PrintedNeighbour[];
  readonly memories: readonly (CodeMemory & { readonly changed: boolean })[];
  readonly sections: readonly PrintedSection[];
}

export interface PrintedAnswer {
  readonly symbols: readonly PrintedSymbol[];
  readonly left_out: readonly { readonly path: string; readonly reason: string }[];
}

interface PrintedSection {
  readonly document: string;
  readonly heading: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly confidence: number;
  readonly reason: string;
  readonly old: boolean;
}

interface PrintedNeighbour {
  readonly name: string;
  readonly file_path: string;
  readonly line: number;
  readonly ambiguous: boolean;
}

const MAX_QUERY_LENGTH = 80;
const MAX_DOC_LENGTH = 200;
const MAX_CONTENT_LENGTH = 240;
const MAX_HEADING_LENGTH = 120;
const MAX_REASON_LENGTH = 160;

/** The answer of query_codebase: best first, line by line as far as the budget goes. Never larger than it. */
export function renderCodeAnswer(
  tokens: TokenCounter,
  query: string,
  budget: number,
  { symbols, left_out }: PrintedAnswer,
): string {
  let text = heading(tokens, query, budget);
  for (const { path, reason } of left_out) {
    const longer = `${text}\nLeft out of the code graph: ${oneLine(path)} (${oneLine(reason)}).`;
    if (tokens.fits(longer, budget)) text = longer;
  }
  if (symbols.length === 0) {
    const sentence = `${text}\nNothing in the code graph matches. Ask with a name from the code, or with fewer words.`;
    return tokens.fits(sentence, budget) ? sentence : text;
  }
  for (const symbol of symbols) {
    const title = `${text}\n${titleOf(symbol)}`;
    if (!tokens.fits(title, budget)) break;
    text = title;
    for (const line of linesOf(symbol)) {
      const longer = `${text}\n${line}`;
      if (tokens.fits(longer, budget)) text = longer;
    }
  }
  return text;
}

/** The question, cut so that the heading takes at most a third of the budget. */
function heading(tokens: TokenCounter, query: string, budget: number): string {
  const whole = oneLine(query.slice(0, MAX_QUERY_LENGTH * 4)).replaceAll('"', "'");
  for (let length = MAX_QUERY_LENGTH; length > 1; length = Math.floor(length / 2)) {
    const line = `## Code: "${cut(whole, length)}"`;
    if (tokens.fits(line, Math.floor(budget / 3))) return line;
  }
  return '## Code';
}

function titleOf({ code_type, name, file_path, start_line, end_line }: PrintedSymbol): string {
  return `### ${oneLine(code_type)} ${oneLine(name)} — ${oneLine(file_path)}:${start_line}–${end_line}`;
}

function linesOf({ signature, doc, callers, callees, bases, heirs, memories, sections }: PrintedSymbol): string[] {
  return [
    `\`${oneLine(signature).replaceAll('`', "'")}\``,
    ...(doc === '' ? [] : [cut(oneLine(doc), MAX_DOC_LENGTH)]),
    ...memories.map(
      (one) =>
        `- memory [${shownId(one.id)}] ${shownWord(one.kind)} · ${shownDay(one.valid_from)}${marksOf(one.marks)} — ${cut(oneLine(one.content), MAX_CONTENT_LENGTH)}${one.changed ? ' (the code has changed since)' : ''}`,
    ),
    ...sections.map(sectionLine),
    ...callers.flatMap((level, i) => neighbourLine('called by', level, i)),
    ...callees.flatMap((level, i) => neighbourLine('calls', level, i)),
    ...neighbourLine('inherits', bases, 0),
    ...neighbourLine('inherited by', heirs, 0),
  ];
}

/** A document's own words stand between our marks, on one line. */
function sectionLine({ document, heading, start_line, end_line, confidence, reason, old }: PrintedSection): string {
  const place = `${oneLine(document)}:${start_line}–${end_line}`;
  const why = reason === '' ? '' : ` — ${cut(oneLine(reason), MAX_REASON_LENGTH)}`;
  const changed = old ? ' (changed since; run "svc sync")' : '';
  return `- document ${place} · ${cut(oneLine(heading), MAX_HEADING_LENGTH)} · conf ${shownShare(confidence)}${changed}${why}`;
}

function neighbourLine(what: string, level: readonly PrintedNeighbour[], hop: number): string[] {
  if (level.length === 0) return [];
  const places = level.map(
    ({ name, file_path, line, ambiguous }) =>
      `${oneLine(name)} (${oneLine(file_path)}:${line}${ambiguous ? ', ambiguous' : ''})`,
  );
  return [`- ${what}${hop === 0 ? '' : `, ${hop + 1} hops`}: ${places.join(', ')}`];
}
