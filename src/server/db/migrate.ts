import { timestamp } from '../base/clock';
import { unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import { BUSY_TIMEOUT_MS, type Connection, StoreBusy } from './driver';

/** One step of a schema. Its place in the list is its version, kept in `PRAGMA user_version`. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Marks our files among SQLite databases ("svcm"). */
const APPLICATION_ID = 0x7376636d;

/**
 * Brings the file to the newest version that this program knows, in one transaction, after copying the old file to
 * `<file>.backup-v<version>-<time>`. Safe when several processes race to create or migrate the same file.
 * @throws SvcError unavailable for a file of a newer program or of another program; the file is left untouched
 */
export async function migrate(connection: Connection, migrations: readonly Migration[]): Promise<void> {
  const found = await inspect(connection);
  if (found.version > migrations.length) throw tooNew(connection.path, found.version, migrations.length);
  if (found.version === 0 && found.tables > 0) throw foreign(connection.path);
  if (found.version > 0 && found.applicationId !== APPLICATION_ID) throw foreign(connection.path);
  await useWriteAheadLog(connection);
  if (found.version === migrations.length) return;
  if (found.version > 0) await backup(connection, found.version);
  await connection.run('BEGIN IMMEDIATE');
  try {
    // Another process may have been faster: look again now that nobody else can write.
    const { version } = await inspect(connection);
    if (version > migrations.length) throw tooNew(connection.path, version, migrations.length);
    for (const migration of migrations.slice(version)) await connection.script(migration.sql);
    await connection.script(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length};`);
    await connection.run('COMMIT');
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const WAL_RETRY_MS = 10;

/**
 * SQLite does not wait here when several processes make a store at once: it would be an upgrade of a read lock, which
 * can deadlock, so all but one are told at once that the file is busy. Once one has succeeded, so do the others.
 */
async function useWriteAheadLog(connection: Connection): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      await connection.all('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!(error instanceof StoreBusy) || performance.now() - start > BUSY_TIMEOUT_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, WAL_RETRY_MS));
    }
  }
}

/** @throws SvcError unavailable when the file's schema is newer than `known` */
export async function refuseNewer(connection: Connection, known: number): Promise<void> {
  const row = await connection.get<{ user_version: number }>('PRAGMA user_version');
  if ((row?.user_version ?? 0) > known) throw tooNew(connection.path, row?.user_version ?? 0, known);
}

async function inspect(connection: Connection): Promise<{ version: number; applicationId: number; tables: number }> {
  const row = await connection.get<{ version: number; applicationId: number; tables: number }>(
    `SELECT (SELECT user_version FROM pragma_user_version) AS version,
            (SELECT application_id FROM pragma_application_id) AS applicationId,
            (SELECT count(*) FROM sqlite_schema) AS tables`,
  );
  return row ?? { version: 0, applicationId: 0, tables: 0 };
}

async function backup(connection: Connection, version: number): Promise<void> {
  const time = timestamp(Date.now()).replaceAll(/[:.]/g, '-');
  const target = `${connection.path}.backup-v${version}-${time}-${process.pid}`;
  await connection.run('VACUUM INTO $target', { target });
}

function tooNew(path: string, version: number, known: number): Error {
  return unavailable(
    `The store ${shownPath(path)} has schema version ${version}, newer than the ${known} that this program knows`,
    'It was left untouched. Update svc-memory (or the extension) and start it again',
  );
}

function foreign(path: string): Error {
  return unavailable(
    `${shownPath(path)} is a SQLite database of another program`,
    'It was left untouched. Set SVC_MEMORY_DB to another file',
  );
}
