/** The copy of a team's memory on this machine, which is read while the server does not answer. */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FOLDER } from '../../store-place/locate';
import { MINUTE_MS } from '../base/clock';
import { randomSuffix } from '../base/ids';
import type { Log } from '../base/log';
import { makeFolders } from '../base/make-folders';
import { emptyCodeIndex } from '../code/empty-code-index';
import type { Store } from '../db/store';
import { DEFAULT_NAMESPACE } from '../memory/limits';
import type { Memory } from '../memory/memory';
import { KEEP_ALL } from '../memory/origins';
import { newVocabulary } from '../memory/recall/vocabulary';
import { MEMORY_FILE } from './open-store';
import { NO_SHARED } from './shared-memories';
import { lookAt, type OpenedCopy, openCopy } from './store-access';
import type { TeamMemory } from './team-memory';

/** A copy that is open. */
export interface ReadCopy {
  readonly store: Store;
  /** Nothing in it is of this machine, and nobody vouches for it. */
  readonly memory: Memory;
  /** When the server said that this is what there is, in milliseconds since the epoch. */
  readonly at: number;
}

interface TeamCopyOptions {
  readonly home: string;
  readonly address: string;
  readonly log: Log;
}

/** A newer one is fetched after a call, when the last one is older than this. */
const FRESH_MS = 5 * MINUTE_MS;
/** After a change that was heard of: at least this long, and 50 kB a second on average. */
const SHORTEST_REST_MS = 2_000;
const BYTES_PER_MS = 50;
/** That of a process that was killed. */
const LEFT_MS = 10 * MINUTE_MS;
const FETCH_LIMIT_MS = 5 * MINUTE_MS;
const FOLDER = 'teams';
/** Ends the name of an empty file. */
const SHUT = '-shut';
const OWN_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const OTHERS = 0o077;
const HASH_DIGITS = 32;
/** The server's name for what the file holds is part of the name of the file. */
const TAG = /^[0-9a-f]{1,64}$/;

interface Kept {
  readonly path: string;
  readonly tag: string;
  readonly at: number;
}

export class TeamCopy {
  private readonly folder: string;
  private readonly prefix: string;
  private fetching: { readonly done: Promise<void>; readonly stop: AbortController } | undefined;
  private triedAt = Number.NEGATIVE_INFINITY;
  private later: NodeJS.Timeout | undefined;
  private isClosed = false;
  /** Several calls ask at once: one of them opens it. */
  private turn: Promise<unknown> = Promise.resolve();
  private opened: { readonly path: string; readonly copy: OpenedCopy; readonly memory: Memory } | undefined;

  constructor(private readonly options: TeamCopyOptions) {
    this.folder = teamFolder(options.home);
    this.prefix = `${hashOf(options.address)}-`;
  }

  /** The server let this person not in when it was last asked, by whatever process: then nobody reads here unasked. */
  isShut(): boolean {
    return this.files(SHUT).length > 0;
  }

  /** What the server has said to a call. It never throws. */
  noteAnswer(isLetIn: boolean): void {
    const note = join(this.folder, `${this.prefix.slice(0, -1)}${SHUT}`);
    try {
      if (isLetIn) rmSync(note, { force: true });
      else {
        makeFolders(this.folder, OWN_FOLDER);
        closeSync(openSync(note, 'w', PRIVATE_FILE));
      }
    } catch (error) {
      this.options.log(`the copy of the team's memory: ${String(error)}`);
    }
  }

  /** When the server said that this is what there is, in milliseconds since the epoch; undefined without a copy. */
  at(): number | undefined {
    return this.kept()?.at;
  }

  /**
   * The same after a change that was heard of: at once for a small copy, and for a large one only so often that it takes no
   * more than its share of the line.
   */
  freshenSoon(team: TeamMemory): void {
    if (this.later) return;
    const kept = this.kept();
    const size = kept ? (lstatSync(kept.path, { throwIfNoEntry: false })?.size ?? 0) : 0;
    const rest = Math.min(FRESH_MS, Math.max(SHORTEST_REST_MS, size / BYTES_PER_MS));
    const due = Math.max(kept?.at ?? 0, this.triedAt) + rest - Date.now();
    this.later = setTimeout(
      () => {
        this.later = undefined;
        // What is on its way may be older than the change.
        if (this.fetching) void this.fetching.done.then(() => this.freshenSoon(team));
        else this.freshen(team, 0);
      },
      Math.max(0, due),
    ).unref();
  }

  /** Begins to fetch what there is now, where the last copy is not fresh. It never throws, and nobody waits for it. */
  freshen(team: TeamMemory, freshMs = FRESH_MS): void {
    const now = Date.now();
    if (this.isClosed || this.fetching || now - this.triedAt < freshMs) return;
    const kept = this.kept();
    if (kept && now - kept.at < freshMs) return;
    this.triedAt = now;
    const stop = new AbortController();
    const done = this.fetch(team, kept, AbortSignal.any([stop.signal, AbortSignal.timeout(FETCH_LIMIT_MS)]))
      .catch((error: unknown) => this.options.log(`the copy of the team's memory: ${String(error)}`))
      .finally(() => {
        this.fetching = undefined;
      });
    this.fetching = { done, stop };
  }

