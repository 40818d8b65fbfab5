/** What query_codebase gives out, and how it is printed. */
import { shownDay, shownId, shownShare, shownWord } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { CodeMemory } from '../memory/code/memories-of-file';
import { marksOf } from './line';

/** What the answer has room for. All sizes are those of the printed text. */
export interface PackedCode {
  /** The question on one line, cut so that it fits; null where it does not fit at all. */
  readonly query: string | null;
  /** Largest size that was asked for, in tokens. */
  readonly budget: number;
  /** Size of the whole text, in tokens. */
  readonly used: number;
  /** Files that the question names and that are not in the graph. */
  readonly left_out: readonly LeftOutFile[];
  /** The sentence in place of symbols, where there are none. */
  readonly note?: string;
  /** Best first. */
  readonly symbols: readonly PackedSymbol[];
}

/** A symbol with as much of what belongs to it as there is room for. */
export interface PackedSymbol {
  /** Relative to the root. */
  readonly file_path: string;
  readonly code_type: string;
  /** Qualified. */
  readonly name: string;
  /** From 1. */
  readonly start_line: number;
  readonly end_line: number;
  /** null where there is no room for it. */
  readonly signature: string | null;
  /** The first words of its comment; null where it has none, or there is no room. */
  readonly doc: string | null;
  readonly memories: readonly SymbolMemory[];
  readonly sections: readonly SymbolSection[];
  /** By distance; an empty level where there is no room for it. */
  readonly callers: readonly (readonly SymbolNeighbour[])[];
  readonly callees: readonly (readonly SymbolNeighbour[])[];
  readonly bases: readonly SymbolNeighbour[];
  readonly heirs: readonly SymbolNeighbour[];
}

/** `changed`: the code, since the memory was linked to it or confirmed. */
export type SymbolMemory = CodeMemory & { readonly changed: boolean };

/** A section of a document that speaks of the symbol. */
export interface SymbolSection {
  readonly document: string;
  readonly heading: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly confidence: number;
  readonly reason: string;
  /** It was changed or removed since it was bound. */
  readonly old: boolean;
}

export interface SymbolNeighbour {
  readonly name: string;
  readonly file_path: string;
  readonly line: number;
  readonly ambiguous: boolean;
}

export interface LeftOutFile {
  readonly path: string;
  readonly reason: string;
}

const MAX_DOC_LENGTH = 200;
const MAX_CONTENT_LENGTH = 240;
const MAX_HEADING_LENGTH = 120;
const MAX_REASON_LENGTH = 160;

/** The text of the answer, as large as the value says. */
export function printCode({ query, left_out, note, symbols }: PackedCode): string {
  return [
    codeHeading(query),
    ...left_out.map(leftOutLine),
    ...(note === undefined ? [] : [note]),
    ...symbols.flatMap((symbol) => [titleLine(symbol), ...linesOf(symbol)]),
  ].join('\n');
}

/** The lines below the title, in the order in which packing asks for room for them. */
function linesOf({ signature, doc, memories, sections, callers, callees, bases, heirs }: PackedSymbol): string[] {
  return [
    ...(signature === null ? [] : [signatureLine(signature)]),
    ...(doc === null ? [] : [docLine(doc)]),
    ...memories.map(memoryLine),
    ...sections.map(sectionLine),
    ...callers.flatMap((level, hop) => neighbourLines('called by', level, hop)),
    ...callees.flatMap((level, hop) => neighbourLines('calls', level, hop)),
    ...neighbourLines('inherits', bases),
    ...neighbourLines('inherited by', heirs),
  ];
}

export function codeHeading(query: string | null): string {
  return query === null ? '## Code' : `## Code: "${query}"`;
}

export function leftOutLine({ path, reason }: LeftOutFile): string {
  return `Left out of the code graph: ${oneLine(path)} (${oneLine(reason)}).`;
}

type Place = Pick<PackedSymbol, 'file_path' | 'code_type' | 'name' | 'start_line' | 'end_line'>;

export function titleLine({ code_type, name, file_path, start_line, end_line }: Place): string {
  return `### ${oneLine(code_type)} ${oneLine(name)} — ${oneLine(file_path)}:${start_line}–${end_line}`;
}

export function signatureLine(signature: string): string {
  return `\`${oneLine(signature).replaceAll('`', "'")}\``;
}

export function docLine(doc: string): string {
  return cut(oneLine(doc), MAX_DOC_LENGTH);
}

export function memoryLine({ id, kind, valid_from, marks, content, changed }: SymbolMemory): string {
  const facts = `[${shownId(id)}] ${shownWord(kind)} · ${shownDay(valid_from)}${marksOf(marks)}`;
  const since = changed ? ' (the code has changed since)' : '';
  return `- memory ${facts} — ${cut(oneLine(content), MAX_CONTENT_LENGTH)}${since}`;
}

/** A document's own words stand between our marks, on one line. */
export function sectionLine(section: SymbolSection): string {
  const { document, heading, start_line, end_line, confidence, reason, old } = section;
  const place = `${oneLine(document)}:${start_line}–${end_line}`;
  const why = reason === '' ? '' : ` — ${cut(oneLine(reason), MAX_REASON_LENGTH)}`;
  const changed = old ? ' (changed since; run "svc sync")' : '';
  return `- document ${place} · ${cut(oneLine(heading), MAX_HEADING_LENGTH)} · conf ${shownShare(confidence)}${changed}${why}`;
}

/** One line, or none for nobody. */
export function neighbourLines(what: string, level: readonly SymbolNeighbour[], hop = 0): string[] {
  if (level.length === 0) return [];
  const places = level.map(
    ({ name, file_path, line, ambiguous }) =>
      `${oneLine(name)} (${oneLine(file_path)}:${line}${ambiguous ? ', ambiguous' : ''})`,
  );
  return [`- ${what}${hop === 0 ? '' : `, ${hop + 1} hops`}: ${places.join(', ')}`];
}
