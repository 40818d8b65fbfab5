/** Nodes one by one and in lists, for people. */

import { wouldClose } from '../close-replaced';
import { isSuperseded } from '../edges';
import { isSharedOut } from '../history/undone-share';
import { isProposal, layersOf, SHARED_LAYER } from '../layers';
import { type Marked, marked, markedName, markedReference } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { type NodeFields, unknownNode } from '../nodes';
import { ORIGIN_JSON, type Origin, originIn, STANDING, type Standing } from '../origins';
import { textList } from '../stored-json';
import { foldName } from '../text/analyze';
import { isInFile, isValid, type NodeFilter, passes } from './node-filter';

/** Longest list that is given out. */
export const MAX_LISTED = 1_000;

/** A node as one line of a list. */
export interface NodeSummary extends NodeFields, Marked {
  /** The session it was stored in. */
  readonly session_id: string | null;
}

export interface NodeReference {
  readonly id: string;
  readonly content: string;
}

/** Everything that is known of one node. */
export interface NodeDetails extends NodeSummary {
  readonly namespace: string;
  /** null for an entity or a session. */
  readonly origin: Origin | null;
  readonly rationale: string | null;
  readonly alternatives_rejected: readonly string[];
  /** What it is about. */
  readonly entities: readonly NodeReference[];
  readonly supersedes: readonly (NodeReference & Marked)[];
  /** What it would close if it were kept: it waits. */
  readonly replaces: readonly (NodeReference & Marked)[];
  readonly superseded_by: readonly (NodeReference & Marked)[];
  /** Other names of an entity. */
  readonly aliases: readonly string[];
  /** The nodes stored in a session, oldest first, at most MAX_LISTED. */
  readonly nodes: readonly NodeSummary[];
  /** It was shared, and its file is not here, as on a branch that has not got it. */
  readonly away?: true | undefined;
}

export interface ListedEntity extends NodeReference, Marked {
  readonly aliases: readonly string[];
  /** How many open memories are about it. */
  readonly degree: number;
}

/** The columns of a NodeSummary, for `SELECT`s on `mem_nodes AS n LEFT JOIN main.mem_nodes AS s ON s.seq = n.session`. */
export const SUMMARY_COLUMNS = `n.id, n.kind, n.content, n.confidence, n.recorded_at, n.valid_from, n.valid_until, n.tombstoned,
  ${STANDING} AS standing, s.id AS session_id`;

/**
 * The nodes at the other ends of `n`'s edges, as a JSON array of references.
 * @param also a condition on `n` and the other node `o`, beginning with AND
 */
const references = (edge: string, from: 'src' | 'dst', to: 'src' | 'dst', also = ''): string =>
  `(SELECT json_group_array(json_object('id', o.id, 'content', o.content, 'valid_from', o.valid_from,
     'recorded_at', o.recorded_at, 'standing', o.standing))
    FROM (SELECT o.id, o.content, o.valid_from, o.recorded_at, o.standing
          FROM mem_edges AS e CROSS JOIN mem_nodes AS o ON o.seq = e.${to}
          WHERE e.type = '${edge}' AND e.${from} = n.seq ${also} LIMIT -1) AS o)`;

interface DetailsRow extends NodeSummary {
  readonly seq: number;
  readonly waits: 0 | 1;
  /** JSON of an Origin. */
  readonly origin: string | null;
  readonly rationale: string | null;
  /** These are JSON arrays. */
  readonly alternatives_rejected: string | null;
  readonly entities: string;
  readonly supersedes: string;
  readonly superseded_by: string;
  readonly aliases: string;
}

