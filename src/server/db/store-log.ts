/** Empties the write-ahead log into the file, and the file of what is no row. */
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError } from '../base/errors';
import { BUSY_TIMEOUT_MS } from './driver-errors';
import type { Reader, Writer } from './sql';

/** One attempt to empty the log waits this long. This process cannot write in the meantime. */
const TRUNCATE_PATIENCE_MS = 20;
const RETRY_MS = 50;

interface Checkpoint {
  readonly busy: number;
  /** Frames in the log, and how many of them are in the file. */
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Writes the log into the file, as far as active readers allow, and empties the log.
 * @returns false when a part of the log remains
 */
export async function bringIntoFile(connection: Reader): Promise<boolean> {
  // Without keeping writers out: a large log takes a while.
  const row = await connection.get<Checkpoint>('PRAGMA wal_checkpoint(PASSIVE)');
  const { busy = 0, log = 0, checkpointed = 0 } = row ?? {};
  // Another process may be doing the same just now.
  if (busy !== 0 || checkpointed < log) return false;
  return log <= 0 || truncateLog(connection);
}

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Empties the log, again and again while others keep it busy.
 * @param inTurn how each attempt has its turn among those who write
 * @returns false when they did for the whole patience
 */
export async function emptyLog(
  connection: Reader,
  patienceMs: number,
  inTurn: InTurn = (work) => work(),
): Promise<boolean> {
  const start = performance.now();
  for (;;) {
    if (await inTurn(() => truncateLog(connection))) return true;
    if (performance.now() - start >= patienceMs) return false;
    await delay(RETRY_MS);
  }
}

/** @returns false when another connection kept the log busy */
async function truncateLog(connection: Reader): Promise<boolean> {
  await connection.all(`PRAGMA busy_timeout = ${TRUNCATE_PATIENCE_MS}`);
  try {
    const row = await connection.get<Checkpoint>('PRAGMA wal_checkpoint(TRUNCATE)');
    return row?.busy === 0;
  } finally {
    await connection.all(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/** Leaves nothing in the file but its rows. @returns false when others were in the way, or the disk is full */
export async function writeAnew(connection: Writer): Promise<boolean> {
  try {
    await connection.run('VACUUM');
    return true;
  } catch (error) {
    if (error instanceof SvcError && error.code === 'unavailable') return false;
    throw error;
  }
}
