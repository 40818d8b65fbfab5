/** Turns an extracted file into rows of the code graph. */
import type { Extracted } from './extract';

/** The terms under which text is found, separated by spaces. */
export type TermsOf = (text: string) => string;

export interface FileToWrite {
  readonly path: string;
  readonly language: string;
  readonly content_hash: string;
  readonly size: number;
  readonly modified_ms: number;
  readonly extracted: Extracted;
}

/**
 * Files as the rows of the graph's tables: JSON lists, made by the thread that took the files apart and handed to SQLite
 * as they are. Files and symbols are numbered from 1; the writer adds where the numbers go on.
 */
export interface GraphRows {
  readonly paths: readonly string[];
  readonly symbols: number;
  /** Of symbols and references. */
  readonly count: number;
  readonly fileRows: string;
  readonly symbolRows: string;
  readonly termRows: string;
  readonly referenceRows: string;
}

export function graphRows(files: readonly FileToWrite[], termsOf: TermsOf): GraphRows {
  const fileRows: unknown[] = [];
  const symbolRows: unknown[] = [];
  const termRows: unknown[] = [];
  const referenceRows: unknown[] = [];
  for (const { path, language, content_hash, size, modified_ms, extracted } of files) {
    const file = fileRows.length + 1;
    const before = symbolRows.length;
    const pathTerms = termsOf(path);
    fileRows.push([file, path, language, content_hash, extracted.hash, size, modified_ms, extracted.lines]);
    for (const one of extracted.definitions) {
      const id = symbolRows.length + 1;
      symbolRows.push([
        ...[id, file, one.code_type, one.name, one.qualified, one.hash],
        ...[one.start_line, one.end_line, one.signature, one.doc],
      ]);
      termRows.push([id, termsOf(one.qualified), one.doc === '' ? '' : termsOf(one.doc), pathTerms]);
    }
    for (const { kind, name, module, qualifier, line, within } of extracted.references) {
      referenceRows.push([file, within < 0 ? null : before + within + 1, kind, name, module, line, qualifier]);
    }
  }
  return {
    paths: files.map((file) => file.path),
    symbols: symbolRows.length,
    count: symbolRows.length + referenceRows.length,
    fileRows: JSON.stringify(fileRows),
    symbolRows: JSON.stringify(symbolRows),
    termRows: JSON.stringify(termRows),
    referenceRows: JSON.stringify(referenceRows),
  };
}
