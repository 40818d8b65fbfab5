/**
 * Links of everyday words to code (docs/behaviour.md, "Weak links"). They are found when they are read and written nowhere:
 * `router` may be the function, or what any text calls a router.
 */
import { isEverydayWord } from '../../base/everyday-word';
import type { Memory } from '../memory';
import { foldName } from '../text/analyze';
import { type CodeSymbol, matchNames } from './touches';

/** An open memory and a symbol whose name is one of its entities' names, and an everyday word. */
export interface WeakLink<Node> {
  readonly node: Node;
  readonly symbol: CodeSymbol;
}

/**
 * The weak links to symbols of a file, the newest memory first.
 * @param columns what is wanted of `mem_nodes AS n`
 * @param here symbols of the file as it is
 */
export function weakLinksToFile<Node>(
  memory: Memory,
  ns: number,
  columns: string,
  path: string,
  here: readonly CodeSymbol[],
): Promise<WeakLink<Node>[]> {
  const words = here.map(({ name }) => name.slice(name.lastIndexOf('.') + 1));
  return weakLinks(memory, ns, columns, words, new Set(here.map(({ start_line }) => `${path}:${start_line}`)));
}

/** The weak links of all open memories of a namespace, the newest first. @param columns as above */
export async function weakLinksOf<Node>(memory: Memory, ns: number, columns: string): Promise<WeakLink<Node>[]> {
  const rows = await memory.sql.all<{ name: string }>(
    `SELECT ${NAME} AS name FROM mem_entity_names AS m CROSS JOIN mem_nodes AS e ON e.seq = m.entity WHERE m.ns = $ns`,
    { ns },
  );
  return weakLinks(
    memory,
    ns,
    columns,
    rows.map(({ name }) => name),
  );
}

/** The symbols that a memory is linked to weakly. @param seq its row number */
export async function weakSymbolsOf(memory: Memory, seq: number): Promise<CodeSymbol[]> {
  const rows = await memory.sql.all<{ name: string }>(
    `SELECT ${NAME} AS name FROM mem_edges AS about CROSS JOIN mem_nodes AS e ON e.seq = about.dst
     CROSS JOIN mem_entity_names AS m ON m.entity = e.seq WHERE about.type = 'ABOUT' AND about.src = $seq AND ${NOT_LINKED('about.src')}`,
    { seq },
  );
  const matched = await matchNames(memory, rows.map(({ name }) => name).filter(isEverydayWord));
  return [...matched.values()].flat();
}

const NAME = 'coalesce(m.alias, e.content)';
/** A word that has a link, in a file that the memory names or of an older program, means that code alone. */
const NOT_LINKED = (node: string): string => `NOT EXISTS (SELECT 1 FROM mem_links AS t
  WHERE t.node = ${node} AND (t.name = ${NAME} OR t.name GLOB '*.' || ${NAME}))`;

async function weakLinks<Node>(
  memory: Memory,
  ns: number,
  columns: string,
  names: readonly string[],
  asked?: ReadonlySet<string>,
): Promise<WeakLink<Node>[]> {
  const words = [...new Set(names.filter(isEverydayWord))];
  if (words.length === 0) return [];
  const rows = await memory.sql.all<Node & { name: string }>(
    `SELECT ${columns}, ${NAME} AS name FROM json_each($words) AS asked
     CROSS JOIN mem_entity_names AS m ON m.ns = $ns AND m.folded = asked.value
     CROSS JOIN mem_nodes AS e ON e.seq = m.entity
     CROSS JOIN mem_edges AS about ON about.type = 'ABOUT' AND about.dst = e.seq
     CROSS JOIN mem_nodes AS n ON n.seq = about.src
     WHERE n.tombstoned = 0 AND n.valid_until IS NULL AND ${NOT_LINKED('n.seq')} ORDER BY n.valid_from DESC, n.seq DESC`,
    { ns, words: JSON.stringify(words.map(foldName)) },
  );
  // Names are folded there: of `Send` and `send` only one is meant.
  const matched = await matchNames(
    memory,
    words.filter((word) => rows.some(({ name }) => name === word)),
  );
  return rows.flatMap(({ name, ...node }) =>
    (matched.get(name) ?? [])
      .filter(({ file_path, start_line }) => asked?.has(`${file_path}:${start_line}`) ?? true)
      .map((symbol) => ({ node: node as Node, symbol })),
  );
}
