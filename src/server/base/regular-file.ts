/** Reads files that may have come with a repository. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { sep } from 'node:path';
import { invalidInput, notFound, type SvcError, unavailable } from './errors';
import { shownPath } from './text';

/**
 * The one way to read a file that somebody else may have put there. A repository can hold a link to anywhere, and a
 * folder pipes, devices and files without an end: nothing of it may be waited for, nor held beyond a bound.
 */
export interface Reading {
  /** In bytes: a larger file is not read, and no more than this is ever held. */
  readonly max: number;
  /**
   * `refused`: the file itself must be no link; the caller knows that its folder is none. `followed`: wherever they
   * lead, for what is the user's own. `inside`: the file must lie in that folder, whatever leads to it.
   */
  readonly links: 'refused' | 'followed' | { readonly inside: string };
}

/** Why a file was not read. */
export type Unread = { readonly bytes?: undefined } & (
  | { readonly why: 'missing' | 'link' | 'no regular file' | 'unreadable' }
  | { readonly why: 'too large'; readonly max: number }
  | { readonly why: 'leads out'; readonly to: string }
);

export type ReadFile = { readonly bytes: Buffer; readonly why?: undefined } | Unread;

/** What a file without a size (`/proc`) is read in. */
const PIECE_BYTES = 65_536;
/**
 * A pipe is opened without waiting for a writer, a terminal without becoming ours. Windows has neither in
 * a folder, nor these constants: there they are undefined, which counts as zero.
 */
const CAREFULLY = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
/** Windows has links, and nothing to refuse them by when a file is opened. */
const OPENS_LINKS = constants.O_NOFOLLOW === undefined;

/** Reads a regular file as a whole. Costs what reading a file costs, where links are refused. */
export function readRegularFile(path: string, { max, links }: Reading): ReadFile {
  return withOpened(path, links, (opened, stats) => {
    if (stats.size > max) return { why: 'too large', max };
    const bytes = stats.size > 0 ? readSized(opened, stats.size) : readPieces(opened, max);
    return bytes ? { bytes } : { why: 'too large', max };
  });
}

/** The first bytes of a regular file, which may be fewer; a link is not followed. */
export function readBeginning(path: string, most: number): ReadFile {
  return withOpened(path, 'refused', (opened) => {
    const bytes = Buffer.alloc(most);
    return { bytes: bytes.subarray(0, readSync(opened, bytes, 0, most, 0)) };
  });
}

/**
 * Reads a file that may be missing.
 * @throws SvcError with a sentence that names the file and what is wrong with it
 */
export function readIfThere(path: string, reading: Reading): Buffer | undefined {
  const read = readRegularFile(path, reading);
  if (read.bytes) return read.bytes;
  if (read.why === 'missing') return undefined;
  throw unreadError(path, read);
}

/** What is wrong with the file, as a sentence without its end. */
export function whyUnread(path: string, unread: Unread): string {
  const name = shownPath(path);
  switch (unread.why) {
    case 'missing':
      return `${name} is not there`;
    case 'link':
      return `${name} is a link`;
    case 'no regular file':
      return `${name} is not a regular file`;
    case 'unreadable':
      return `${name} cannot be read`;
    case 'too large':
      return `${name} is larger than ${unread.max} bytes`;
    case 'leads out':
      return `${name} leads out of the project, to ${shownPath(unread.to)}`;
  }
}

export function unreadError(path: string, unread: Unread): SvcError {
  const problem = whyUnread(path, unread);
  switch (unread.why) {
    case 'missing':
      return notFound(problem, 'Check the path');
    case 'unreadable':
      return unavailable(problem, 'Give this user the right to read it');
    case 'too large':
      return invalidInput(problem, 'It was not read. Make it smaller');
    case 'leads out':
      return invalidInput(problem, 'It was not read. Replace it with a file of the project');
    case 'link':
    case 'no regular file':
      return invalidInput(problem, 'It was not read. Replace it with a regular file');
  }
}

/** Whether a real path is that of the folder or of something in it. @param folder a real path, too */
export function isWithin(folder: string, real: string): boolean {
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function withOpened(path: string, links: Reading['links'], read: (opened: number, stats: Stats) => ReadFile): ReadFile {
  let opened: number | undefined;
  try {
    // Opening a device may do something already, so it is looked at before it is opened.
    if (links !== 'refused') {
      const before = statSync(path, { throwIfNoEntry: false });
      if (!before) return { why: 'missing' };
      if (!before.isFile()) return outside(path, links) ?? { why: 'no regular file' };
    } else if (OPENS_LINKS && lstatSync(path).isSymbolicLink()) {
      return { why: 'link' };
    }
    opened = openSync(path, links === 'refused' ? CAREFULLY | constants.O_NOFOLLOW : CAREFULLY);
    const stats = fstatSync(opened);
    if (!stats.isFile()) return { why: 'no regular file' };
    return outside(path, links, stats) ?? read(opened, stats);
  } catch (error) {
    return { why: reasonOf(error, links) };
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** Asked of what is open already: what lies at the path may be another file by now. */
function outside(path: string, links: Reading['links'], opened?: Stats): Unread | undefined {
  if (typeof links === 'string') return undefined;
  const real = realpathSync.native(path);
  if (!isWithin(realpathSync.native(links.inside), real)) return { why: 'leads out', to: real };
  if (!opened) return undefined;
  const there = lstatSync(real);
  return there.ino === opened.ino && there.dev === opened.dev ? undefined : { why: 'unreadable' };
}

function reasonOf(error: unknown, links: Reading['links']): 'missing' | 'link' | 'no regular file' | 'unreadable' {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
  // What systems say of a link that is not to be followed; else it is one that leads in a circle.
  if (links === 'refused' && (code === 'ELOOP' || code === 'EMLINK')) return 'link';
  // A socket.
  if (code === 'ENXIO') return 'no regular file';
  return 'unreadable';
}

/** A file that has become shorter meanwhile is read to its end, one that has grown as far as it was. */
function readSized(opened: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let end = 0;
  while (end < size) {
    const count = readSync(opened, bytes, end, size - end, null);
    if (count === 0) break;
    end += count;
  }
  return end === size ? bytes : bytes.subarray(0, end);
}

/** A size of zero may be a lie. @returns undefined when there is more than `max` */
function readPieces(opened: number, max: number): Buffer | undefined {
  const pieces: Buffer[] = [];
  for (let end = 0; end <= max; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, max + 1 - end));
    const count = readSync(opened, piece, 0, piece.length, null);
    if (count === 0) return Buffer.concat(pieces, end);
    pieces.push(piece.subarray(0, count));
    end += count;
  }
  return undefined;
}
