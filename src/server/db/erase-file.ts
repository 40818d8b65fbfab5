/** Takes deleted content out of the file of a store, and out of what lies beside it. */
import { SvcError } from '../base/errors';
import { removeCopiesBeside } from './copies-beside';
import { hasSlack } from './page-slack';
import type { Writer } from './sql';
import { emptyLog, type InTurn } from './store-log';

/**
 * The deleting transaction has already overwritten its pages (secure_delete). This empties the write-ahead log, removes
 * migration backups, and writes the file anew where its pages hold what belongs to no row: a copy that an older version
 * made begins so.
 * @returns false when others kept the log busy for the whole patience, or hold a backup, or the disk is full; then it is
 *   to be tried later
 */
export async function eraseFile(
  connection: Writer,
  path: string,
  patienceMs: number,
  inTurn: InTurn,
): Promise<boolean> {
  if (!(await removeCopiesBeside(path))) return false;
  const empty = (): Promise<boolean> => emptyLog(connection, patienceMs, inTurn);
  if (!(await empty())) return false;
  if (!(await hasSlack(path))) return true;
  return (await rewritten(connection, inTurn)) && (await empty());
}

async function rewritten(connection: Writer, inTurn: InTurn): Promise<boolean> {
  try {
    await inTurn(() => connection.run('VACUUM'));
    return true;
  } catch (error) {
    if (error instanceof SvcError && error.code === 'unavailable') return false;
    throw error;
  }
}
