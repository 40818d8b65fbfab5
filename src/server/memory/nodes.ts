/** Writes and finds nodes. */
import { isStructural, KINDS, type NodeKind } from '../../kinds/kinds';
import { MINUTE_MS, timestamp } from '../base/clock';
import { notFound } from '../base/errors';
import { ofParameter, phrase, tool } from '../base/phrase';
import { quoted } from '../base/text';
import type { Reader, Writer } from '../db/sql';
import { EPISODE_GAP_MINUTES, FULL_TEXT_BATCH, IMPORT_BATCH } from './limits';
import type { Memory, WritableMemory } from './memory';
import { STANDING, type Standing } from './origins';
import { lastSeqIn } from './reserved-rows';
import { saidKey } from './similar/said';
import { type SearchTerms, searchTerms, storable, surroundings } from './text/search-terms';

/** What every view of a stored item shows: docs/behaviour.md, "Fields". */
export interface NodeFields {
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  readonly confidence: number;
  readonly recorded_at: string;
  readonly valid_from: string;
  /** null while open. */
  readonly valid_until: string | null;
  readonly tombstoned: 0 | 1;
  readonly standing: Standing;
}

/** A stored item as a row. */
export interface NodeRow extends NodeFields {
  readonly seq: number;
  readonly rationale: string | null;
  /** JSON array of strings. */
  readonly alternatives_rejected: string | null;
  readonly session: number | null;
}

/** The columns of a NodeRow, for `SELECT`s on `mem_nodes AS n`. */
export const NODE_COLUMNS = `n.seq, n.id, n.kind, n.content, n.confidence, n.recorded_at, n.valid_from, n.valid_until,
  n.tombstoned, ${STANDING} AS standing, n.rationale, n.alternatives_rejected, n.session`;

export interface NewNode {
  readonly kind: NodeKind;
  readonly content: string;
  readonly confidence: number;
  readonly valid_from: string;
  readonly rationale?: string | undefined;
  readonly alternatives_rejected?: readonly string[] | undefined;
  /** seq of its session. */
  readonly session?: number | undefined;
  /** Names and aliases of the entities it is about, or the aliases of an entity: matched by search. */
  readonly names?: readonly string[] | undefined;
  /** Row number of where a memory comes from. */
  readonly origin?: number | undefined;
  /** `stored` when absent. */
  readonly standing?: Standing | undefined;
  /** Only an import brings these along. */
  readonly id?: string | undefined;
  readonly recorded_at?: string | undefined;
  readonly valid_until?: string | undefined;
  readonly tombstoned?: 0 | 1 | undefined;
}

export interface InsertedNode {
  readonly seq: number;
  readonly id: string;
}

/** Called after each batch with how many nodes are on their way; what it throws ends the writing. */
export type OnBatch = (written: number) => void;

/**
 * Writes nodes and their full-text entries, in the order given: they get the row numbers after `lastSeq`, one by one.
 * The caller has checked every value.
 */
export async function insertNodes(
  memory: WritableMemory,
  ns: number,
  nodes: readonly NewNode[],
  onBatch: OnBatch = () => {},
): Promise<InsertedNode[]> {
  const { sql } = memory;
  return numberNodes(memory, () => lastSeq(sql, ns).then((last) => last + 1), nodes, {
    termsAtOnce: FULL_TEXT_BATCH,
    writeRows: (rows) => insertRows(sql, 'mem_nodes', rows),
    writeTerms: (terms) => insertTerms(sql, terms),
    onBatch,
  });
}

/** Where numbered rows and their search terms go, in batches. */
export interface NodeSink {
  readonly writeRows: (rows: readonly NodeValues[]) => Promise<unknown>;
  readonly writeTerms: (terms: readonly IndexEntry[]) => Promise<unknown>;
  /** How many entries `writeTerms` is given. */
  readonly termsAtOnce: number;
  readonly onBatch: OnBatch;
}

