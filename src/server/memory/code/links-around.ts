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
/** Those of files that are not there any more, and those that are called like a symbol, wherever they were made. */
export const UNSEEN = `SELECT t.id FROM json_each($missing) AS asked CROSS JOIN mem_links AS t ON t.file_path = asked.value
  UNION SELECT t.id FROM json_each($names) AS asked CROSS JOIN mem_links AS t ON t.name = asked.value`;

/**
 * The links that were made in a file, those whose symbol is known to have come there, and those that accept a text that
 * stands there. Where the code graph has not seen the file as it is, also those that may have come there since.
 * @param here the symbols of the file as it is
 */
export async function linksAround(memory: Memory, path: string, here: readonly CodeSymbol[]): Promise<LinksAround> {
  const { code } = memory;
  const came = (await code.cameTo?.([path])) ?? [];
  const parameters = {
    path,
    came: JSON.stringify(came.map(({ was }) => [was.file_path, was.code_type, was.name, was.hash])),
    hashes: JSON.stringify([...new Set(here.map(({ hash }) => hash))]),
  };
  if (here.length === 0 || (await code.isSeen?.(path)) !== false) return { links: KNOWN, parameters };
  return { links: `${KNOWN} UNION ${UNSEEN}`, parameters: { ...parameters, ...(await whatIsUnseen(memory, here)) } };
}

/** What `UNSEEN` takes, for files that the code graph has not seen with these symbols. */
export async function whatIsUnseen(
  memory: Memory,
  here: readonly CodeSymbol[],
  missing?: readonly string[],
): Promise<Readonly<Record<'missing' | 'names', string>>> {
  return {
    missing: JSON.stringify(missing ?? (await missingFiles(memory))),
    names: JSON.stringify(await namesLike(memory, new Set(here.map(({ name }) => name)))),
  };
}

/** The names of links that end as one of these does: what stood in a class may stand in another one now. */
export async function namesLike({ sql }: Memory, names: ReadonlySet<string>): Promise<string[]> {
  const called = new Set([...names].map(lastOf));
  const linked = await sql.all<{ name: string }>('SELECT DISTINCT name FROM mem_links');
  return linked.map(({ name }) => name).filter((name) => called.has(lastOf(name)));
}

/** The files of links that are not there any more. */
export async function missingFiles({ code, sql }: Memory): Promise<string[]> {
  const missing: string[] = [];
  for (const { file_path } of await sql.all<{ file_path: string }>('SELECT DISTINCT file_path FROM mem_links')) {
    if ((await code.modifiedAt(file_path)) === undefined) missing.push(file_path);
  }
  return missing;
}

function lastOf(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf('.') + 1);
}
