import { MINUTE_MS, timestamp } from '../base/clock';
import { conflict, invalidInput, notFound } from '../base/errors';
import { quoted } from '../base/text';
import type { Reader } from '../db/sql';
import { purgeHistory, trimStoredRanges } from './history';
import { ID_PREFIXES, type NodeKind } from './kinds';
import { EPISODE_GAP_MINUTES, FULL_TEXT_BATCH, IMPORT_BATCH } from './limits';
import type { WritableMemory } from './memory';
import { type SearchTerms, searchTerms, storable, surroundings } from './text/search-terms';

/** What every view of a stored item shows (service.md, "Node"). */
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
  n.tombstoned, n.rationale, n.alternatives_rejected, n.session`;

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
  const numbering = await startNumbering(memory, ns, nodes);
  const inserted: InsertedNode[] = [];
  const terms: IndexEntry[] = [];
  let batch = await prepareBatch(numbering, nodes, 0);
  let before: Promise<unknown> = Promise.resolve();
  while (batch.nodes.length > 0) {
    inserted.push(...batch.nodes);
    terms.push(...batch.terms);
    // Each statement ends a segment of the full-text index, and merging small ones is what costs.
    const isFull = terms.length >= FULL_TEXT_BATCH || inserted.length === nodes.length;
    const written = Promise.all([
      insertRows(memory, batch.rows),
      isFull ? insertTerms(memory, terms.splice(0)) : undefined,
    ]);
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

type IndexEntry = readonly [seq: number, ...terms: SearchTerms];

function insertRows(memory: WritableMemory, rows: readonly unknown[]): Promise<number> {
  return memory.sql.run(
    `INSERT INTO mem_nodes (seq, id, kind, content, confidence, recorded_at, valid_from, valid_until, tombstoned,
                            rationale, alternatives_rejected, session, episode)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
            value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12
     FROM json_each($rows)`,
    { rows: JSON.stringify(rows) },
  );
}

function insertTerms(memory: WritableMemory, terms: readonly IndexEntry[]): Promise<number> {
  return memory.sql.run(
    `INSERT INTO mem_fts (rowid, words, stems, context)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each($terms)`,
    { terms: JSON.stringify(terms) },
  );
}

/** The highest row number that was given out in the namespace. */
export async function lastSeq(sql: Reader, ns: number): Promise<number> {
  const row = await sql.get<{ last: number }>(
    `SELECT coalesce(max(seq), $ns << 32) AS last FROM mem_nodes WHERE seq >= $ns << 32 AND seq < ($ns + 1) << 32`,
    { ns },
  );
  return row?.last ?? 0;
}

/** What rows get besides what the caller gives: settled before the first of them is written. */
interface Numbering {
  readonly now: string;
  readonly ids: readonly string[];
  /** Row number of the first one. */
  readonly first: number;
  readonly episodes: Map<number, Episode>;
}

async function startNumbering(memory: WritableMemory, ns: number, nodes: readonly NewNode[]): Promise<Numbering> {
  const [ids, last, episodes] = await Promise.all([
    drawIds(memory, nodes),
    lastSeq(memory.sql, ns),
    openEpisodes(memory.sql, nodes),
  ]);
  return { now: timestamp(memory.clock()), ids, first: last + 1, episodes };
}

interface PreparedBatch {
  readonly nodes: readonly InsertedNode[];
  /** In the order of the columns of insertRows. */
  readonly rows: readonly unknown[];
  readonly terms: readonly IndexEntry[];
}

/** The driver starts a waiting statement only when the event loop gets its turn. */
const PAUSE_EVERY = 100;

async function prepareBatch(numbering: Numbering, all: readonly NewNode[], start: number): Promise<PreparedBatch> {
  const nodes: InsertedNode[] = [];
  const rows: unknown[] = [];
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
    ]);
    terms.push([seq, ...searchTerms(content, surroundings(node.names ?? [], rationale, alternatives))]);
    nodes.push({ seq, id });
  }
  return { nodes, rows, terms };
}

/** Deletes rows with everything that hangs on them. Row numbers come as a list, not by namespace: see the callers. */
export async function deleteNodes(memory: WritableMemory, seqs: readonly number[]): Promise<void> {
  const list = { seqs: JSON.stringify(seqs) };
  const each = 'SELECT value FROM json_each($seqs)';
  await purgeHistory(memory, seqs);
  for (const statement of [
    `DELETE FROM mem_review_queue WHERE node_id IN (SELECT id FROM mem_nodes WHERE seq IN (${each}))`,
    `DELETE FROM mem_fts WHERE rowid IN (${each})`,
    `DELETE FROM mem_edges WHERE type IN ('ABOUT', 'SUPERSEDES', 'OCCURRED_IN') AND src IN (${each})`,
    `DELETE FROM mem_edges WHERE type IN ('ABOUT', 'SUPERSEDES', 'OCCURRED_IN') AND dst IN (${each})`,
    `DELETE FROM mem_entity_names WHERE entity IN (${each})`,
    `DELETE FROM mem_touches WHERE node IN (${each})`,
    `DELETE FROM mem_anchors WHERE node IN (${each})`,
    `DELETE FROM mem_sessions WHERE seq IN (${each})`,
    // The number of the newest row is given out again: nothing may still point to it.
    `UPDATE mem_nodes SET session = NULL, episode = NULL WHERE session IN (${each})`,
    `DELETE FROM mem_nodes WHERE seq IN (${each})`,
  ]) {
    await memory.sql.run(statement, list);
  }
  await trimStoredRanges(memory, seqs);
}

/** The node with this id in this namespace, whatever its state. Ids of other namespaces are not there. */
export function findNode(sql: Reader, ns: number, id: string): Promise<NodeRow | undefined> {
  return sql.get<NodeRow>(`SELECT ${NODE_COLUMNS} FROM mem_nodes AS n WHERE n.id = $id AND +(n.seq >> 32) = $ns`, {
    id,
    ns,
  });
}

/**
 * The open node with this id.
 * @throws SvcError not_found, or conflict when it is closed or tombstoned
 */
export async function openNode(sql: Reader, ns: number, id: string, parameter: string): Promise<NodeRow> {
  const node = await findNode(sql, ns, id);
  if (!node) throw unknownNode(id, parameter);
  if (node.tombstoned === 1) {
    throw conflict(`${id} given as "${parameter}" has been forgotten`, 'Use the id of a memory that is still open');
  }
  if (node.valid_until !== null) {
    throw conflict(
      `${id} given as "${parameter}" was closed at ${node.valid_until}`,
      'Use the id of a memory that is still open; memory_timeline shows what superseded it',
    );
  }
  return node;
}

/**
 * The open memory with this id; entities and sessions are no memories.
 * @throws SvcError not_found, conflict when it is closed or tombstoned, invalid_input for an entity or a session
 */
export async function openMemory(sql: Reader, ns: number, id: string, parameter: string): Promise<NodeRow> {
  const node = await openNode(sql, ns, id, parameter);
  if (node.kind === 'entity' || node.kind === 'session') {
    throw invalidInput(
      `${id} given as "${parameter}" is ${node.kind === 'entity' ? 'an entity' : 'a session'}, not a memory`,
      'Use the id of a fact, decision, action, outcome, procedure or preference',
    );
  }
  return node;
}

export function unknownNode(id: string, parameter: string): Error {
  return notFound(
    `There is no memory ${quoted(id)} (parameter "${parameter}") in this namespace`,
    'Take an id in square brackets from memory_recall or memory_timeline',
  );
}

async function drawIds(memory: WritableMemory, nodes: readonly NewNode[]): Promise<string[]> {
  const ids = nodes.map((node) => node.id ?? '');
  const given = new Set(ids);
  let open = ids.flatMap((id, i) => (id === '' ? [i] : []));
  while (open.length > 0) {
    for (const i of open) {
      const prefix = ID_PREFIXES[nodes[i]?.kind ?? 'fact'];
      let id = prefix + memory.newSuffix();
      while (given.has(id)) id = prefix + memory.newSuffix();
      given.add(id);
      ids[i] = id;
    }
    const drawn = open.map((i) => ids[i]);
    const taken = new Set(
      (
        await memory.sql.all<{ id: string }>(
          'SELECT id FROM mem_nodes WHERE id IN (SELECT value FROM json_each($drawn))',
          { drawn: JSON.stringify(drawn) },
        )
      ).map((row) => row.id),
    );
    open = open.filter((i) => taken.has(ids[i] ?? ''));
  }
  return ids;
}

interface Episode {
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

/** "A stored session is split where valid_from jumps by more than an hour" (decisions.md, memory_recall). */
function episodeOf(episodes: Map<number, Episode>, session: number, validFrom: string, seq: number): number {
  const at = Date.parse(validFrom);
  const current = episodes.get(session);
  const goesOn = current !== undefined && Math.abs(at - current.lastAt) <= EPISODE_GAP_MINUTES * MINUTE_MS;
  const episode = { first: goesOn ? current.first : seq, lastAt: at };
  episodes.set(session, episode);
  return episode.first;
}
