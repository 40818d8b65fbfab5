/** The id that a store or a code graph keeps in its file. */
import { randomBytes } from 'node:crypto';
import type { Reader, Writer } from './sql';

/** A table of names and values, in which a file keeps its id. */
export type IdTable = 'mem_flags' | 'graph_facts';

/** How a file gets its unique id. */
export interface Identity {
  readonly table: IdTable;
  /** Called with a new id inside of the transaction that writes it: who sees it can know it. */
  readonly made: (id: string) => void;
}

const NAME = 'store_id';
/** Longer is no id of ours. */
const MAX_LENGTH = 64;

export async function readId(sql: Reader, table: IdTable): Promise<string | undefined> {
  const row = await sql.get<{ id: string | null }>(
    `SELECT CASE WHEN length(value) <= $longest THEN value END AS id FROM ${table} WHERE name = $name`,
    { name: NAME, longest: MAX_LENGTH },
  );
  return row?.id ?? undefined;
}

/** Gives the file an id where it has none; inside of a transaction. */
export async function giveId(sql: Writer, { table, made }: Identity): Promise<string> {
  const there = await readId(sql, table);
  if (there !== undefined) return there;
  const id = randomBytes(16).toString('hex');
  made(id);
  await sql.run(`INSERT OR REPLACE INTO ${table} (name, value) VALUES ($name, $id)`, { name: NAME, id });
  return id;
}
