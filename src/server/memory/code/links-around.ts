/** Finds the links whose symbols may stand in a file. */
import type { Memory } from '../memory';
import type { CodeSymbol } from './touches';

/** A statement that gives the ids of links, and what it takes. */
export interface LinksAround {
  readonly links: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const KNOWN = `SELECT id FROM mem_links WHERE file_path = $path
  UNION SELECT t.id FROM json_each($came) AS came CROSS JOIN mem_links AS t ON t.file_path = came.value ->> 0
    AND t.code_type = came.value ->> 1 AND t.name = came.value ->> 2 AND t.hash = came.value ->> 3
  UNION SELECT t.id FROM json_each($hashes) AS asked CROSS JOIN mem_links AS t ON t.hash = asked.value
  UNION SELECT x.link FROM json_each($hashes) AS asked CROSS JOIN mem_link_texts AS x ON x.hash = asked.value`;
const UNSEEN = `UNION SELECT t.id FROM json_each($missing) AS asked CROSS JOIN mem_links AS t ON t.file_path = asked.value
  UNION SELECT id FROM mem_links WHERE name IN (SELECT value FROM json_each($names))`;

/**
 * The links that were made in a file, those whose symbol is known to have come there, and those that accept a text that
 * stands there. Where the code graph has not seen the file as it is, also those of its names, and those of files that are
 * not there any more: one of them may be called so now.
 * @param here the symbols of the file as it is
 */
export async function linksAround(
  { code, sql }: Memory,
  path: string,
  here: readonly CodeSymbol[],
): Promise<LinksAround> {
  const came = (await code.cameTo?.([path])) ?? [];
  const parameters = {
    path,
    came: JSON.stringify(came.map(({ was }) => [was.file_path, was.code_type, was.name, was.hash])),
    hashes: JSON.stringify([...new Set(here.map(({ hash }) => hash))]),
  };
  if (here.length === 0 || (await code.isSeen?.(path)) !== false) return { links: KNOWN, parameters };
  const missing: string[] = [];
  for (const { file_path } of await sql.all<{ file_path: string }>('SELECT DISTINCT file_path FROM mem_links')) {
    if ((await code.modifiedAt(file_path)) === undefined) missing.push(file_path);
  }
  return {
    links: `${KNOWN} ${UNSEEN}`,
    parameters: {
      ...parameters,
      missing: JSON.stringify(missing),
      names: JSON.stringify([...new Set(here.map(({ name }) => name))]),
    },
  };
}
