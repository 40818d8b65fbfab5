/** Finds and reads the Markdown documents of a project. */
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { readRegularFile } from '../base/regular-file';
import type { UnreadRules } from '../graph/ignore-rules';
import type { UnparsedDocument } from '../graph/left-out-documents';
import { isParseFailure } from '../graph/parse-limit';
import { decode, skipReason } from '../graph/read-source';
import { countSkipped, filesBelow, type SkipReason } from '../graph/source-files';

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
/** Quotes and lists inside of each other this deep are no document, and the parser is not even asked. */
const TOO_NESTED = /^(?:[ \t]{200}|(?:[ \t]*(?:>|(?:[-*+]|\d+[.)])[ \t])){40})/m;

/** What was changed when, and under which terms: nothing of it says how the code is now. Read where it is named itself. */
const NO_DOCUMENTATION =
  /^(?:changes|change-?log|history|news|releases?(?:[-_]notes)?|licen[cs]es?|copying|notice|third[-_]?party[-_](?:notices|licen[cs]es)|code[-_]of[-_]conduct)(?:[-_.]v?\d[\w.-]*|[-_.](?:mit|apache|bsd|gpl|lgpl|mpl)[\w.-]*)?$/i;

export type UnreadReason = SkipReason | UnparsedDocument | 'too deeply nested';

/** Whether a document was opened, and could not be taken apart. */
export function isUnparsed(reason: UnreadReason): boolean {
  return isParseFailure(reason) || reason === 'too deeply nested' || reason === 'too many sections';
}

export function isMarkdown(name: string): boolean {
  return MARKDOWN.test(name);
}

export interface DocumentsBelow {
  readonly paths: readonly string[];
  readonly skipped: ReadonlyMap<SkipReason | typeof NO_DOCUMENT, number>;
  /** The files whose rules do not count, because they could not be read. */
  readonly unread_rules: readonly UnreadRules[];
}

/** The reason why changelogs and licences are left out. */
export const NO_DOCUMENT = 'changelog or licence';

/** The documents below a folder that version control would keep. Links are not followed. @param folder '' for the root */
export function documentsBelow(root: string, folder: string): DocumentsBelow {
  const { files, skipped, unread_rules } = filesBelow(root, folder, isMarkdown);
  const paths = files.map((file) => file.path);
  const documents = paths.filter((path) => !NO_DOCUMENTATION.test(basename(path).replace(MARKDOWN, '')));
  const counts = new Map<SkipReason | typeof NO_DOCUMENT, number>(countSkipped(skipped));
  if (documents.length < paths.length) counts.set(NO_DOCUMENT, paths.length - documents.length);
  return { paths: documents, skipped: counts, unread_rules };
}

/** @returns why not, for a file that is no document */
export function readDocument(root: string, path: string): DocumentFile | UnreadReason {
  const read = readRegularFile(join(root, path), { max: MAX_DOCUMENT_BYTES, links: { inside: root } });
  if (!read.bytes) return skipReason(read);
  const { bytes } = read;
  const text = decode(bytes);
  if (text === undefined) return 'binary';
  if (TOO_NESTED.test(text)) return 'too deeply nested';
  const content_hash = createHash('sha256').update(bytes).digest('base64url');
  return { path, content_hash, text: text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n') };
}