/** @throws SvcError not_found for an id that is not in the active namespace */
export async function nodeDetails(memory: Memory, id: string): Promise<NodeDetails> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const row = await memory.sql.get<DetailsRow>(
    `SELECT n.seq, ${isProposal('n')} AND ${isValid('n')} AS waits, ${SUMMARY_COLUMNS}, ${ORIGIN_JSON} AS origin, n.rationale, n.alternatives_rejected, ${references('ABOUT', 'src', 'dst')} AS entities,
            ${references('SUPERSEDES', 'src', 'dst', `AND ${isSuperseded('o', 'n')}`)} AS supersedes,
            ${references('SUPERSEDES', 'dst', 'src', `AND ${isSuperseded('n', 'o')}`)} AS superseded_by,
            (SELECT json_group_array(alias) FROM main.mem_entity_names WHERE entity = n.seq AND alias IS NOT NULL) AS aliases
     FROM mem_nodes AS n LEFT JOIN main.mem_nodes AS s ON s.seq = n.session
     WHERE n.id = $id AND +(n.seq >> 32) = $ns`,
    { id, ns },
  );
  if (!row) throw unknownNode(id, 'id');
  const { seq, waits, ...fields } = row;
  const replaces = waits ? await wouldClose(memory.sql, [seq]) : [];
  return {
    ...marked(memory, fields),
    namespace: memory.scope.namespace,
    origin: originIn(row.origin),
    alternatives_rejected: textList(row.alternatives_rejected),
    entities: list<ReferenceRow>(row.entities).map(({ id, content }) => ({ id, content })),
    supersedes: list<ReferenceRow>(row.supersedes).map((one) => markedReference(memory, one)),
    replaces: replaces.map(({ proposal: _, ...one }) => markedReference(memory, one)),
    superseded_by: list<ReferenceRow>(row.superseded_by).map((one) => markedReference(memory, one)),
    aliases: list(row.aliases),
    nodes: row.kind === 'session' ? await nodesOf(memory, ns, row.id) : [],
    ...(row.tombstoned === 1 && (await isSharedOut(memory.sql, seq)) ? { away: true } : {}),
  };
}

interface ReferenceRow extends NodeReference {
  readonly valid_from: string;
  readonly recorded_at: string;
  readonly standing: Standing;
}

/** A JSON array that one of our own statements built. */
function list<Item>(json: string | null): Item[] {
  return json === null ? [] : (JSON.parse(json) as Item[]);
}

async function nodesOf(memory: Memory, ns: number, sessionId: string): Promise<NodeSummary[]> {
  const rows = await memory.sql.all<NodeSummary & { readonly seq: number }>(
    `SELECT * FROM (
       SELECT n.seq, ${SUMMARY_COLUMNS} FROM main.mem_nodes AS s CROSS JOIN mem_nodes AS n ON n.session = s.seq
       WHERE s.id = $sessionId AND +(s.seq >> 32) = $ns LIMIT -1)
     ORDER BY recorded_at, seq LIMIT ${MAX_LISTED}`,
    { sessionId, ns },
  );
  return rows.map(({ seq: _, ...row }) => marked(memory, row));
}

export interface ListNodes extends NodeFilter {
  readonly session_id: string | undefined;
  /** Only what was stored in no session. */
  readonly sessionless?: boolean;
  /** Only what is about this entity. */
  readonly entity_id: string | undefined;
  /** How an id begins. */
  readonly id_prefix: string | undefined;
  /** These alone. */
  readonly ids?: readonly string[] | undefined;
  /** The path of a file that its code is in; empty for what is on no code. */
  readonly in_file: string | undefined;
  /** The last id of the page before. */
  readonly before: string | undefined;
  /** Closed and tombstoned ones, too. */
  readonly closed: boolean;
  /** Tombstoned ones alone. */
  readonly forgotten: boolean;
  /** With where each comes from. */
  readonly origins?: boolean;
  readonly limit: number;
}

/**
 * Nodes of the active namespace, newest first. The statement is put together from the conditions that were asked for,
 * so that each of them may use its index.
 * @throws SvcError not_found for a `before` that is not in the active namespace
 */
