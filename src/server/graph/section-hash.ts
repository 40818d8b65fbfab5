/** Hashes the text of a document section. */
import { createHash } from 'node:crypto';

const LENGTH = 22;
/** The rest of a longer line is not read: an image in base64, or what is made to keep a parser busy. */
export const MAX_LINE_LENGTH = 5_000;

/** Of the lines of a section: the same wherever they stand, and however they end. */
export function hashOfLines(lines: readonly string[]): string {
  const text = lines.map((line) => line.slice(0, MAX_LINE_LENGTH).trimEnd()).join('\n');
  return createHash('sha256').update(text.trim()).digest('base64url').slice(0, LENGTH);
}
