/** Names of namespaces, and the row numbers that they own. */
import { invalidInput } from '../base/errors';
import { type Name, parameter, phrase } from '../base/phrase';
import { oneLine, quoted } from '../base/text';
import type { Reader, Statement, Writer } from '../db/sql';
import { DEFAULT_NAMESPACE, MAX_NAME_LENGTH } from './limits';

/**
 * A namespace owns the row numbers [ns << 32, (ns + 1) << 32), so the isolation is a range of the primary key and of
 * the full-text index alike. Statements on memory rows bind `$ns` and compare it with `seq >> 32`, which is indexed
 * together with the kind and with `valid_from`; where rows are found by something else, `+(seq >> 32)` keeps SQLite
 * from walking that index instead. The shift is SQLite's: bound JavaScript numbers over 2^31 arrive as reals, which
 * the full-text index would ignore as bounds.
 */
/** For reading: a namespace nobody has written to owns no rows. 0 is never given out. */
export const NO_NAMESPACE = 0;

export function checkNamespace(name: string, label: string | Name = parameter('namespace')): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed !== oneLine(trimmed) || trimmed.length > MAX_NAME_LENGTH) {
    throw invalidInput(
      phrase`${label} is ${quoted(name)}, which is not a valid name`,
      `Give one line of 1 to ${MAX_NAME_LENGTH} characters; "${DEFAULT_NAMESPACE}" is the initial one`,
    );
  }
  return trimmed;
}

export async function namespaceNumber(sql: Reader, name: string): Promise<number> {
  const row = await sql.get<{ ns: number }>('SELECT ns FROM mem_namespaces WHERE name = $name', { name });
  return row?.ns ?? NO_NAMESPACE;
}

/** The namespace's number, given out when it is new. */
export async function claimNamespace(sql: Writer, name: string): Promise<number> {
  const known = await namespaceNumber(sql, name);
  if (known !== NO_NAMESPACE) return known;
  const row = await sql.get<{ ns: number }>(
    'INSERT INTO mem_namespaces (ns, name) SELECT max(ns) + 1, $name FROM mem_namespaces RETURNING ns',
    { name },
  );
  return row?.ns ?? NO_NAMESPACE;
}

/** Gives a namespace that is new its number. */
export function nameNamespace(ns: number, name: string): Statement {
  return { sql: 'INSERT INTO mem_namespaces (ns, name) VALUES ($ns, $name)', parameters: { ns, name } };
}

/** Whether everything in a namespace waits for a person, so that nobody else has written its name; for a row of `mem_namespaces`. */
export const proposedNamespace = (row: string): string => `${row}.name <> '${DEFAULT_NAMESPACE}'
  AND EXISTS (SELECT 1 FROM mem_nodes WHERE seq >= ${row}.ns << 32 AND seq < (${row}.ns + 1) << 32)
  AND NOT EXISTS (SELECT 1 FROM mem_nodes WHERE seq >= ${row}.ns << 32 AND seq < (${row}.ns + 1) << 32 AND standing <> 'proposed')`;

/** Names that only proposals brought, sorted. */
export async function listProposedNamespaces(sql: Reader): Promise<string[]> {
  const rows = await sql.all<{ name: string }>(
    `SELECT name FROM mem_namespaces AS n WHERE ${proposedNamespace('n')} ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/** All namespaces that hold anything, and `default`, sorted. */
export async function listNamespaces(sql: Reader): Promise<string[]> {
  const rows = await sql.all<{ name: string }>(
    `SELECT name FROM mem_namespaces AS n
     WHERE name = $default
        OR EXISTS (SELECT 1 FROM mem_nodes WHERE seq >= n.ns << 32 AND seq < (n.ns + 1) << 32)
     ORDER BY name`,
    { default: DEFAULT_NAMESPACE },
  );
  return rows.map((row) => row.name);
}
