/** The file that holds the shared memories of a working tree as rows: derived from their files, and made again at any time. */
import { KINDS, type NodeKind } from '../../kinds/kinds';
import type { Reader, Writer } from '../db/sql';
import { deleteNodes } from '../memory/delete-nodes';
import { insertEdges } from '../memory/edges';
import { entityKey } from '../memory/entity-keys';
import { FIRST_SHARED_ROW, OWN_LAYER, SHARED_NAMESPACE } from '../memory/layers';
import { FULL_TEXT_BATCH, IMPORT_BATCH } from '../memory/limits';
import { type IndexEntry, insertRows, insertTerms, type NewNode, type NodeValues, prepareBatch } from '../memory/nodes';
import type { Standing } from '../memory/origins';
import type { FileProblem, SharedMemory } from './shared-memory';

const FIRST_ROW = SHARED_NAMESPACE * 2 ** 32 + FIRST_SHARED_ROW;

/** What is kept of a file, and of the memory in it. */
export interface KnownFile {
  readonly stamp: string;
  readonly hash: string;
  /** When it was first read. */
  readonly since?: string;
  readonly problem?: FileProblem;
  /** Another file has its id: once that changes, this one may be understood as it is. */
  readonly isSecond?: boolean;
  readonly memory?: KnownMemory;
}

export interface KnownMemory {
  readonly seq: number;
  readonly id: string;
  readonly names: readonly string[];
  readonly from: string;
  /** What the file itself says of it. */
  readonly until: string | null;
  readonly supersedes: readonly string[];
  readonly superseded_by: readonly string[];
  readonly beside: readonly string[];
  /** Its file has no links, and its names have led to no code yet. */
  readonly unlinked: boolean;
  /** Its file has no links: they follow from names, as the code stands when that is found out. */
  readonly by_name: boolean;
}

/** A memory that is to be written. */
export interface NewMemory {
  readonly path: string;
  readonly seq: number;
  readonly id: string;
  readonly valid_from: string;
  readonly memory: SharedMemory;
}

/** By path. */
export type KnownFiles = Map<string, KnownFile>;

const FILE = 'file:';

export async function readKnown(sql: Reader): Promise<KnownFiles> {
  const rows = await sql.all<{ name: string; value: string }>(
    `SELECT name, value FROM mem_flags WHERE name >= 'file:' AND name < 'file;'`,
  );
  return new Map(rows.map(({ name, value }) => [name.slice(FILE.length), JSON.parse(value) as KnownFile]));
}

export async function writeKnown(sql: Writer, files: readonly (readonly [string, KnownFile])[]): Promise<void> {
  await sql.run(
    `INSERT OR REPLACE INTO mem_flags (name, value) SELECT value ->> 0, value ->> 1 FROM json_each($files)`,
    { files: JSON.stringify(files.map(([path, known]) => [FILE + path, JSON.stringify(known)])) },
  );
}

export async function forgetKnown(sql: Writer, paths: readonly string[]): Promise<void> {
  await sql.run('DELETE FROM mem_flags WHERE name IN (SELECT value FROM json_each($names))', {
    names: JSON.stringify(paths.map((path) => FILE + path)),
  });
}

/** The next row number that nobody has had; row numbers are never given out twice while rows are there. */
export async function nextRow(sql: Reader): Promise<number> {
  const row = await sql.get<{ last: number | null }>('SELECT max(seq) AS last FROM mem_nodes');
  return (row?.last ?? FIRST_ROW) + 1;
}

export function removeRows(sql: Writer, seqs: readonly number[]): Promise<void> {
  return seqs.length === 0 ? Promise.resolve() : deleteNodes({ sql }, seqs);
}

