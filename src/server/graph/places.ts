/** Keeps where symbols are that are not where memories were linked to them. */
import type { Database, Reader } from '../db/sql';

/** A symbol where it was linked, and where it was found last, also if it is gone by now; the types are those of the code graph. */
export interface KeptPlace {
  readonly was: Readonly<Record<'file_path' | 'code_type' | 'name' | 'hash', string>>;
  readonly now: Readonly<Record<'file_path' | 'code_type' | 'name', string>>;
}

type PlaceRow = KeptPlace['was'] & Readonly<Record<'now_path' | 'now_type' | 'now_name', string>>;

/** Those that came to one of these files. */
export async function placesAt(sql: Reader, paths: readonly string[]): Promise<KeptPlace[]> {
  const rows = await sql.all<PlaceRow>(
    `SELECT p.* FROM json_each($paths) AS asked CROSS JOIN graph_places AS p ON p.now_path = asked.value`,
    { paths: JSON.stringify(paths) },
  );
  return rows.map(keptPlace);
}

/** All of them, each with whether the graph has seen the file that it was in. */
export async function allPlaces(sql: Reader): Promise<(KeptPlace & { readonly seen: boolean })[]> {
  const rows = await sql.all<PlaceRow & { readonly seen: 0 | 1 }>(
    `SELECT p.*, EXISTS (SELECT 1 FROM graph_files AS f WHERE f.path = p.file_path) AS seen FROM graph_places AS p`,
  );
  return rows.map(({ seen, ...row }) => ({ ...keptPlace(row), seen: seen === 1 }));
}

function keptPlace({ now_path, now_type, now_name, ...was }: PlaceRow): KeptPlace {
  return { was, now: { file_path: now_path, code_type: now_type, name: now_name } };
}

/**
 * Notes where symbols are.
 * @param back those that are where they were linked, or were there last
 * @returns how many are in another place than was known
 */
export function keepPlaces(
  graph: Database,
  places: readonly KeptPlace[],
  back: readonly KeptPlace['was'][],
): Promise<number> {
  const key = (one: KeptPlace['was']): string[] => [one.file_path, one.code_type, one.name, one.hash];
  return graph.transact(async (sql) => {
    await sql.run(
      `DELETE FROM graph_places WHERE (file_path, code_type, name, hash) IN (
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each($back))`,
      { back: JSON.stringify(back.map(key)) },
    );
    return sql.run(
      `INSERT INTO graph_places (file_path, code_type, name, hash, now_path, now_type, now_name)
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
       FROM json_each($places) WHERE true
       ON CONFLICT DO UPDATE SET now_path = excluded.now_path, now_type = excluded.now_type, now_name = excluded.now_name
       WHERE (now_path, now_type, now_name) IS NOT (excluded.now_path, excluded.now_type, excluded.now_name)`,
      {
        places: JSON.stringify(places.map(({ was, now }) => [...key(was), now.file_path, now.code_type, now.name])),
      },
    );
  });
}
