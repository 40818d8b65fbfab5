/** Links older memories to code that is new. */
import { keysOf } from '../entity-keys';
import type { Memory, WritableMemory } from '../memory';
import { listNamespaces, namespaceNumber } from '../namespaces';
import { STRUCTURAL_KINDS_SQL } from '../node-kinds';
import { foldName } from '../text/analyze';
import {
  linkTouches,
  type MatchedNames,
  matchNames,
  type NamedEntities,
  type SymbolAtCommit,
  type Touch,
} from './touches';
import { readValueName, valuesNamed } from './values-named';

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
  for await (const nodes of olderMemories(memory, brought && keysFor(brought))) {
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
  const keys = names.length > MOST_NAMES ? undefined : names.flatMap(keysOfMatched);
  for await (const nodes of olderMemories(memory, keys)) {
    linked += await linkTouches(memory, nodes, matched);
  }
  return linked;
}

/** @param keys of the names that memories are looked up by; all memories without them */
async function* olderMemories(
  memory: Memory,
  keys: readonly Keys[] | undefined,
): AsyncGenerator<readonly NamedEntities[]> {
  const ranges = keys && JSON.stringify([...new Map(keys.map((range) => [range[0], range])).values()]);
  for (const name of await listNamespaces(memory.sql)) {
    const ns = await namespaceNumber(memory.sql, name);
    for (let after = 0; ; ) {
      const rows = await portion(memory, ns, after, ranges);
      yield rows.map((row) => {
        const known = JSON.parse(row.places) as Place[];
        const own = listOf(row.all);
        const values = valuesNamed(row.content, own);
        const all = [...own, ...values];
        return { seq: row.seq, names: namesWithoutLink([...listOf(row.names), ...values], known, all), all };
      });
      if (rows.length < PORTION) break;
      after = rows.at(-1)?.seq ?? after;
    }
  }
}

interface Row {
  readonly seq: number;
  readonly content: string;
  /** JSON array; a memory that is about nothing has one null. */
  readonly names: string;
  /** JSON array: those that were not asked for, too. */
  readonly all: string;
  /** JSON array of the places that it was linked to. */
  readonly places: string;
}

/** What a link was made on. */
export type Place = readonly [path: string, name: string];

/** Row numbers over 2^31 are bound as reals; with two lower bounds SQLite might start at the wrong one. */
const OPEN = `n.seq > max(CAST($after AS INTEGER), $ns << 32) AND n.seq < ($ns + 1) << 32
  AND n.tombstoned = 0 AND n.valid_until IS NULL AND n.kind NOT IN (${STRUCTURAL_KINDS_SQL})`;
const PLACES = '(SELECT json_group_array(json_array(file_path, name)) FROM mem_links WHERE node = n.seq) AS places';

/** The names that a memory `n` is about, aliases included, as a JSON list. */
export const ALL_NAMES = `(SELECT json_group_array(coalesce(m.alias, e.content))
  FROM mem_edges AS own CROSS JOIN mem_nodes AS e ON e.seq = own.dst CROSS JOIN mem_entity_names AS m ON m.entity = e.seq
  WHERE own.type = 'ABOUT' AND own.src = n.seq)`;

/** The names of a list that a query has made. */
export function listOf(json: string): string[] {
  return (JSON.parse(json) as (string | null)[]).filter((one) => one !== null);
}

function portion(memory: Memory, ns: number, after: number, ranges: string | undefined): Promise<Row[]> {
  if (ranges === undefined) {
    return memory.sql.all<Row>(
      `SELECT n.seq, n.content, json_group_array(coalesce(m.alias, e.content)) AS names,
         json_group_array(coalesce(m.alias, e.content)) AS "all", ${PLACES}
       FROM (SELECT n.seq, n.content FROM mem_nodes AS n WHERE ${OPEN} ORDER BY n.seq LIMIT $portion) AS n
       LEFT JOIN mem_edges AS about ON about.type = 'ABOUT' AND about.src = n.seq
       LEFT JOIN mem_nodes AS e ON e.seq = about.dst
       LEFT JOIN mem_entity_names AS m ON m.entity = e.seq
       GROUP BY n.seq ORDER BY n.seq`,
      { ns, after, portion: PORTION },
    );
  }
  return memory.sql.all<Row>(
    `SELECT n.seq, n.content, json_group_array(coalesce(m.alias, e.content)) AS names, ${ALL_NAMES} AS "all", ${PLACES}
     FROM json_each($ranges) AS asked
     CROSS JOIN mem_entity_names AS m
       ON m.ns = $ns AND m.folded >= asked.value ->> 0 AND m.folded < asked.value ->> 1
     CROSS JOIN mem_nodes AS e ON e.seq = m.entity
     CROSS JOIN mem_edges AS about ON about.type = 'ABOUT' AND about.dst = e.seq
     CROSS JOIN mem_nodes AS n ON n.seq = about.src
     WHERE ${OPEN}
     GROUP BY n.seq ORDER BY n.seq LIMIT $portion`,
    { ns, after, portion: PORTION, ranges },
  );
}

