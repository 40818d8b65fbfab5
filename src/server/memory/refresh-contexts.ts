/** Brings search terms up to date after names have changed. */
import { IMPORT_BATCH } from './limits';
import type { WritableMemory } from './memory';
import { contextTerms, surroundings } from './text/search-terms';

interface ContextRow {
  readonly seq: number;
  readonly rationale: string | null;
  /** JSON arrays. */
  readonly alternatives: string | null;
  readonly names: string;
}

/** Rewrites what search finds memories by besides their content, after names of these entities have changed. */
export async function refreshContexts(memory: WritableMemory, ns: number, entities: readonly number[]): Promise<void> {
  if (entities.length === 0) return;
  const list = JSON.stringify(entities);
  // The plus keeps SQLite from walking an index of the whole namespace instead of the list.
  for (let after = 0; ; ) {
    const rows = await memory.sql.all<ContextRow>(
      `SELECT n.seq, n.rationale, n.alternatives_rejected AS alternatives,
              (SELECT json_group_array(name) FROM (
                 SELECT e.content AS name FROM mem_nodes AS e WHERE e.seq IN (SELECT dst FROM mem_edges WHERE type = 'ABOUT' AND src = n.seq)
                 UNION ALL
                 SELECT a.alias FROM mem_entity_names AS a
                 WHERE a.alias IS NOT NULL
                   AND (a.entity = n.seq OR a.entity IN (SELECT dst FROM mem_edges WHERE type = 'ABOUT' AND src = n.seq))
               )) AS names
       FROM mem_nodes AS n
       WHERE +(n.seq >> 32) = $ns AND n.seq > CAST($after AS INTEGER)
         AND n.seq IN (SELECT src FROM mem_edges WHERE type = 'ABOUT' AND dst IN (SELECT value FROM json_each($entities))
                       UNION SELECT value FROM json_each($entities))
       ORDER BY n.seq LIMIT $limit`,
      { ns, after, entities: list, limit: IMPORT_BATCH },
    );
    if (rows.length === 0) return;
    await memory.sql.run(
      `INSERT OR REPLACE INTO mem_fts (rowid, words, stems, context)
       SELECT f.rowid, f.words, f.stems, row.value ->> 1
       FROM json_each($rows) AS row JOIN mem_fts AS f ON f.rowid = row.value ->> 0`,
      { rows: JSON.stringify(rows.map((row) => [row.seq, contextTerms(textsOf(row))])) },
    );
    after = rows.at(-1)?.seq ?? after;
  }
}

function textsOf({ names, rationale, alternatives }: ContextRow): string[] {
  return surroundings(parseList(names), rationale, parseList(alternatives ?? '[]'));
}

/** A JSON array that SQLite or we have written. */
function parseList(json: string): string[] {
  return JSON.parse(json) as string[];
}
