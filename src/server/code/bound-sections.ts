/** The document sections that are bound to symbols. */
import type { BoundSymbol } from '../graph/bindings';
import { bindingsOfSymbols, hasBindings, type SectionBinding } from '../graph/find-bindings';
import { textInside } from '../graph/read-source';
import { hashOfLines } from '../graph/section-hash';
import type { CodeHandle } from './handle';

/** A section of a document that speaks of a symbol, as it stands now. */
export interface BoundSection {
  /** Relative to the root, with forward slashes. */
  readonly document: string;
  /** With the headings above it, joined by ` › `. */
  readonly heading: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly confidence: number;
  readonly reason: string;
  readonly provider: string;
  readonly model: string;
  /** The section was changed or removed since it was bound. */
  readonly old: boolean;
}

/** Bindings of which their judge was less sure than this are kept, and not shown. */
export const LEAST_CONFIDENCE = 0.5;

/** For each symbol the sections bound to it, surest first; none without a graph or without bindings. */
export async function boundSections(project: CodeHandle, symbols: readonly BoundSymbol[]): Promise<BoundSection[][]> {
  const { graph } = project;
  const sql = await graph?.current();
  if (!graph || !sql || symbols.length === 0 || !(await hasBindings(sql))) return symbols.map(() => []);
  const documents = new Map<string, readonly string[]>();
  const linesOf = (path: string): readonly string[] => {
    const known = documents.get(path) ?? readLines(graph.root, path);
    documents.set(path, known);
    return known;
  };
  const bound = await bindingsOfSymbols(sql, symbols, LEAST_CONFIDENCE);
  return bound.map((list) => list.map((binding) => asItStands(binding, linesOf(binding.document))));
}

function asItStands(binding: SectionBinding, lines: readonly string[]): BoundSection {
  const { document, heading, confidence, reason, provider, model, judged_hash } = binding;
  const length = binding.end_line - binding.start_line + 1;
  const isThere = (line: number): boolean => hashOfLines(lines.slice(line - 1, line - 1 + length)) === judged_hash;
  // Lines above it may have come or gone: then it stands at another line that is a heading.
  const here = isThere(binding.start_line)
    ? binding.start_line
    : lines.findIndex((line, i) => isHeading(line, lines[i + 1]) && isThere(i + 1)) + 1;
  const old = here === 0;
  const start_line = old ? binding.start_line : here;
  return { document, heading, start_line, end_line: start_line + length - 1, confidence, reason, provider, model, old };
}

/** What may be one: it begins with #, or is underlined. */
function isHeading(line: string, next = ''): boolean {
  return /^ {0,3}#/.test(line) || /^ {0,3}(?:=+|-+)\s*$/.test(next);
}

function readLines(root: string, path: string): readonly string[] {
  const text = textInside(root, path);
  if (text === undefined) return [];
  return text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
}
