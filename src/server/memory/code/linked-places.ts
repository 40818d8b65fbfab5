/** What memories of any namespace are linked to. */
import type { Memory } from '../memory';
import { namesLike } from './links-around';
import { TOUCH_COLUMNS, type Touch } from './touches';

/** How the hashes of older programs do not begin, and what sorts behind it: their links wait for the hash of today. */
const TODAY = ['+', ','];

/** Of files, of texts, and of what is called so, also in another class. */
export type Among = Readonly<Record<'paths' | 'hashes' | 'names', ReadonlySet<string>>>;

/**
 * What links of any namespace were made on: in these files, with one of these texts or names, and with hashes of older
 * programs; all without.
 */
export async function linkedPlaces(memory: Memory, among?: Among): Promise<Touch[]> {
  if (!among) return memory.sql.all<Touch>(`SELECT DISTINCT ${TOUCH_COLUMNS} FROM mem_links AS t`);
  return memory.sql.all<Touch>(
    `SELECT DISTINCT ${TOUCH_COLUMNS} FROM (
       SELECT t.id FROM json_each($paths) AS a CROSS JOIN mem_links AS t ON t.file_path = a.value
       UNION SELECT t.id FROM json_each($hashes) AS a CROSS JOIN mem_links AS t ON t.hash = a.value
       UNION SELECT x.link FROM json_each($hashes) AS a CROSS JOIN mem_link_texts AS x ON x.hash = a.value
       UNION SELECT t.id FROM json_each($names) AS a CROSS JOIN mem_links AS t ON t.name = a.value
       UNION SELECT id FROM mem_links WHERE hash < '${TODAY[0]}'
       UNION SELECT id FROM mem_links WHERE hash >= '${TODAY[1]}'
     ) AS among CROSS JOIN mem_links AS t ON t.id = among.id`,
    {
      paths: JSON.stringify([...among.paths]),
      hashes: JSON.stringify([...among.hashes]),
      names: JSON.stringify(await namesLike(memory, among.names)),
    },
  );
}
