/** Reads and extracts one source. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readRegularFile, type Unread } from '../base/regular-file';
import type { Extract, Extracted } from './extract';
import { saysGenerated } from './generated-mark';
import { languageOf } from './language-of';
import type { KnownContent } from './left-out';
import { LeftOut } from './parse-limit';
import { MAX_FILE_BYTES, type SkipReason } from './source-files';

/** A source as it lies on the disk now. */
export type ReadSource =
  /** With an empty hash when it could not be read. */
  | { readonly outcome: 'skipped'; readonly reason: SkipReason; readonly content_hash: string }
  /** Its bytes are those that were known. */
  | { readonly outcome: 'same' }
  | {
      readonly outcome: 'read';
      readonly content_hash: string;
      readonly language: string;
      readonly extracted: Extracted;
    };

const BINARY_LOOK = 8_000;
const HEAD = 1_000;
/** Below this many characters a file with long lines is no harm. */
const SMALL = 5_000;
const LONGEST_MEAN_LINE = 300;

/** Reads and takes apart one file of a known language. @param known from when it was read before */
export async function readSource(
  extract: Extract,
  root: string,
  path: string,
  known: KnownContent | undefined,
): Promise<ReadSource> {
  // Small files one by one: waiting for a thread of the pool takes longer than reading.
  const read = readRegularFile(join(root, path), { max: MAX_FILE_BYTES, links: 'refused' });
  if (!read.bytes) return { outcome: 'skipped', reason: skipReason(read), content_hash: '' };
  const { bytes } = read;
  const content_hash = hashOf(bytes);
  const leftOut = (reason: SkipReason): ReadSource => ({ outcome: 'skipped', reason, content_hash });
  if (content_hash === known?.content_hash) return known.reason ? leftOut(known.reason) : { outcome: 'same' };
  const text = decode(bytes);
  const language = text === undefined ? undefined : languageOf(path, text);
  if (text === undefined || !language) return leftOut('binary');
  if (isGenerated(text)) return leftOut('generated or minified');
  try {
    return { outcome: 'read', content_hash, language: language.name, extracted: await extract(text, language) };
  } catch (error) {
    if (error instanceof LeftOut) return leftOut(error.reason);
    throw error;
  }
}

/** @returns undefined for a file that cannot be read */
export function contentHashOf(root: string, path: string): string | undefined {
  const { bytes } = readRegularFile(join(root, path), { max: MAX_FILE_BYTES, links: 'refused' });
  return bytes && hashOf(bytes);
}

/** @param bytes of a file; a text is hashed as UTF-8 without a mark */
export function hashOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

/** For a file that was a source when it was found. */
export function skipReason({ why }: Unread): SkipReason {
  return why === 'missing' || why === 'leads out' ? 'unreadable' : why;
}

/** The text of a file that a row or a caller names; undefined without such a file inside the root. */
export function textInside(root: string, path: string): string | undefined {
  const { bytes } = readRegularFile(join(root, path), { max: MAX_FILE_BYTES, links: { inside: root } });
  return bytes && decode(bytes);
}

/** UTF-8, or UTF-16 with its mark; other encodings lose only what is not ASCII. @returns undefined for no text */
export function decode(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.subarray(0, BINARY_LOOK).includes(0)) return undefined;
  return new TextDecoder('utf-8').decode(bytes);
}

function isGenerated(text: string): boolean {
  if (saysGenerated(text.slice(0, HEAD))) return true;
  if (text.length < SMALL) return false;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return text.length / lines > LONGEST_MEAN_LINE;
}
