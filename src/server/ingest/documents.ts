import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from '../graph/read-source';
import { countSkipped, filesBelow, type SkipReason, stateOf } from '../graph/source-files';

export interface DocumentFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly content_hash: string;
  /** With `\n` at the end of each line, whatever the file has. */
  readonly text: string;
}

const MARKDOWN = /\.(?:md|markdown|mdown|mkd)$/i;
/** A larger file is data, whatever its name. */
const MAX_DOCUMENT_BYTES = 1_000_000;
/** Quotes and lists inside of each other this deep are no document, and the parser takes minutes for them. */
const TOO_NESTED = /^(?:[ \t]{200}|(?:[ \t]*>){40}|(?:[ \t]*(?:[-*+]|\d+[.)])[ \t]){40})/m;

export type UnreadReason = SkipReason | 'too deeply nested';

export function isMarkdown(name: string): boolean {
  return MARKDOWN.test(name);
}

/** The documents below a folder that version control would keep. Links are not followed. @param folder '' for the root */
export function documentsBelow(
  root: string,
  folder: string,
): { readonly paths: readonly string[]; readonly skipped: ReadonlyMap<SkipReason, number> } {
  const { files, skipped } = filesBelow(root, folder, isMarkdown);
  return { paths: files.map((file) => file.path), skipped: countSkipped(skipped) };
}

/** @returns why not, for a file that is no document */
export function readDocument(root: string, path: string): DocumentFile | UnreadReason {
  const state = stateOf(root, path);
  if (!state) return 'unreadable';
  if (state.size > MAX_DOCUMENT_BYTES) return 'too large';
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(root, path));
  } catch {
    return 'unreadable';
  }
  const text = decode(bytes);
  if (text === undefined) return 'binary';
  if (TOO_NESTED.test(text)) return 'too deeply nested';
  const content_hash = createHash('sha256').update(bytes).digest('base64url');
  return { path, content_hash, text: text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n') };
}
