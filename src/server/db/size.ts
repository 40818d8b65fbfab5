/** Tells how large a database is. */
import type { Reader } from './sql';

/** The pages of the database, free ones included, in bytes. */
export async function sizeInBytes(sql: Reader): Promise<number> {
  const row = await sql.get<{ bytes: number }>(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  return row?.bytes ?? 0;
}
