/** Keeps which memories the hooks have shown to a conversation, so that each comes once. */
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FOLDER } from '../../store-place/locate';
import { type Clock, DAY_MS } from '../base/clock';
import { makeFolders } from '../base/make-folders';

/** In the home directory: a small file for each conversation, with an id on each line. */
const FOLDER = 'shown-memories';
/** A conversation that is gone on with later than this may see them once more. */
const KEPT_MS = 7 * DAY_MS;
const MAX_FILE_BYTES = 100_000;

/** @param conversation as the agent's host calls it */
export function shownTo(home: string, conversation: string): ReadonlySet<string> {
  try {
    const file = fileOf(home, conversation);
    if (statSync(file).size > MAX_FILE_BYTES) return new Set();
    return new Set(readFileSync(file, 'utf8').split('\n'));
  } catch {
    return new Set(); // nothing was shown yet
  }
}

/** By adding lines: several hooks of a conversation may run at once. */
export function noteShown(home: string, conversation: string, ids: readonly string[]): void {
  makeFolders(folderIn(home), 0o700);
  appendFileSync(fileOf(home, conversation), ids.map((id) => `${id}\n`).join(''), { mode: 0o600 });
}

/** What was shown is no longer before the model. Files of conversations that are over go, too. */
export function forgetShown(home: string, conversation: string, clock: Clock = Date.now): void {
  rmSync(fileOf(home, conversation), { force: true });
  let names: string[];
  try {
    names = readdirSync(folderIn(home));
  } catch {
    return; // nobody ever was shown one
  }
  for (const name of names) {
    const file = join(folderIn(home), name);
    const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (at !== undefined && at < clock() - KEPT_MS) rmSync(file, { force: true });
  }
}

function folderIn(home: string): string {
  return join(home, STORE_FOLDER, FOLDER);
}

function fileOf(home: string, conversation: string): string {
  return join(folderIn(home), `${createHash('sha256').update(conversation).digest('hex').slice(0, 24)}.txt`);
}