/**
 * The names of a memory that have not led it to code. A link that no name means any more may be that of a memory whose place
 * this one took: its file is called otherwise since.
 * @param places what its links were made on
 * @param all its names, where these are not all
 */
export function namesWithoutLink(names: readonly string[], places: readonly Place[], all = names): string[] {
  const unexplained = places.filter((place) => !all.some((name) => isMeant(place, name)));
  return names.filter(
    (name) =>
      !places.some((place) => isMeant(place, name)) && !unexplained.some((place) => mayHaveBeenMeant(place, name)),
  );
}

/** A stretch of keys of entities' names: from the first one on, up to the other one, which is none of them. */
type Keys = readonly [from: string, to: string];

/** Of what a memory's text names in a file, those of the file and of all that is named in it. */
function keysOfMatched(name: string): Keys[] {
  const { isValue, name: written } = readValueName(name);
  return isValue ? keysOfFile(written.slice(0, written.indexOf('#'))) : [keysOf(foldName(name))];
}

/** Of a file and of all that is named in it. */
function keysOfFile(file: string): Keys[] {
  return [file, `./${file}`].flatMap((one) => [
    keysOf(foldName(one)),
    [foldName(`${one}#`), foldName(`${one}$`)] as const,
  ]);
}

/** How the names are written; and of each file all that is named in it, because `path#x.y` may mean its only `y`. */
function keysFor(brought: ReadonlySet<string>): Keys[] {
  const files = new Set<string>();
  for (const name of brought) {
    const hash = name.indexOf('#');
    if (hash > 0) files.add(name.slice(0, hash));
  }
  return [...[...brought].flatMap(spellings).map((name) => keysOf(foldName(name))), ...[...files].flatMap(keysOfFile)];
}

/** How people write the name of a symbol, or a path. */
function spellings(name: string): string[] {
  const plain = name.includes('/') ? [name, `./${name}`] : [name, name.replaceAll('.', '::')];
  return plain.flatMap((one) => [one, `${one}()`]);
}

/** Whether a name, as people write it, leads to what a link was made on. */
export function explains(name: string, { file_path, name: symbol }: Pick<Touch, 'file_path' | 'name'>): boolean {
  return isMeant([file_path, symbol], name);
}

/** The same, where it does not mean the whole file. */
export function namesSymbol(name: string, place: Pick<Touch, 'file_path' | 'name'>): boolean {
  return explains(name, place) && spelled(name) !== place.file_path;
}

function spelled(name: string): string {
  return readValueName(name).name.trim().replaceAll('\\', '/').replace(/^\.\//, '').replace(/\(\)$/, '');
}

/** Whether a name, as people write it, is that of this place. */
function isMeant([path, symbol]: Place, name: string): boolean {
  const written = spelled(name);
  if (written === path) return true;
  const hash = written.indexOf('#');
  if (hash > 0 && written.slice(0, hash) !== path) return false;
  const own = written.slice(hash + 1).replaceAll('::', '.');
  return symbol === own || symbol.endsWith(`.${own}`);
}

/**
 * Whether a name has led to this place, which it does not mean: `path#x.y` to the only `y` of its file, which may be called
 * otherwise since; a path to a file that is.
 */
function mayHaveBeenMeant([path, symbol]: Place, name: string): boolean {
  const [file = '', named] = name.split('#', 2);
  if (named === undefined) return file.includes('/') && `/${path}`.endsWith(`/${symbol}`);
  return lastOf(symbol) === lastOf(named.replace(/\(\)$/, '').replaceAll('::', '.'));
}

export function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