/** Gives nodes their ids and the row numbers from `first` on, one by one, and hands them to where they go. */
export async function numberNodes(
  memory: Memory,
  first: () => number | Promise<number>,
  nodes: readonly NewNode[],
  { writeRows, writeTerms, termsAtOnce, onBatch }: NodeSink,
): Promise<InsertedNode[]> {
  const numbering = await startNumbering(memory, first, nodes);
  const inserted: InsertedNode[] = [];
  const terms: IndexEntry[] = [];
  let batch = await prepareBatch(numbering, nodes, 0);
  let before: Promise<unknown> = Promise.resolve();
  while (batch.nodes.length > 0) {
    inserted.push(...batch.nodes);
    terms.push(...batch.terms);
    // Each statement ends a segment of the full-text index, and merging small ones is what costs.
    const isFull = terms.length >= termsAtOnce || inserted.length === nodes.length;
    const written = Promise.all([writeRows(batch.rows), isFull ? writeTerms(terms.splice(0)) : undefined]);
    // A failure is met below, one round later.
    written.catch(() => {});
    // SQLite writes on a thread of its own: the next batch is prepared meanwhile.
    batch = await prepareBatch(numbering, nodes, inserted.length);
    await before;
    before = written;
    onBatch(inserted.length);
  }
  await before;
  return inserted;
}

export type IndexEntry = readonly [seq: number, ...terms: SearchTerms];

/** The values of NODE_VALUES, in their order. */
export type NodeValues = readonly unknown[];

/** What a row gets when it is stored. */
export const NODE_VALUES = `seq, id, kind, content, confidence, recorded_at, valid_from, valid_until, tombstoned,
  rationale, alternatives_rejected, session, episode, origin, standing, said`;

export function insertRows(sql: Writer, table: string, rows: readonly NodeValues[]): Promise<number> {
  return sql.run(
    `INSERT INTO ${table} (${NODE_VALUES})
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
            value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, value ->> 15
     FROM json_each($rows)`,
    { rows: JSON.stringify(rows) },
  );
}

export function insertTerms(sql: Writer, terms: readonly IndexEntry[]): Promise<number> {
  return sql.run(
    `INSERT INTO mem_fts (rowid, words, stems, context)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each($terms)`,
    { terms: JSON.stringify(terms) },
  );
}

/** The highest row number that was given out in the namespace. */
export async function lastSeq(sql: Reader, ns: number): Promise<number> {
  const row = await sql.get<{ last: number }>(lastSeqIn('$ns'), { ns });
  return row?.last ?? 0;
}

/** What rows get besides what the caller gives: settled before the first of them is written. */
export interface Numbering {
  readonly now: string;
  readonly ids: readonly string[];
  /** Row number of the first one. */
  readonly first: number;
  /** By row number of a session. */
  readonly episodes: Map<number, Episode>;
}

async function startNumbering(
  memory: Memory,
  from: () => number | Promise<number>,
  nodes: readonly NewNode[],
): Promise<Numbering> {
  const [first, ids, episodes] = await Promise.all([from(), drawIds(memory, nodes), openEpisodes(memory.sql, nodes)]);
  return { now: timestamp(memory.clock()), ids, first, episodes };
}

interface PreparedBatch {
  readonly nodes: readonly InsertedNode[];
  readonly rows: readonly NodeValues[];
  readonly terms: readonly IndexEntry[];
}

/** The driver starts a waiting statement only when the event loop gets its turn. */
const PAUSE_EVERY = 100;

/** What is written of the nodes from `start` on, as many as one statement takes. */
export async function prepareBatch(
  numbering: Numbering,
  all: readonly NewNode[],
  start: number,
): Promise<PreparedBatch> {
  const nodes: InsertedNode[] = [];
  const rows: NodeValues[] = [];
  const terms: IndexEntry[] = [];
  for (const [i, node] of all.slice(start, start + IMPORT_BATCH).entries()) {
    if (i % PAUSE_EVERY === PAUSE_EVERY - 1) await new Promise((resolve) => setImmediate(resolve));
    const seq = numbering.first + start + i;
    const id = numbering.ids[start + i] ?? '';
    const content = storable(node.content);
    const alternatives = node.alternatives_rejected?.map(storable) ?? [];
    const rationale = node.rationale === undefined ? null : storable(node.rationale);
    rows.push([
      seq,
      id,
      node.kind,
      content,
      node.confidence,
      node.recorded_at ?? numbering.now,
      node.valid_from,
      node.valid_until ?? null,
      node.tombstoned ?? 0,
      rationale,
      alternatives.length > 0 ? JSON.stringify(alternatives) : null,
      node.session ?? null,
      node.session === undefined ? null : episodeOf(numbering.episodes, node.session, node.valid_from, seq),
      node.origin ?? null,
      node.standing ?? 'stored',
      isStructural(node.kind) ? null : saidKey(content),
    ]);
    terms.push([seq, ...searchTerms(content, surroundings(node.names ?? [], rationale, alternatives))]);
    nodes.push({ seq, id });
  }
  return { nodes, rows, terms };
}

