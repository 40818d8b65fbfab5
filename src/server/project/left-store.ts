/** Tells callers what became of a store that is no longer where it was opened, and saves its contents. */
import { existsSync, lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, timestamp } from '../base/clock';
import { SvcError, unavailable } from '../base/errors';
import { shownPath, typed } from '../base/text';
import { identityOf } from '../db/at-place';
import type { LeftFile } from '../db/leaving';
import { backupFolder, backupName, backupPath, makeBackupFolder, readAbout } from './backups';
import type { Project } from './open';

type Told = readonly [problem: string, remedy: string];

/** What became of a store that is no longer where it was opened. */
export class StoreLeft extends SvcError {
  /** @param told the messages: while there is no file at its place, and when there is another one */
  constructor(
    readonly store: LeftStore,
    /** The file that it was; undefined where its content is another one. */
    readonly file: string | undefined,
    private readonly told: Readonly<Record<'gone' | 'another', Told>> & {
      readonly nothingLost?: true;
      /** Where it was moved to. */
      readonly now?: string;
    },
  ) {
    super('unavailable', ...told.gone);
  }

  /** What was in it has to be brought back. */
  get isLost(): boolean {
    return this.told.nothingLost !== true;
  }

  ofAnother(): SvcError {
    return this.isNowhere() ?? unavailable(...this.told.another);
  }

  /** Of one that went on from where it was moved to, which nobody told this process. */
  isNowhere(): SvcError | undefined {
    const { now } = this.told;
    if (now === undefined || existsSync(now)) return undefined;
    return unavailable(
      `The store ${shownPath(this.store.path)} was moved to ${shownPath(now)} while it was open, and is no longer there`,
      '"svc-memory restore-backup --list" shows what there is of it; "svc-memory init" begins a new one where none is',
    );
  }
}

export interface LeftStore {
  /** Where it was. */
  readonly path: string;
  readonly id: string;
  readonly home: string;
  readonly clock?: Clock | undefined;
}

/**
 * Called when the file at the place of a store was opened.
 * @throws SvcError once, when it is another file than before and not a restored backup; the error says what became of
 * the file before
 */
export function tellLeft({ store: { left } }: Project): void {
  if (!(left instanceof StoreLeft)) return;
  if (identityOf(left.store.path) !== left.file && !isRestored(left.store)) throw left.ofAnother();
}

/** Called where no file is at the place of a store. @throws SvcError where what became of it is no longer true */
export function tellNowhere({ store: { left } }: Project): void {
  const nowhere = left instanceof StoreLeft ? left.isNowhere() : undefined;
  if (nowhere) throw nowhere;
}

/** Whether the file in its place is a restored backup, whose restorer kept the old contents. */
export function isRestored({ path, home, id }: LeftStore): boolean {
  const file = identityOf(path);
  return file !== undefined && file === readAbout(backupFolder(home, id))?.restored;
}

/** Another process that has the same file open may be keeping the same copy. */
const KEPT_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;

/**
 * A store was moved, replaced or deleted while it was open. Whatever is in it can be found afterwards: in the
 * file, where it is now, or in a copy among its backups.
 * @returns what to tell: where everything is, and how it comes back
 * @throws SvcError unavailable when it cannot be kept
 */
export async function keepLeftStore(store: LeftStore, left: LeftFile): Promise<StoreLeft> {
  const path = shownPath(store.path);
  const next = 'Ask again to use the one that lies there now';
  if (left.how === 'without its log' && left.whole) {
    const told = [`The log of the store ${path} was deleted`, 'Nothing is lost. Ask again'] as const;
    return new StoreLeft(store, left.identity, { gone: told, another: told, nothingLost: true });
  }
  if (left.now !== undefined && left.whole) {
    const now = shownPath(left.now);
    const moved = `The store ${path} was moved to ${now} while it was open`;
    const isFolderThere = existsSync(dirname(store.path));
    return new StoreLeft(store, left.identity, {
      now: left.now,
      gone: [
        `${moved}. All that was stored is in there`,
        isFolderThere
          ? `Put it back and ask again: mv ${typed(left.now)} ${typed(store.path)}`
          : 'Move its folder back and ask again, or start this process in the new place',
      ],
      another: [
        `${moved}, and another one lies in its place. All that was stored before is in ${now}`,
        `${next}, or bring the old one back: svc-memory restore-backup ${typed(left.now)}`,
      ],
    });
  }
  if (left.how === 'written over') {
    const told = [
      `Another program wrote over the store ${path} while it was open: what it wrote is all that lies there now`,
      'Ask again to use that; "svc-memory restore-backup --list" shows what there is of the one before',
    ] as const;
    return new StoreLeft(store, undefined, { gone: told, another: told });
  }
  if (isRestored(store)) {
    const told = [`The store ${path} was restored from a backup`, 'Nothing was written. Ask again'] as const;
    return new StoreLeft(store, left.identity, { gone: told, another: told, nothingLost: true });
  }
  const name = await keepCopy(store, left);
  const bringsBack = `"svc-memory restore-backup ${name}" brings all of it back`;
  return new StoreLeft(store, left.identity, {
    gone: [
      `The store ${path} was deleted while it was open. All that was stored is kept in the backup ${name}`,
      `${bringsBack}; "svc-memory init" begins a new store`,
    ],
    another: [
      `The store ${path} was replaced while it was open. What it held is kept in the backup ${name}`,
      `${next}; ${bringsBack}`,
    ],
  });
}

/**
 * Several processes may have one file open, but its contents are saved once. They are not saved again after a restore.
 * @returns the name of the backup
 */
async function keepCopy(store: LeftStore, left: LeftFile, mayTryAgain = true): Promise<string> {
  const { path, id, home, clock = Date.now } = store;
  const folder = makeBackupFolder(home, id, { path });
  const draft = join(folder, `rescue-${left.identity.replace(':', '-')}.tmp`);
  await untilGone(draft);
  const keptName = (): string | undefined => {
    const { kept } = readAbout(folder) ?? {};
    const isKept = kept?.file === left.identity && Date.parse(kept.at) > clock() - KEPT_WITHIN_MS;
    return isKept ? kept.name : undefined;
  };
  const before = keptName();
  if (before !== undefined) return before;
  const name = backupName('rescued', clock);
  try {
    await left.copyInto({
      ...{ path: backupPath(folder, name), draft },
      // While the draft is there, others wait.
      whenThere: () =>
        void makeBackupFolder(home, id, { path, kept: { file: left.identity, at: timestamp(clock()), name } }),
    });
  } catch (error) {
    // Another process was faster by a moment.
    const theirs = keptName();
    if (theirs !== undefined) return theirs;
    if (!mayTryAgain || !existsSync(draft)) throw error;
    return keepCopy(store, left, false);
  }
  return name;
}

async function untilGone(draft: string): Promise<void> {
  for (;;) {
    const made = lstatSync(draft, { throwIfNoEntry: false })?.mtimeMs;
    if (made === undefined) return;
    if (Date.now() - made > KEPT_WITHIN_MS) await rm(draft, { force: true });
    await delay(LOOK_EVERY_MS);
  }
}
