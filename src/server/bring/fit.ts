/** Makes what a source says fit into a memory. */
import { createHash } from 'node:crypto';
import { parseTimestamp } from '../base/clock';
import { SvcError } from '../base/errors';
import { cut } from '../base/text';
import type { FoundFile } from './look';

/** In characters: a memory is a note, and each one is paid for in every answer that it stands in. */
const MAX_CONTENT = 1_000;
const MAX_RATIONALE = 2_000;
/** Names that one draft is about. */
export const MAX_NAMES = 8;
/** Of one source. What goes beyond is said to be left out. */
export const MAX_DRAFTS = 2_000;

export function fitContent(text: string): string {
  return cut(text.trim(), MAX_CONTENT);
}

/** Nothing for a text without words. */
export function fitRationale(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed === '' ? undefined : cut(trimmed, MAX_RATIONALE);
}

/** As it is stored; undefined for what is no date. */
export function dateOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return parseTimestamp(text, 'date');
  } catch (error) {
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}

export function hashOfFiles(files: readonly FoundFile[]): string {
  const hash = createHash('sha256');
  for (const { path, text } of files) hash.update(JSON.stringify([path, text]));
  return hash.digest('hex');
}