export async function listNodes(
  memory: Memory,
  asked: ListNodes,
): Promise<(NodeSummary & { readonly origin?: Origin | null })[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const own = (id: string, columns = 'seq'): string =>
    `(SELECT ${columns} FROM mem_nodes WHERE id = ${id} AND +(seq >> 32) = $ns)`;
  // The row of a shared memory has a number beyond all others, whenever it was stored.
  const isByTime = asked.session_id !== undefined || layersOf(memory.sql).includes(SHARED_LAYER);
  // The links of an entity are in the order of its memories: a hub's first page reads no more than that.
  const [from, seq] =
    asked.entity_id === undefined
      ? ['mem_nodes AS n', 'n.seq']
      : ['mem_edges AS e CROSS JOIN mem_nodes AS n ON n.seq = e.src', 'e.src'];
  const conditions = ['n.seq >= $ns << 32', 'n.seq < ($ns + 1) << 32'];
  const values: Record<string, string | number> = { ns, limit: asked.limit };
  const where = (condition: string, name: string, value: string): void => {
    conditions.push(condition);
    values[name] = value;
  };
  if (asked.session_id !== undefined) where(`n.session = ${own('$session')}`, 'session', asked.session_id);
  if (asked.sessionless) conditions.push('n.session IS NULL');
  if (asked.entity_id !== undefined) where(`e.type = 'ABOUT' AND e.dst = ${own('$entity')}`, 'entity', asked.entity_id);
  if (asked.id_prefix !== undefined) where('substr(n.id, 1, length($prefix)) = $prefix', 'prefix', asked.id_prefix);
  if (asked.ids !== undefined) where('n.id IN (SELECT value FROM json_each($ids))', 'ids', JSON.stringify(asked.ids));
  if (asked.before !== undefined) {
    const before = await memory.sql.get(`SELECT 1 WHERE ${own('$id')} IS NOT NULL`, { id: asked.before, ns });
    if (!before) throw unknownNode(asked.before, 'before');
    const isEarlier = isByTime
      ? `(n.recorded_at, n.seq) < ${own('$before', 'recorded_at, seq')}`
      : `${seq} < ${own('$before')}`;
    where(isEarlier, 'before', asked.before);
  }
  if (asked.in_file === '') conditions.push('NOT EXISTS (SELECT 1 FROM mem_links AS l WHERE l.node = n.seq)');
  else if (asked.in_file !== undefined) {
    const inFile = await isInFile(memory, 'n', asked.in_file);
    conditions.push(inFile.condition);
    Object.assign(values, inFile.values);
  }
  const filter = await passes(memory, 'n', asked);
  conditions.push(filter.condition);
  if (asked.forgotten) conditions.push('n.tombstoned = 1');
  else if (!asked.closed) conditions.push(isValid('n'));
  const order = isByTime ? 'n.recorded_at DESC, n.seq DESC' : `${seq} DESC`;
  const origins = asked.origins ? `, ${ORIGIN_JSON} AS origin` : '';
  const rows = await memory.sql.all<NodeSummary & { readonly seq: number; readonly origin?: string | null }>(
    `SELECT n.seq, ${SUMMARY_COLUMNS}${origins} FROM ${from} LEFT JOIN main.mem_nodes AS s ON s.seq = n.session
     WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT $limit`,
    { ...values, ...filter.values },
  );
  return rows.map(({ seq: _, origin, ...row }) => ({
    ...marked(memory, row),
    ...(origin === undefined ? {} : { origin: originIn(origin) }),
  }));
}

/**
 * Entities of the active namespace that have a name or an alias with these letters in it: those that begin with them
 * first, then those that most is known about. What only drafts named that were taken back since is none.
 */
export async function listEntities(memory: Memory, letters: string, limit: number): Promise<ListedEntity[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const rows = await memory.sql.all<NodeReference & { aliases: string; degree: number; standing: Standing }>(
    `WITH found AS (
       SELECT entity, min(instr(folded, $letters)) > 1 AS inside FROM mem_entity_names
       WHERE ns = $ns AND instr(folded, $letters) > 0 GROUP BY entity
     ), degrees AS (
       SELECT a.dst, count(*) AS degree FROM mem_edges AS a CROSS JOIN mem_nodes AS m ON m.seq = a.src
       WHERE a.type = 'ABOUT' AND a.dst >= $ns << 32 AND a.dst < ($ns + 1) << 32 AND ${isValid('m')} GROUP BY a.dst
     )
     SELECT n.id, n.content, ${STANDING} AS standing, coalesce(d.degree, 0) AS degree,
            (SELECT json_group_array(alias) FROM main.mem_entity_names WHERE entity = n.seq AND alias IS NOT NULL) AS aliases
     FROM found AS f JOIN mem_nodes AS n ON n.seq = f.entity LEFT JOIN degrees AS d ON d.dst = f.entity
     WHERE n.tombstoned = 0 AND NOT (d.degree IS NULL AND ${STANDING} = 'proposed')
     ORDER BY f.inside, coalesce(d.degree, 0) DESC, n.content LIMIT $limit`,
    { ns, letters: foldName(letters), limit },
  );
  return rows.map((row) => markedName(memory, { ...row, aliases: list<string>(row.aliases) }));
}