/** The node with this id in this namespace, whatever its state. Ids of other namespaces are not there. */
export function findNode(sql: Reader, ns: number, id: string): Promise<NodeRow | undefined> {
  return sql.get<NodeRow>(`SELECT ${NODE_COLUMNS} FROM mem_nodes AS n WHERE n.id = $id AND +(n.seq >> 32) = $ns`, {
    id,
    ns,
  });
}

export function unknownNode(id: string, parameter: string): Error {
  return notFound(
    phrase`There is no memory ${quoted(id)}${ofParameter(parameter)} in this namespace`,
    phrase`Use an id in square brackets from ${tool('memory_recall')} or ${tool('memory_timeline')}`,
  );
}

/** An id that is none of the given ones, which it is added to; the store may have it all the same. */
export function drawId(memory: Memory, kind: NodeKind, given: Set<string>): string {
  const { prefix } = KINDS[kind];
  let id = prefix + memory.newSuffix();
  while (given.has(id)) id = prefix + memory.newSuffix();
  given.add(id);
  return id;
}

async function drawIds(memory: Memory, nodes: readonly NewNode[]): Promise<string[]> {
  const ids = nodes.map((node) => node.id ?? '');
  const given = new Set(ids);
  let open = ids.flatMap((id, i) => (id === '' ? [i] : []));
  while (open.length > 0) {
    for (const i of open) {
      ids[i] = drawId(memory, nodes[i]?.kind ?? 'fact', given);
    }
    const drawn = open.map((i) => ids[i]);
    const rows = await memory.sql.all<{ id: string }>(
      'SELECT id FROM mem_nodes WHERE id IN (SELECT value FROM json_each($drawn))',
      { drawn: JSON.stringify(drawn) },
    );
    const taken = new Set(rows.map((row) => row.id));
    open = open.filter((i) => taken.has(ids[i] ?? ''));
  }
  return ids;
}

/** The unbroken stretch that a session is in: its first row, and when its last one became valid. */
export interface Episode {
  readonly first: number;
  readonly lastAt: number;
}

/** The episode that each session of the nodes is in just now. */
async function openEpisodes(sql: Reader, nodes: readonly NewNode[]): Promise<Map<number, Episode>> {
  const sessions = [...new Set(nodes.flatMap((node) => (node.session === undefined ? [] : [node.session])))];
  if (sessions.length === 0) return new Map();
  const rows = await sql.all<{ session: number; episode: number; valid_from: string }>(
    `SELECT n.session, n.episode, n.valid_from FROM json_each($sessions) AS s
     JOIN mem_nodes AS n ON n.seq = (SELECT max(seq) FROM mem_nodes WHERE session = s.value)`,
    { sessions: JSON.stringify(sessions) },
  );
  return new Map(rows.map((row) => [row.session, { first: row.episode, lastAt: Date.parse(row.valid_from) }]));
}

/** A session is split where valid_from jumps: docs/behaviour.md, "Neighbours". */
function episodeOf(episodes: Map<number, Episode>, session: number, validFrom: string, seq: number): number {
  const at = Date.parse(validFrom);
  const current = episodes.get(session);
  const goesOn = current !== undefined && Math.abs(at - current.lastAt) <= EPISODE_GAP_MINUTES * MINUTE_MS;
  const episode = { first: goesOn ? current.first : seq, lastAt: at };
  episodes.set(session, episode);
  return episode.first;
}
