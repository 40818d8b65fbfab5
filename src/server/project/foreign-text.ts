/** Marks the sessions of agents that have read foreign text. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FOLDER } from '../../store-place/locate';
import { type Clock, HOUR_MS } from '../base/clock';
import { makeFolders } from '../base/make-folders';

/**
 * What an agent stores after it has read foreign text may be that text's idea. The hooks of its host see what it reads:
 * they leave a small file in the home directory for each session of an agent, until its user speaks again. A server does not
 * know which session of its host it serves, so a mark counts for all that write the same store.
 */
const FOLDER = 'foreign-text';
/** A session that ended without another word of its user leaves its mark behind. */
const MARK_LASTS_MS = 12 * HOUR_MS;
const MAX_MARK_BYTES = 10_000;

interface Mark {
  /** The address of the store. */
  readonly store: string;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** @param session as the agent's host calls it */
export function markSession(home: string, session: string, store: string, clock: Clock = Date.now): void {
  makeFolders(folderIn(home), 0o700);
  const mark: Mark = { store, at: clock() };
  writeFileSync(fileOf(home, session), JSON.stringify(mark), { mode: 0o600 });
}

/** The user has spoken. */
export function clearMark(home: string, session: string): void {
  rmSync(fileOf(home, session), { force: true });
}

/** Whether an agent that writes this store has read foreign text since its user spoke last. */
export function isMarked(home: string, store: string, clock: Clock = Date.now): boolean {
  const folder = folderIn(home);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return false; // nobody ever marked one
  }
  const oldest = clock() - MARK_LASTS_MS;
  return names.some((name) => {
    const mark = readMark(join(folder, name));
    return mark?.store === store && mark.at > oldest;
  });
}

function readMark(file: string): Mark | undefined {
  try {
    if (statSync(file).size > MAX_MARK_BYTES) return undefined;
    const { store, at } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Mark>;
    return typeof store === 'string' && typeof at === 'number' ? { store, at } : undefined;
  } catch {
    return undefined; // cleared meanwhile
  }
}

function folderIn(home: string): string {
  return join(home, STORE_FOLDER, FOLDER);
}

/** What a host calls its session may be anything. */
function fileOf(home: string, session: string): string {
  return join(folderIn(home), `${createHash('sha256').update(session).digest('hex').slice(0, 24)}.json`);
}
