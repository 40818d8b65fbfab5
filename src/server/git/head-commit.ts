/** Reads which commit a work tree stands on, without starting Git. */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readRegularFile } from '../base/regular-file';

/** `HEAD`, a reference, and the way to another folder are one line each. */
const MAX_LINE_BYTES = 10_000;
/** A repository with a hundred thousand references. */
const MAX_PACKED_BYTES = 10_000_000;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const POINTER = 'gitdir: ';
const REFERENCE = 'ref: ';

/**
 * The commit of HEAD, by the files of the repository around a folder: a store of each memory asks, and starting Git takes
 * longer than all else that it does.
 * @returns null without a repository, before its first commit, and where it keeps its references in another form
 */
export function headCommit(folder: string): string | null {
  try {
    return commitAt(folder);
  } catch {
    // Links that lead in a circle, and folders that may not be looked into.
    return null;
  }
}

function commitAt(folder: string): string | null {
  const git = gitFolders(folder);
  const head = git && lineOf(join(git.own, 'HEAD'));
  if (!git || head === undefined) return null;
  if (!head.startsWith(REFERENCE)) return asCommit(head);
  const name = head.slice(REFERENCE.length);
  if (!/^refs\/[^\0\n]+$/.test(name) || name.split('/').includes('..')) return null;
  const { own, shared } = git;
  return asCommit(lineOf(join(own, name)) ?? lineOf(join(shared, name))) ?? packed(shared, name);
}

/**
 * Where Git keeps what it knows of a work tree, and what it knows of all of them, such as branches. The same folder but for a
 * work tree that was added.
 */
export function gitFolders(folder: string): { readonly own: string; readonly shared: string } | undefined {
  const own = gitFolder(folder);
  if (own === undefined) return undefined;
  const common = lineOf(join(own, 'commondir'));
  return { own, shared: common === undefined ? own : resolve(own, common) };
}

/** Another one whenever the history of a clone that is not whole ends elsewhere; '' for one that is whole. */
export function historyEnds(folder: string): string {
  try {
    const git = gitFolders(folder);
    const found = git && statSync(join(git.shared, 'shallow'), { throwIfNoEntry: false });
    return found ? `${found.ino}:${found.size}:${found.mtimeMs}` : '';
  } catch {
    return '';
  }
}

function gitFolder(folder: string): string | undefined {
  for (let around = resolve(folder); ; around = dirname(around)) {
    const git = join(around, '.git');
    const found = statSync(git, { throwIfNoEntry: false });
    if (found?.isDirectory()) return git;
    const pointer = found?.isFile() ? lineOf(git) : undefined;
    if (pointer?.startsWith(POINTER)) return resolve(around, pointer.slice(POINTER.length));
    if (around === dirname(around)) return undefined;
  }
}

function packed(folder: string, name: string): string | null {
  const text = read(join(folder, 'packed-refs'), MAX_PACKED_BYTES) ?? '';
  const end = text.indexOf(` ${name}\n`);
  return end < 0 ? null : asCommit(text.slice(text.lastIndexOf('\n', end) + 1, end));
}

function asCommit(text: string | undefined): string | null {
  return text !== undefined && COMMIT.test(text) ? text : null;
}

function lineOf(file: string): string | undefined {
  return read(file, MAX_LINE_BYTES)?.replace(/\r?\n$/, '');
}

/** Git's own files lead out of a work tree by nature. */
function read(file: string, max: number): string | undefined {
  return readRegularFile(file, { max, links: 'followed' }).bytes?.toString('utf8');
}
