/** Decides whether a file may have come with a repository. */
import { lstatSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { unavailable } from '../base/errors';
import { gitRoot, isInside } from '../base/paths';
import { unlessInCircle } from '../base/store-at';
import { shownPath } from '../base/text';
import { openRepository } from '../git/open-repository';
import type { GitHost } from '../git/run-git';

const NOT_TRACKED = 1;

/**
 * Whether a file may have come with a repository: Git tracks it, it belongs to another user, or Git cannot tell.
 * @param path a real one
 */
export async function cameWithRepository(path: string, host: GitHost | undefined): Promise<boolean> {
  return belongsToOther(path) || (await isTracked(path, host)) !== false;
}

/**
 * The same for an empty file. If Git cannot say, another process is just creating the file.
 * @param path a real one
 */
export async function cameEmptyWithRepository(path: string, host: GitHost | undefined): Promise<boolean> {
  return belongsToOther(path) || (await isTracked(path, host)) === true;
}

/**
 * What stands in a log or a journal beside a file becomes part of it, and a journal can name other files that are then
 * deleted. Ours have no journal but for the moment in which they are made, and no log that Git tracks.
 * @param path a real one, which is about to be opened in place
 * @throws SvcError unavailable that names the file beside the store
 */
export async function refuseForeignLog(path: string, host: GitHost | undefined): Promise<void> {
  const journal = `${path}-journal`;
  for (let waited = 0; isSomething(journal) && waited < MADE_WITHIN_MS; waited += LOOK_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  if (isSomething(journal)) throw strange(journal);
  const log = `${path}-wal`;
  if (isSomething(log) && (belongsToOther(log) || (await isTracked(log, host)) === true)) throw strange(log);
}

/** Another process may be making the file just now. */
const MADE_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 50;

const strange = (path: string): Error =>
  unavailable(
    `${shownPath(path)} lies beside the store, and svc-memory did not create it. It may have come with the repository`,
    'Nothing was read or changed. Move it away and try again',
  );

function isSomething(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (!stats.isFile() || stats.size > 0);
}

function belongsToOther(path: string): boolean {
  const user = process.getuid?.();
  return user !== undefined && unlessInCircle(() => statSync(path, { throwIfNoEntry: false }))?.uid !== user;
}

/** @returns undefined where Git cannot tell */
async function isTracked(path: string, host: GitHost | undefined): Promise<boolean | undefined> {
  const root = gitRoot(dirname(path));
  if (root === undefined) return false;
  // No Git of the project is asked whether the project brought the file.
  const outside = host && { ...host, searchPath: host.searchPath.filter((folder) => !isInside(root, folder)) };
  try {
    // In the file's own folder: it may be a repository itself.
    const { git } = await openRepository({
      root: dirname(path),
      host: outside,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { status } = await git(['ls-files', '--error-unmatch', '-z', '--', basename(path)]);
    return status === 0 ? true : status === NOT_TRACKED ? false : undefined;
  } catch {
    return undefined;
  }
}

/** A repository may be made so that Git never ends. */
const PATIENCE_MS = 10_000;