/** Writes rows and search terms. @param proposed nobody has accepted the folder */
export async function writeRows(
  sql: Writer,
  memories: readonly NewMemory[],
  { now, proposed }: { readonly now: string; readonly proposed: boolean },
): Promise<void> {
  const origins = await claimOrigins(sql, memories);
  const nodes = memories.map(({ id, valid_from, memory }): NewNode => {
    const { kind, content, confidence, rationale, alternatives_rejected, about } = memory;
    return {
      ...{ id, kind, content, confidence, rationale, alternatives_rejected, valid_from },
      names: about,
      recorded_at: memory.recorded_at ?? valid_from,
      valid_until: memory.valid_until,
      standing: proposed ? 'proposed' : memory.standing,
      origin: origins.get(originKey(memory.origin)),
    };
  });
  await insertAll(
    sql,
    now,
    nodes,
    memories.map(({ seq }) => seq),
  );
}

/** Each with the row number of its place. */
async function insertAll(sql: Writer, now: string, nodes: readonly NewNode[], seqs: readonly number[]): Promise<void> {
  const numbering = { now, ids: nodes.map(({ id = '' }) => id), first: 0, episodes: new Map() };
  const numbered = <Values extends NodeValues | IndexEntry>([i, ...values]: Values): unknown[] => [
    seqs[Number(i)] ?? 0,
    ...values,
  ];
  const waiting: IndexEntry[] = [];
  for (let start = 0; start < nodes.length; start += IMPORT_BATCH) {
    const { rows, terms } = await prepareBatch(numbering, nodes, start);
    await insertRows(sql, 'mem_nodes', rows.map(numbered));
    waiting.push(...(terms.map(numbered) as unknown as IndexEntry[]));
    if (waiting.length >= FULL_TEXT_BATCH) await insertTerms(sql, waiting.splice(0));
  }
  if (waiting.length > 0) await insertTerms(sql, waiting);
}

const originKey = (origin: SharedMemory['origin']): string => `${origin?.kind ?? 'document'} ${origin?.name ?? ''}`;

/** Their numbers begin where those of a store never come to, as all others here. */
async function claimOrigins(sql: Writer, memories: readonly NewMemory[]): Promise<ReadonlyMap<string, number>> {
  const wanted = new Map(memories.map(({ memory: { origin } }) => [originKey(origin), origin]));
  const rows = await sql.all<{ id: number; kind: string; name: string }>('SELECT id, kind, name FROM mem_origins');
  const found = new Map(rows.map(({ id, kind, name }) => [`${kind} ${name}`, id]));
  let last = Math.max(FIRST_SHARED_ROW, ...found.values());
  for (const [key, origin] of wanted) {
    if (found.has(key)) continue;
    last += 1;
    found.set(key, last);
    await sql.run('INSERT INTO mem_origins (id, kind, name) VALUES ($id, $kind, $name)', {
      id: last,
      kind: origin?.kind ?? 'document',
      name: origin?.name ?? '',
    });
  }
  return found;
}

/** A link of a memory to code. */
export interface LayerLink {
  readonly node: number;
  readonly file_path: string;
  readonly code_type: string;
  readonly name: string;
  readonly hash: string;
  readonly linked_at: string;
  readonly commit: string | null;
  readonly confirmed: readonly string[];
}

export async function writeLinks(sql: Writer, links: readonly LayerLink[]): Promise<void> {
  if (links.length === 0) return;
  const row = await sql.get<{ last: number | null }>('SELECT max(id) AS last FROM mem_links');
  const first = (row?.last ?? FIRST_SHARED_ROW) + 1;
  await sql.run(
    `INSERT OR IGNORE INTO mem_links (id, node, file_path, code_type, name, hash, linked_at, "commit")
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7
     FROM json_each($rows)`,
    {
      rows: JSON.stringify(
        links.map(({ node, file_path, code_type, name, hash, linked_at, commit }, i) => [
          ...[first + i, node, file_path, code_type, name, hash, linked_at, commit],
        ]),
      ),
    },
  );
  const texts = links.flatMap(({ confirmed }, i) => confirmed.map((text) => [first + i, text]));
  await sql.run(
    `INSERT OR IGNORE INTO mem_link_texts (link, hash)
     SELECT t.id, value ->> 1 FROM json_each($texts) CROSS JOIN mem_links AS t ON t.id = value ->> 0`,
    { texts: JSON.stringify(texts) },
  );
}