  /** Waits for what is being fetched, for a while; then it is given up. */
  async finish(patienceMs: number): Promise<void> {
    const { fetching } = this;
    if (!fetching) return;
    const limit = setTimeout(() => fetching.stop.abort(), patienceMs);
    await fetching.done;
    clearTimeout(limit);
  }

  /**
   * @param signal ends it where it takes too long
   * @returns undefined where there is none
   * @throws SvcError unavailable for what is no memory
   */
  open(signal?: AbortSignal): Promise<ReadCopy | undefined> {
    const opening = this.turn.then(() => this.openNow(signal));
    this.turn = opening.catch(() => undefined);
    return opening;
  }

  private async openNow(signal: AbortSignal | undefined): Promise<ReadCopy | undefined> {
    const kept = this.kept();
    if (!kept) return undefined;
    if (this.opened?.path !== kept.path || this.opened.copy.isOld()) {
      await this.closeOpened();
      // As a stranger's store: the file came from a server.
      const copy = await openCopy(kept.path, MEMORY_FILE, 'foreign', signal);
      this.opened = { path: kept.path, copy, memory: memoryOf(copy.store) };
    }
    const { copy, memory } = this.opened;
    return { store: copy.store, memory, at: kept.at };
  }

  async close(patienceMs: number): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.later);
    await this.finish(patienceMs);
    await this.turn;
    await this.closeOpened();
  }

  private async closeOpened(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    if (!opened) return;
    await opened.copy.store.close().finally(opened.copy.remove);
  }

  private async fetch(team: TeamMemory, kept: Kept | undefined, signal: AbortSignal): Promise<void> {
    makeFolders(this.folder, OWN_FOLDER);
    if (this.isBeingFetched()) return;
    const draft = join(this.folder, `${this.prefix}${randomBytes(6).toString('hex')}.new`);
    try {
      const tag = await team.fetchCopy(draft, kept?.tag, signal);
      const now = new Date();
      if (kept && tag === kept.tag) return utimesSync(kept.path, now, now);
      if (!TAG.test(tag)) throw new Error('it has a tag that is none');
      // One that cannot be read takes nobody's place, nor one that is shorter than it says.
      await lookAt(draft, MEMORY_FILE);
      const path = join(this.folder, `${this.prefix}${tag}.db`);
      renameSync(draft, path);
      for (const other of this.files('.db')) if (other !== path) rmSync(other, { force: true });
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** By another process. What one that was killed left is taken away. */
  private isBeingFetched(): boolean {
    return this.files('.new').some((path) => {
      const at = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      const isLeft = Date.now() - at > LEFT_MS;
      if (isLeft) rmSync(path, { force: true });
      return !isLeft;
    });
  }

  /** The newest one. */
  private kept(): Kept | undefined {
    const all = this.files('.db').flatMap((path): Kept[] => {
      const tag = path.slice(join(this.folder, this.prefix).length, -'.db'.length);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      // A link, or a file that others may write, was put there by somebody else.
      return stats?.isFile() && isPrivate(stats.mode) && TAG.test(tag) ? [{ path, tag, at: stats.mtimeMs }] : [];
    });
    return all.sort((one, other) => other.at - one.at)[0];
  }

  private files(ending: string): string[] {
    return filesIn(this.folder, this.prefix, ending);
  }
}

/** Takes away what is kept of a team on this machine, its outbox included. */
export function forgetTeam(home: string, address: string): void {
  const folder = teamFolder(home);
  for (const path of filesIn(folder, `${hashOf(address)}-`, '')) rmSync(path, { force: true });
}

export function teamFolder(home: string): string {
  return join(home, STORE_FOLDER, FOLDER);
}

/** What files of a team are called: an address is none that a file may have. */
export function hashOf(address: string): string {
  return createHash('sha256').update(address).digest('hex').slice(0, HASH_DIGITS);
}

function filesIn(folder: string, prefix: string, ending: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(prefix) && name.endsWith(ending))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Windows reports no rights here, but its home folders belong to their users alone. */
function isPrivate(mode: number): boolean {
  return process.platform === 'win32' || (mode & OTHERS) === 0;
}

function memoryOf(store: Store): Memory {
  return {
    ...{ sql: store, clock: Date.now, newSuffix: randomSuffix, vocabulary: newVocabulary() },
    scope: { namespace: DEFAULT_NAMESPACE, session: undefined },
    // Nothing is ever written to it.
    holder: () => ({ principal: null, pid: process.pid, host: '', client: '', by: 'agent', leaseMs: 0 }),
    keeping: () => KEEP_ALL,
    code: emptyCodeIndex(undefined),
    // Its lines are marked as the team's, as those are that the server gives.
    ...{ foreign: false, shared: NO_SHARED },
  };
}
