/** Brings a database of an engine to the current schema, and refuses what is not ours. */
import { type Migration, OtherProgram, tooNew, tooOld } from '../db/migrate';
import { readSchema, requireOurSchema } from '../db/schema';
import type { Reader, Writer } from '../db/sql';
import { giveId, type IdTable } from '../db/store-id';

/**
 * The version of a database that is ours; 0 for an empty one. A file has a mark besides, which an engine cannot keep: the
 * schema, to the letter, says it as well.
 * @param shown as messages call it
 * @throws SvcError unavailable for a database of a newer program, of another one, or with a schema that is not ours
 */
export async function engineVersion(sql: Reader, shown: string, migrations: readonly Migration[]): Promise<number> {
  const { version, objects } = await readSchema(sql);
  if (version > migrations.length) throw tooNew(shown, version, migrations.length);
  if (version < 0 || (version === 0 && objects.length > 0)) throw new OtherProgram(shown);
  if (version > 0) await requireOurSchema(shown, objects, migrations.slice(0, version));
  return version;
}

/** @throws SvcError unavailable as `engineVersion`, and for a database of an older program or an empty one */
export async function requireCurrent(sql: Reader, shown: string, migrations: readonly Migration[]): Promise<void> {
  const version = await engineVersion(sql, shown, migrations);
  if (version < migrations.length) throw tooOld(shown, version, migrations.length);
}

/** Belongs in a transaction. @throws SvcError as `engineVersion` */
export async function migrateEngine(
  writer: Writer & { script(sql: string): Promise<void> },
  shown: string,
  migrations: readonly Migration[],
  ids: IdTable,
): Promise<void> {
  const version = await engineVersion(writer, shown, migrations);
  for (const { sql } of migrations.slice(version)) await writer.script(sql);
  await writer.script(`PRAGMA user_version = ${migrations.length}`);
  await giveId(writer, { table: ids, made: () => {} });
}
