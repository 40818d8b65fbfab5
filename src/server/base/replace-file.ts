/** Writes and removes files of a project, whole or not at all, and through no link. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { invalidInput, unavailable } from './errors';
import { makeFolders } from './make-folders';
import { shownPath } from './text';

/**
 * Writes a file of a project: all of the new text or all of the old, through a file beside it; its rights stay. A link
 * that came with a repository must not say where something is written, so none is followed, wherever it leads.
 * @param path in the root, whose own way may lead over links; missing folders are made
 * @param mode of a file that is new
 * @throws SvcError invalid_input for a link, unavailable when it cannot be written
 */
export function replaceFile(root: string, path: string, text: string, mode?: number): void {
  const before = refuseLinks(root, path);
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    makeFolders(dirname(path));
    // "x" makes a file or fails, and so follows no link.
    const opened = openSync(draft, 'wx', mode);
    try {
      writeFileSync(opened, text);
      if (before) fchmodSync(opened, before.mode);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
    throw unavailable(`${shownPath(path)} cannot be written`, 'Give this user the right to write it and its folder');
  }
}

/** Takes a file of a project away. @throws SvcError as replaceFile */
export function removeFile(root: string, path: string): void {
  if (!refuseLinks(root, path)) return;
  try {
    rmSync(path);
  } catch {
    throw unavailable(`${shownPath(path)} cannot be removed`, 'Give this user the right to write its folder');
  }
}

/**
 * @returns what lies at the path; undefined when nothing does
 * @throws SvcError invalid_input when it or a folder on the way from the root is a link, or it is no regular file
 */
export function refuseLinks(root: string, path: string): Stats | undefined {
  const way = relative(root, path);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new Error('What is to be written lies outside of its root');
  }
  let at = root;
  let found: Stats | undefined;
  for (const name of way.split(sep)) {
    at = join(at, name);
    found = lstatSync(at, { throwIfNoEntry: false });
    if (!found) return undefined;
    if (found.isSymbolicLink()) {
      throw invalidInput(
        `${shownPath(at)} is a link to ${shownPath(readlinkSync(at))}, and svc-memory never writes through links`,
        'Replace the link with a file or folder, and try again',
      );
    }
  }
  if (!found?.isFile()) {
    throw invalidInput(
      `${shownPath(path)} is not a regular file`,
      'It was left untouched. Move it away, and try again',
    );
  }
  return found;
}
