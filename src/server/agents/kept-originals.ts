/** What the files of agents said before, where taking our entries out would not bring it back to the letter. */
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../base/make-folders';

/** Most texts begin and end alike, so only what is between is kept. */
interface Kept {
  /** Of the text that we left. */
  readonly hash: string;
  /** undefined: there was no file. */
  readonly original?: { readonly start: number; readonly end: number; readonly between: string };
}

const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
/** A larger file is not ours. */
const MAX_BYTES = 20_000_000;

/** What the file said before, if it says by now what we left there. @returns `no`, when that is not known */
export function originalOf(home: string, path: string, text: string): { readonly text: string | undefined } | 'no' {
  const kept = read(placeOf(home, path));
  if (kept?.hash !== hashOf(text)) return 'no';
  const { original } = kept;
  if (!original) return { text: undefined };
  return { text: text.slice(0, original.start) + original.between + text.slice(text.length - original.end) };
}

/** @param original undefined: there was no file @throws Error of the system */
export function keepOriginal(home: string, path: string, original: string | undefined, text: string): void {
  const file = placeOf(home, path);
  makeFolders(folderIn(home), OWN_FOLDER);
  chmodSync(folderIn(home), OWN_FOLDER);
  const kept: Kept = { hash: hashOf(text), ...(original === undefined ? {} : { original: without(original, text) }) };
  writeFileSync(file, JSON.stringify(kept), { mode: OWN_FILE });
}

export function forgetOriginal(home: string, path: string): void {
  rmSync(placeOf(home, path), { force: true });
  try {
    rmdirSync(folderIn(home));
  } catch {
    // It holds what other files said, or is not there.
  }
}

function without(original: string, text: string): NonNullable<Kept['original']> {
  const shorter = Math.min(original.length, text.length);
  let start = 0;
  while (start < shorter && original[start] === text[start]) start++;
  let end = 0;
  while (end < shorter - start && original.at(-1 - end) === text.at(-1 - end)) end++;
  return { start, end, between: original.slice(start, original.length - end) };
}

function read(file: string): Kept | undefined {
  try {
    if (statSync(file).size > MAX_BYTES) return undefined;
    const { hash, original } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Kept>;
    if (typeof hash !== 'string') return undefined;
    if (original === undefined) return { hash };
    const { start, end, between } = original;
    const isKept = Number.isInteger(start) && Number.isInteger(end) && typeof between === 'string';
    return isKept ? { hash, original: { start, end, between } } : undefined;
  } catch {
    return undefined;
  }
}

function folderIn(home: string): string {
  return join(home, '.svc', 'setup');
}

function placeOf(home: string, path: string): string {
  return join(folderIn(home), `${hashOf(path).slice(0, 24)}.json`);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
