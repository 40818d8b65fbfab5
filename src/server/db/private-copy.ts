/** Makes a private copy of a store, for reading. */
import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { HOUR_MS } from '../base/clock';
import { copyLiveFile } from '../base/copy-file';
import { unavailable } from '../base/errors';
import { processIsAlive } from '../base/process-is-alive';
import { shownPath } from '../base/text';

/** A store as it was at one moment, in a folder that only this user may enter. */
export interface PrivateCopy {
  readonly path: string;
  /** The state of the original (`stateOf`). If it has changed, the copy is old. */
  readonly state: string;
  remove(): Promise<void>;
}

/** The process that made it stands in a copy's name, so that what a killed one left is taken away by the next. */
const PREFIX = 'svc-memory-copy-';
/** A copy of two files may be of two moments: then it is made again. */
const ATTEMPTS = 5;
const LOG = '-wal';
/** With salts that change each time the log begins from its start (https://www.sqlite.org/fileformat2.html#walformat). */
const LOG_HEADER_BYTES = 32;
/** Programs in containers may share a folder for temporary files, and not see each other: then this decides. */
const LEFT_AFTER_MS = HOUR_MS;

/**
 * Copies a store with its log, so that it can be read, and brought up to date, without a trace beside the original.
 * @param maxBytes a larger one is not copied
 * @param signal ends the copying
 * @throws SvcError unavailable
 */
export async function copyPrivately(
  path: string,
  maxBytes = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<PrivateCopy> {
  const size = (await sizeOf(path)) + (await sizeOf(`${path}${LOG}`));
  if (size > maxBytes) {
    throw unavailable(
      `${shownPath(path)} is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB, the limit for a store that has not been accepted`,
      'Nothing was read. Accept it with "svc-memory trust" if you know where it comes from',
    );
  }
  const { folder, remove } = await makePrivateFolder();
  const copy = join(folder, basename(path));
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const state = stateOf(path);
      const span = logSpan(path) ?? state;
      await rm(`${copy}${LOG}`, { force: true });
      await copyLiveFile(path, copy, true, signal);
      if (isRegular(`${path}${LOG}`)) {
        // The process that closes the store last takes its log away, perhaps just now.
        await copyLiveFile(`${path}${LOG}`, `${copy}${LOG}`, true, signal).catch((error: unknown) => {
          if (stateOf(path) === state) throw error;
        });
      }
      if ((logSpan(path) ?? stateOf(path)) === span) return { path: copy, state, remove };
    }
  } catch {
    await remove();
    // Who ended it knows why.
    signal?.throwIfAborted();
    throw unavailable(`${shownPath(path)} cannot be read`, 'Give this user the right to read it, and check the disk');
  }
  await remove();
  throw unavailable(`${shownPath(path)} is being written to continuously`, 'Try again in a moment');
}

/** A folder that only this user may enter, for a file that is needed for a while. */
export async function makePrivateFolder(): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  await removeLeftCopies().catch(() => undefined);
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Another text when the file or its log was written, replaced or removed. */
export function stateOf(path: string): string {
  return [path, `${path}${LOG}`]
    .map((file) => {
      const stats = lstatSync(file, { throwIfNoEntry: false, bigint: true });
      return stats ? `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}` : '';
    })
    .join(' ');
}

/**
 * What stays the same while the log only grows. Then the file, copied first, and the log, copied after it, are of one
 * moment, however much is written between: whatever was moved from the log into the file is still in the log, and what
 * was written half ends before its checksum. Undefined without a log: then nothing may be written meanwhile.
 */
function logSpan(path: string): string | undefined {
  const log = `${path}${LOG}`;
  const header = isRegular(log) ? startOf(log) : undefined;
  if (header === undefined) return undefined;
  const files = [path, log].map((file) => lstatSync(file, { throwIfNoEntry: false, bigint: true }));
  return [...files.map((stats) => `${stats?.dev}:${stats?.ino}`), header].join(' ');
}

/** Undefined for a log that is emptied, or was taken away just now. */
function startOf(log: string): string | undefined {
  const header = Buffer.alloc(LOG_HEADER_BYTES);
  try {
    const opened = openSync(log, 'r');
    try {
      return readSync(opened, header, 0, LOG_HEADER_BYTES, 0) === LOG_HEADER_BYTES ? header.toString('hex') : undefined;
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined;
  }
}

async function sizeOf(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.size ?? 0;
}

function isRegular(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

async function removeLeftCopies(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const pid = Number(name.slice(PREFIX.length).split('-', 1)[0]);
    const left = join(tmpdir(), name);
    const age = Date.now() - (lstatSync(left, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (processIsAlive(pid) || age < LEFT_AFTER_MS) continue;
    // One of another user cannot be removed, and need not be.
    await rm(left, { recursive: true, force: true }).catch(() => undefined);
  }
}
