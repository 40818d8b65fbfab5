/** Puts other hashes of the same texts into links. */
import type { WritableMemory } from '../memory';
import type { SymbolKey } from './touches';

/** A text that a link accepts, by its hash, and the hash that it has from now on. */
export interface AcceptedText {
  readonly link: SymbolKey;
  readonly from: string;
  readonly to: string;
}

/** In the links of all namespaces that were made on the same. */
export async function replaceTexts({ sql }: WritableMemory, texts: readonly AcceptedText[]): Promise<void> {
  const each = texts.map(({ link, from, to }) => [
    ...[link.file_path, link.code_type, link.name, link.hash],
    ...[from, to],
  ]);
  const parameters = { texts: JSON.stringify(each) };
  const links = `json_each($texts) AS one CROSS JOIN mem_links AS t
    ON t.file_path = one.value ->> 0 AND t.code_type = one.value ->> 1 AND t.name = one.value ->> 2
      AND t.hash = one.value ->> 3`;
  await sql.batch([
    {
      sql: `UPDATE OR IGNORE mem_link_texts SET hash = now.hash
            FROM (SELECT t.id, one.value ->> 4 AS old, one.value ->> 5 AS hash FROM ${links}) AS now
            WHERE mem_link_texts.link = now.id AND mem_link_texts.hash = now.old`,
      parameters,
    },
    {
      sql: `UPDATE OR IGNORE mem_links SET hash = now.hash
            FROM (SELECT t.id, one.value ->> 5 AS hash FROM ${links}
                  WHERE one.value ->> 3 = one.value ->> 4) AS now
            WHERE mem_links.id = now.id`,
      parameters,
    },
  ]);
}
