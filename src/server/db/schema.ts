/** Reads the schema of a file, and compares it with ours. */
import { createHash } from 'node:crypto';
import { unavailable } from '../base/errors';
import { oneLine, quoted, shownPath } from '../base/text';
import { Connection } from './driver';
import type { Migration } from './migrate';
import type { Reader } from './sql';

type SchemaObject = readonly [type: string, name: string, sql: string | null];

/** What a file says of itself, at one moment. */
export interface FileSchema {
  readonly version: number;
  readonly applicationId: number;
  readonly objects: readonly SchemaObject[];
}

/**
 * What a schema says, as one short text: `Migration.schema` of each released version. Two files with the same one have
 * the same tables and indexes, and no trigger or view.
 */
export function schemaFingerprint(objects: readonly SchemaObject[]): string {
  const rows = objects.map((one) => JSON.stringify(one)).sort();
  return createHash('sha256').update(rows.join('\n')).digest('base64url').slice(0, 22);
}

export async function readSchema(sql: Reader): Promise<FileSchema> {
  // One statement, so that another process cannot migrate the file halfway through.
  const row = await sql.get<{ version: number; applicationId: number; objects: string }>(
    `SELECT (SELECT user_version FROM pragma_user_version) AS version,
            (SELECT application_id FROM pragma_application_id) AS applicationId,
            (SELECT json_group_array(json_array(type, name, sql)) FROM sqlite_schema) AS objects`,
  );
  return {
    version: row?.version ?? 0,
    applicationId: row?.applicationId ?? 0,
    objects: JSON.parse(row?.objects ?? '[]') as SchemaObject[],
  };
}

/**
 * A trigger, a view or a table from elsewhere would run, or be read, in every call. So the schema has to be exactly
 * ours before anything else is read.
 * @param path of the file, for the message
 * @throws SvcError unavailable that names the unexpected object
 */
export async function requireOurSchema(
  path: string,
  found: FileSchema['objects'],
  applied: readonly Migration[],
): Promise<void> {
  const fingerprint = schemaFingerprint(found);
  if (fingerprint === applied.at(-1)?.schema) return;
  // Another SQLite may word the tables that it makes itself in another way: what this one makes counts as well.
  const made = await madeHere(applied);
  if (fingerprint === schemaFingerprint(made)) return;
  throw unavailable(
    `${shownPath(path)} ${difference(found, made)}`,
    'It was not read and not changed. Restore a backup of it, or set SVC_MEMORY_DB to another file',
  );
}

function difference(found: FileSchema['objects'], made: FileSchema['objects']): string {
  const isIn = (all: FileSchema['objects'], [type, name, sql]: SchemaObject, alsoText: boolean): boolean =>
    all.some((one) => one[0] === type && one[1] === name && (!alsoText || one[2] === sql));
  const added = found.find((one) => !isIn(made, one, false));
  if (added) return `has ${withArticle(oneLine(added[0]))} ${quoted(added[1])} that svc-memory did not make`;
  const missing = made.find((one) => !isIn(found, one, false));
  if (missing) return `lacks the ${missing[0]} ${quoted(missing[1])}`;
  const changed = found.find((one) => !isIn(made, one, true));
  return `has another ${changed?.[0] ?? 'table'} ${quoted(changed?.[1] ?? '')} than svc-memory makes`;
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

async function madeHere(applied: readonly Migration[]): Promise<FileSchema['objects']> {
  const empty = await Connection.open(':memory:', 'create');
  try {
    for (const { sql } of applied) await empty.script(sql);
    return (await readSchema(empty)).objects;
  } finally {
    await empty.close();
  }
}
