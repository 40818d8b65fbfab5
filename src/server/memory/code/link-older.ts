/** Links older memories to code that is new. */
import { isKeyOf } from '../entity-keys';
import type { Memory, WritableMemory } from '../memory';
import { listNamespaces, namespaceNumber } from '../namespaces';
import { STRUCTURAL_KINDS_SQL } from '../node-kinds';
import { foldName } from '../text/analyze';
import { linkTouches, type MatchedNames, matchNames, type NamedEntities, type SymbolAtCommit } from './touches';

/** Memories are linked in portions of this many, so that no list grows with the store. */
const PORTION = 2_000;
/** Beyond this many a walk over all memories is quicker than looking them up by name. */
export const MOST_NAMES = 20_000;

/**
 * Matches the names of memories that were stored before their code was known, in all namespaces, by the entities that
 * they are about. Reads working files, so before the transaction that links them.
 * @param brought names and paths that are new in the code; without them, all memories are looked at
 */
export async function matchOlderMemories(memory: Memory, brought?: ReadonlySet<string>): Promise<MatchedNames> {
  const matched = new Map<string, readonly SymbolAtCommit[]>();
  if (brought?.size === 0) return matched;
  const asked = new Set<string>();
  for await (const nodes of olderMemories(memory, brought && [...brought].flatMap(spellings))) {
    const names = new Set(nodes.flatMap((node) => node.names).filter((name) => !asked.has(name)));
    for (const name of names) asked.add(name);
    for (const [name, symbols] of await matchNames(memory, [...names])) matched.set(name, symbols);
  }
  return matched;
}

/**
 * Links them. A name that has led a memory to code already leads it nowhere else: what is called so later is another
 * thing.
 * @param matched what `matchOlderMemories` found
 * @returns how many links are new
 */
export async function linkOlderMemories(memory: WritableMemory, matched: MatchedNames): Promise<number> {
  const names = [...matched].flatMap(([name, symbols]) => (symbols.length > 0 ? [name] : []));
  if (names.length === 0) return 0;
  let linked = 0;
  for await (const nodes of olderMemories(memory, names.length > MOST_NAMES ? undefined : names)) {
    linked += await linkTouches(memory, nodes, matched);
  }
  return linked;
}

/** @param names that memories are looked up by; all memories without them */
async function* olderMemories(
  memory: Memory,
  names: readonly string[] | undefined,
): AsyncGenerator<readonly NamedEntities[]> {
  const folded = names && JSON.stringify([...new Set(names.map(foldName))]);
  for (const name of await listNamespaces(memory.sql)) {
    const ns = await namespaceNumber(memory.sql, name);
    for (let after = 0; ; ) {
      const rows = await portion(memory, ns, after, folded);
      yield rows.map(({ seq, names: json, places }) => {
        const known = JSON.parse(places) as Place[];
        const own = (JSON.parse(json) as (string | null)[]).filter((one) => one !== null);
        return { seq, names: own.filter((one) => !known.some((place) => isMeant(place, one))) };
      });
      if (rows.length < PORTION) break;
      after = rows.at(-1)?.seq ?? after;
    }
  }
}

interface Row {
  readonly seq: number;
  /** JSON array; a memory that is about nothing has one null. */
  readonly names: string;
  /** JSON array of the places that it was linked to. */
  readonly places: string;
}

type Place = readonly [path: string, name: string];

/** Row numbers over 2^31 are bound as reals; with two lower bounds SQLite might start at the wrong one. */
const OPEN = `n.seq > max(CAST($after AS INTEGER), $ns << 32) AND n.seq < ($ns + 1) << 32
  AND n.tombstoned = 0 AND n.valid_until IS NULL AND n.kind NOT IN (${STRUCTURAL_KINDS_SQL})`;
const PLACES = '(SELECT json_group_array(json_array(file_path, name)) FROM mem_links WHERE node = n.seq) AS places';

function portion(memory: Memory, ns: number, after: number, folded: string | undefined): Promise<Row[]> {
  if (folded === undefined) {
    return memory.sql.all<Row>(
      `SELECT n.seq, json_group_array(coalesce(m.alias, e.content)) AS names, ${PLACES}
       FROM (SELECT n.seq FROM mem_nodes AS n WHERE ${OPEN} ORDER BY n.seq LIMIT $portion) AS n
       LEFT JOIN mem_edges AS about ON about.type = 'ABOUT' AND about.src = n.seq
       LEFT JOIN mem_nodes AS e ON e.seq = about.dst
       LEFT JOIN mem_entity_names AS m ON m.entity = e.seq
       GROUP BY n.seq ORDER BY n.seq`,
      { ns, after, portion: PORTION },
    );
  }
  return memory.sql.all<Row>(
    `SELECT n.seq, json_group_array(coalesce(m.alias, e.content)) AS names, ${PLACES}
     FROM json_each($folded) AS asked
     CROSS JOIN mem_entity_names AS m ON m.ns = $ns AND ${isKeyOf('m.folded', 'asked.value')}
     CROSS JOIN mem_nodes AS e ON e.seq = m.entity
     CROSS JOIN mem_edges AS about ON about.type = 'ABOUT' AND about.dst = e.seq
     CROSS JOIN mem_nodes AS n ON n.seq = about.src
     WHERE ${OPEN}
     GROUP BY n.seq ORDER BY n.seq LIMIT $portion`,
    { ns, after, portion: PORTION, folded },
  );
}

/** How people write the name of a symbol, or a path. */
function spellings(name: string): string[] {
  const plain = name.includes('/') ? [name, `./${name}`] : [name, name.replaceAll('.', '::')];
  return plain.flatMap((one) => [one, `${one}()`]);
}

/** Whether a name, as people write it, is that of this place. */
export function isMeant([path, symbol]: Place, name: string): boolean {
  const written = name.trim().replaceAll('\\', '/').replace(/^\.\//, '').replace(/\(\)$/, '');
  if (written === path) return true;
  const hash = written.indexOf('#');
  if (hash > 0 && written.slice(0, hash) !== path) return false;
  const own = written.slice(hash + 1).replaceAll('::', '.');
  return symbol === own || symbol.endsWith(`.${own}`);
}