/** By the key of a name: the entity of the store that has it. */
export type OwnEntities = ReadonlyMap<string, number>;

/** @param sql the store, which may be read together with this file */
export async function ownEntities(sql: Reader, names: readonly string[]): Promise<OwnEntities> {
  const rows = await sql.all<{ folded: string; entity: number }>(
    `SELECT e.folded, e.entity FROM json_each($keys) AS asked
     CROSS JOIN ${OWN_LAYER}.mem_entity_names AS e ON e.ns = ${SHARED_NAMESPACE} AND e.folded = asked.value
     CROSS JOIN ${OWN_LAYER}.mem_nodes AS n ON n.seq = e.entity AND n.tombstoned = 0`,
    { keys: JSON.stringify([...new Set(names.map(entityKey))]) },
  );
  return new Map(rows.map(({ folded, entity }) => [folded, entity]));
}

/**
 * Writes what memories are about: an entity of the store where that has the name, else one of this file. So a name is one
 * entity, whoever says something about it.
 */
export async function writeAbout(
  sql: Writer,
  memories: readonly { readonly seq: number; readonly names: readonly string[] }[],
  own: OwnEntities,
  {
    now,
    newId,
    standing,
  }: { readonly now: string; readonly newId: (key: string) => string; readonly standing: Standing },
): Promise<void> {
  const wanted = new Map(memories.flatMap(({ names }) => names.map((name) => [entityKey(name), name] as const)));
  const rows = await sql.all<{ folded: string; entity: number }>(
    `SELECT e.folded, e.entity FROM json_each($keys) AS asked
     CROSS JOIN mem_entity_names AS e ON e.ns = ${SHARED_NAMESPACE} AND e.folded = asked.value`,
    { keys: JSON.stringify([...wanted.keys()]) },
  );
  const here = new Map(rows.map(({ folded, entity }) => [folded, entity]));
  const missing = [...wanted].filter(([key]) => !own.has(key) && !here.has(key));
  const first = await nextRow(sql);
  for (const [i, [key]] of missing.entries()) here.set(key, first + i);
  await insertAll(
    sql,
    now,
    missing.map(([key, name]) => ({
      ...{ kind: 'entity' as NodeKind, content: name, confidence: 1, valid_from: now, id: newId(key), standing },
    })),
    missing.map((_, i) => first + i),
  );
  await sql.run(
    `INSERT OR REPLACE INTO mem_entity_names (ns, folded, entity)
     SELECT ${SHARED_NAMESPACE}, value ->> 0, value ->> 1 FROM json_each($names)`,
    { names: JSON.stringify(missing.map(([key], i) => [key, first + i])) },
  );
  await insertEdges(
    sql,
    memories.flatMap(({ seq, names }) =>
      names.flatMap((name) => {
        const dst = own.get(entityKey(name)) ?? here.get(entityKey(name));
        return dst === undefined ? [] : [{ type: 'ABOUT' as const, src: seq, dst }];
      }),
    ),
  );
}

/** Takes away entities that nothing is about any more. */
export async function dropUnused(sql: Writer): Promise<void> {
  const rows = await sql.all<{ seq: number }>(
    `SELECT seq FROM mem_nodes AS n WHERE n.seq >> 32 = ${SHARED_NAMESPACE} AND n.kind = 'entity'
     AND NOT EXISTS (SELECT 1 FROM mem_edges WHERE type = 'ABOUT' AND dst = n.seq)`,
  );
  await removeRows(
    sql,
    rows.map(({ seq }) => seq),
  );
}

/** The prefix of an entity's id. */
export const ENTITY_PREFIX = KINDS.entity.prefix;
