/** Makes the daily backups, and deletes those that are no longer needed. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, HOUR_MS, MINUTE_MS, timestamp } from '../base/clock';
import { SvcError } from '../base/errors';
import type { Log } from '../base/log';
import { readAtRest } from '../db/look-at-rest';
import type { Writer } from '../db/sql';
import type { Store } from '../db/store';
import { backupFolder, backupName, backupPath, makeBackupFolder, removeBackup } from './backups';

/** Of those that are made by themselves. */
const DAILY_KEPT = 3;
/** After one could not be made. */
const AGAIN_AFTER_MS = 10 * MINUTE_MS;
/** A write waits no longer than this until the copy is of a moment before it. */
const BEGINS_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 2;
/** Of a process that was ended while it made one. */
const DRAFT_LEFT_AFTER_MS = HOUR_MS;
const DRAFT = '.tmp';

/** Why the last one that should have made itself is not there; a row of `mem_flags`. */
export const BACKUP_FAILED = 'backup_failed';

export interface BackedUp {
  readonly store: Store;
  readonly id: string;
  /** The store's real path. */
  readonly path: string;
  readonly home: string;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
}

/** The copies of an opened store in the home directory of its user. */
export class StoreBackups {
  private day: string | undefined;
  private begun: Promise<void> = Promise.resolve();
  private copying: Promise<void> = Promise.resolve();
  private again = 0;

  constructor(private readonly of: BackedUp) {}

  /** Where they are kept; it may not be there. */
  get folder(): string {
    return backupFolder(this.of.home, this.of.id);
  }

  /** @returns its path @throws SvcError unavailable */
  async make(): Promise<string> {
    const folder = this.makeFolder();
    const path = backupPath(folder, backupName('made', this.clock));
    await this.of.store.copyInto({ path });
    return path;
  }

  /**
   * Called before each write. The first one of a day waits until a copy has begun, which is of this moment then, and is
   * finished beside it. No write ever fails for it.
   */
  daily(): Promise<void> {
    const day = timestamp(this.clock()).slice(0, 10);
    if (day !== this.day && performance.now() >= this.again) {
      this.day = day;
      this.begun = this.begin(day).catch((error: unknown) => this.failed(error));
    }
    return this.begun;
  }

  /** Waits for the one that is being made. */
  async finish(): Promise<void> {
    await this.begun;
    await this.copying;
  }

  /**
   * Deletes those that hold one of these memories, and those that may: what cannot be read, and what is being made.
   * @returns how many; undefined when one could not be deleted
   */
  async removeHolding(ids: readonly string[]): Promise<number | undefined> {
    if (ids.length === 0 || !existsSync(this.folder)) return 0;
    await this.finish();
    let removed = 0;
    try {
      for (const name of readdirSync(this.folder)) {
        const path = join(this.folder, name);
        if (name.endsWith(DRAFT)) rmSync(path, { force: true });
        if (!name.endsWith('.db') || !(await holdsOneOf(path, ids))) continue;
        removeBackup(path);
        removed += 1;
      }
    } catch {
      return undefined;
    }
    // Today's may be among them: the next write makes another one.
    if (removed > 0) this.day = undefined;
    return removed;
  }

  private get clock(): Clock {
    return this.of.clock ?? Date.now;
  }

  private makeFolder(): string {
    const { home, id, path } = this.of;
    return makeBackupFolder(home, id, { path });
  }

  private async begin(day: string): Promise<void> {
    const { store } = this.of;
    if (!(await store.get('SELECT 1 AS one FROM mem_nodes LIMIT 1'))) {
      // There is nothing to keep yet.
      this.day = undefined;
      return;
    }
    const folder = this.makeFolder();
    const path = backupPath(folder, `daily-${day}`);
    const draft = join(folder, `daily-${day}${DRAFT}`);
    this.removeLeftDrafts();
    if (existsSync(path)) return;
    if (existsSync(draft)) {
      await untilBegun(draft, () => !existsSync(draft));
      return;
    }
    let isOver = false;
    this.copying = store.copyInto({ path, draft }).then(
      () => this.made(),
      // Another process that began at the same moment makes it, or has made it.
      (error: unknown) => (existsSync(path) || existsSync(draft) ? undefined : this.failed(error)),
    );
    const over = this.copying.then(() => {
      isOver = true;
    });
    await Promise.race([over, untilBegun(draft, () => isOver)]);
  }

  private async made(): Promise<void> {
    const daily = readdirSync(this.folder).filter((name) => name.startsWith('daily-') && name.endsWith('.db'));
    for (const old of daily.sort().slice(0, -DAILY_KEPT)) rmSync(join(this.folder, old), { force: true });
    await this.note(undefined);
  }

  private async failed(error: unknown): Promise<void> {
    this.day = undefined;
    if (this.of.store.left) return;
    this.again = performance.now() + AGAIN_AFTER_MS;
    this.of.log?.(`no backup was made: ${error instanceof SvcError ? error.message : String(error)}`);
    await this.note(error instanceof SvcError ? error.said : String(error));
  }

  /** For the doctor, which looks whether all is well. */
  private async note(problem: string | undefined): Promise<void> {
    const { store } = this.of;
    const flag = { name: BACKUP_FAILED };
    const write = (sql: Writer): Promise<number> =>
      problem === undefined
        ? sql.run('DELETE FROM mem_flags WHERE name = $name', flag)
        : sql.run('INSERT OR REPLACE INTO mem_flags (name, value) VALUES ($name, $problem)', { ...flag, problem });
    try {
      const known = await store.get<{ value: string }>('SELECT value FROM mem_flags WHERE name = $name', flag);
      if (known?.value !== problem) await store.transact(write);
    } catch {
      // If the store has a problem, the next writer reports it.
    }
  }

  private removeLeftDrafts(): void {
    for (const name of readdirSync(this.folder)) {
      if (!name.endsWith(DRAFT)) continue;
      const path = join(this.folder, name);
      const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - made > DRAFT_LEFT_AFTER_MS) rmSync(path, { force: true });
    }
  }
}

/** A copy reads all of it as it was when it began, which it has once something of it is written. */
async function untilBegun(draft: string, isOver: () => boolean): Promise<void> {
  const until = performance.now() + BEGINS_WITHIN_MS;
  while (!isOver() && performance.now() < until) {
    if ((statSync(draft, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
    await delay(LOOK_EVERY_MS);
  }
}

async function holdsOneOf(path: string, ids: readonly string[]): Promise<boolean> {
  try {
    return await readAtRest(path, async (sql) => {
      const found = await sql.get('SELECT 1 AS one FROM mem_nodes WHERE id IN (SELECT value FROM json_each($ids))', {
        ids: JSON.stringify(ids),
      });
      return found !== undefined;
    });
  } catch {
    return true;
  }
}
