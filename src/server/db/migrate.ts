/** Brings a database to the current schema. */
import { timestamp } from '../base/clock';
import { SvcError, unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import type { Connection } from './driver';
import { BUSY_TIMEOUT_MS, StoreBusy } from './driver-errors';
import { readSchema, requireOurSchema } from './schema';
import { giveId, type Identity } from './store-id';

/** One step of a schema. Its place in the list is its version, kept in `PRAGMA user_version`. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** What the schema is after it (`schemaFingerprint`). */
  readonly schema: string;
}

/** Marks our files among SQLite databases ("svcm"). */
const APPLICATION_ID = 0x7376636d;

interface MigrateOptions {
  readonly identity?: Identity | undefined;
  readonly backUp?: boolean;
  /** False: a file of an older version is refused. */
  readonly upgrades?: boolean | undefined;
}

/**
 * Brings the file to the newest version that this program knows, in one transaction, after copying the old file to
 * `<file>.backup-v<version>-<time>`. Safe when several processes race to create or migrate the same file.
 * @param options `identity` gives a file that is made its id; a copy needs no backup
 * @throws SvcError unavailable for a file of a newer program or of another program; the file is left untouched
 */
export async function migrate(
  connection: Connection,
  migrations: readonly Migration[],
  { identity, backUp = true, upgrades = true }: MigrateOptions = {},
): Promise<void> {
  const version = await requireOurs(connection, migrations);
  if (!upgrades && version > 0 && version < migrations.length) {
    throw tooOld(connection.shownAs, version, migrations.length);
  }
  await useWriteAheadLog(connection);
  if (version === migrations.length) return;
  if (version > 0 && backUp) await backup(connection, version);
  await connection.run('BEGIN IMMEDIATE');
  try {
    // Another process may have been faster: look again now that no other process can write.
    const { version } = await readSchema(connection);
    if (version > migrations.length) throw tooNew(connection.shownAs, version, migrations.length);
    for (const migration of migrations.slice(version)) await connection.script(migration.sql);
    await connection.script(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length};`);
    // Nobody ever sees a file of this version without its id.
    if (identity && version === 0) await giveId(connection, identity);
    await connection.run('COMMIT');
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * The schema version of a file that this program made, or one like it; 0 for an empty file.
 * @throws SvcError unavailable for a file of a newer program, of another one, or with a schema that is not ours
 */
export async function requireOurs(connection: Connection, migrations: readonly Migration[]): Promise<number> {
  const { version, applicationId, objects } = await readSchema(connection);
  const path = connection.shownAs;
  if (version > migrations.length) throw tooNew(path, version, migrations.length);
  if (version < 0 || (version === 0 && objects.length > 0)) throw new OtherProgram(shownPath(path));
  if (version > 0 && applicationId !== APPLICATION_ID) throw new OtherProgram(shownPath(path));
  if (version > 0) await requireOurSchema(path, objects, migrations.slice(0, version));
  return version;
}

const WAL_RETRY_MS = 10;

/**
 * SQLite does not wait here when several processes create a store at once: upgrading a read lock could deadlock, so all
 * but one process get "busy" immediately. After one has succeeded, the others do, too.
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
export async function refuseNewer(connection: Pick<Connection, 'get' | 'shownAs'>, known: number): Promise<void> {
  const row = await connection.get<{ user_version: number }>('PRAGMA user_version');
  if ((row?.user_version ?? 0) > known) throw tooNew(connection.shownAs, row?.user_version ?? 0, known);
}

/** A copy beside the file, so that an upgrade of the schema that fails costs nothing. */
async function backup(connection: Connection, version: number): Promise<void> {
  const time = timestamp(Date.now()).replaceAll(/[:.]/g, '-');
  const target = `${connection.path}.backup-v${version}-${time}-${process.pid}`;
  await connection.run('VACUUM INTO $target', { target });
}

export function tooNew(path: string, version: number, known: number): Error {
  return unavailable(
    `The store ${shownPath(path)} has schema version ${version}, newer than the ${known} that this program knows`,
    'It was left untouched. Update svc-memory (or the extension) and start it again',
  );
}

export function tooOld(path: string, version: number, known: number): Error {
  return unavailable(
    `The store ${shownPath(path)} has schema version ${version}, older than the ${known} of this program`,
    'It was left untouched. Stop all servers that have it open, then run "svc-memory admin migrate"',
  );
}

/** What lies at the place of a store is not one. */
export class OtherProgram extends SvcError {
  /** @param path as it is shown; @param backup of the store that lay there before */
  constructor(
    readonly path: string,
    readonly backup?: string,
  ) {
    super(
      'unavailable',
      `${path} is a SQLite database of another program`,
      backup === undefined
        ? 'It was left untouched. Set SVC_MEMORY_DB to another file'
        : `It was left untouched. "svc-memory restore-backup ${backup}" brings back the store that lay there before, and keeps this file`,
    );
  }
}
