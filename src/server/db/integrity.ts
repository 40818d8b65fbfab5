/** Checks a database for damage. */
import type { Reader } from './sql';

/** Checks every page and index. Returns the first problems found, none when the file is sound. */
export async function integrityProblems(sql: Reader): Promise<string[]> {
  const rows = await sql.all<{ integrity_check: string }>('PRAGMA integrity_check(20)');
  return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
}
