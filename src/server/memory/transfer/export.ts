/** Writes the whole store as JSON. */
import type { Database, Reader } from '../../db/sql';
import type { PlacedTouch } from '../code/touches';
import { layersOf, notReplaced, OWN_LAYER } from '../layers';
import { READ_BATCH } from '../limits';
import type { NodeFields } from '../nodes';
import type { Origin } from '../origins';

/** What every export begins with. */
export const EXPORT_START = '{"nodes":[';

/** A node as an export writes it and memory_import takes it back. */
export interface ExportedNode extends NodeFields {
  readonly rationale: string | null;
  readonly alternatives_rejected: readonly string[];
  readonly namespace: string;
  readonly session_id: string | null;
  readonly occurred_in: string | null;
  /** Names; the id of an entity that its name does not lead to (forgotten, and another one took the name). */
  readonly entities: readonly string[];
  /** Of an entity. */
  readonly aliases: readonly string[];
  /** Ids. */
  readonly supersedes: readonly string[];
  readonly touches: readonly PlacedTouch[];
  /** Whose store is always named; null for an entity or a session. */
  readonly origin: Origin | null;
}

export interface ExportedEdge {
  readonly type: 'ABOUT' | 'SUPERSEDES' | 'OCCURRED_IN';
  /** Ids. */
  readonly from: string;
  readonly to: string;
}

export interface StoreExport {
  readonly nodes: readonly ExportedNode[];
  readonly edges: readonly ExportedEdge[];
}

/** Takes up nodes one by one, and notes at the end by what they are known again. */
export interface NodeHash {
  readonly add: (node: unknown) => void;
  readonly end: () => void;
}

/**
 * Writes the whole store, all namespaces, closed and forgotten nodes included, as the JSON text `{nodes, edges}`: as it
 * is at one moment, piece by piece, while others go on writing. Two stores with the same memories give the same text.
 */
export function exportStore(
  database: Database,
  write: (piece: string) => Promise<void> | void,
  onProgress: (nodes: number) => void = () => {},
  hash?: NodeHash,
): Promise<void> {
  return database.snapshot(async (sql) => {
    for await (const piece of exportPieces(sql, onProgress, hash)) await write(piece);
  });
}

/** Namespaces by name, nodes in the order in which they were stored, edges by the order of the nodes they leave. */
async function* exportPieces(
  sql: Reader,
  onProgress: (nodes: number) => void,
  hash: NodeHash | undefined,
): AsyncGenerator<string> {
  const namespaces = await sql.all<{ ns: number; name: string }>('SELECT ns, name FROM mem_namespaces ORDER BY name');
  yield EXPORT_START;
  let separator = '\n';
  let written = 0;
  for (const { ns, name } of namespaces) {
    for await (const nodes of pages(sql, (layer, after) => exportNodes(sql, layer, ns, name, after))) {
      yield separator + nodes.map(({ json }) => json).join(',\n');
      separator = ',\n';
      written += nodes.length;
      if (hash) for (const { json } of nodes) hash.add(JSON.parse(json));
      onProgress(written);
    }
  }
  yield '\n],"edges":[';
  separator = '\n';
  for (const { ns } of namespaces) {
    for await (const edges of pages(sql, (layer, after) => exportEdges(sql, layer, ns, after))) {
      const lines = edges.flatMap(({ json }) => JSON.parse(json) as ExportedEdge[]).map((edge) => JSON.stringify(edge));
      if (lines.length > 0) {
        yield separator + lines.join(',\n');
        separator = ',\n';
      }
    }
  }
  yield '\n]}\n';
  hash?.end();
}

interface Page {
  readonly seq: number;
  readonly json: string;
}

async function* pages(sql: Reader, read: (layer: string, after: number) => Promise<Page[]>): AsyncGenerator<Page[]> {
  for (const layer of layersOf(sql)) {
    for (let after = 0; ; ) {
      const rows = await read(layer, after);
      const last = rows.at(-1);
      if (!last) break;
      yield rows;
      after = last.seq;
    }
  }
}

// Row numbers over 2^31 are bound as reals; with two lower bounds SQLite might start at the wrong one.
const PAGE = `n.seq > max($ns << 32, CAST($after AS INTEGER)) AND n.seq < ($ns + 1) << 32`;

/** SQLite writes the JSON, so that a node costs one short row. */
function exportNodes(sql: Reader, layer: string, ns: number, namespace: string, after: number): Promise<Page[]> {
  return sql.all<Page>(
    `SELECT n.seq, json_object(
       'id', n.id, 'kind', n.kind, 'content', n.content, 'confidence', n.confidence, 'recorded_at', n.recorded_at,
       'valid_from', n.valid_from, 'valid_until', n.valid_until, 'tombstoned', n.tombstoned, 'standing', n.standing, 'rationale', n.rationale,
       'alternatives_rejected', json(coalesce(n.alternatives_rejected, '[]')), 'namespace', $namespace,
       'origin', (SELECT json_object('kind', g.kind, 'name', g.name, 'hash', g.hash,
           'store', coalesce(g.store, (SELECT value FROM mem_flags WHERE name = 'store_id')),
           'marked', json(iif(g.marked = 1, 'true', 'false'))) FROM mem_origins AS g WHERE g.id = n.origin),
       'session_id', (SELECT s.id FROM mem_nodes AS s
                      WHERE s.seq = ${layer === OWN_LAYER ? 'n.session' : 'NULL'} AND s.kind = 'session'),
       'occurred_in', (SELECT s.id FROM main.mem_edges AS o JOIN main.mem_nodes AS s ON s.seq = o.dst
                       WHERE o.type = 'OCCURRED_IN' AND o.src = n.seq),
       'entities', (SELECT json_group_array(name) FROM (
                      SELECT iif(EXISTS (SELECT 1 FROM mem_entity_names AS own WHERE own.entity = a.dst AND own.alias IS NULL),
                                 (SELECT content FROM mem_nodes WHERE seq = a.dst),
                                 (SELECT id FROM mem_nodes WHERE seq = a.dst)) AS name
                      FROM ${layer}.mem_edges AS a WHERE a.type = 'ABOUT' AND a.src = n.seq ORDER BY a.dst)),
       'aliases', (SELECT json_group_array(alias) FROM (
                     SELECT alias FROM ${layer}.mem_entity_names WHERE entity = n.seq AND alias IS NOT NULL ORDER BY folded)),
       'supersedes', (SELECT json_group_array(id) FROM (
                        SELECT (SELECT id FROM mem_nodes WHERE seq = s.dst) AS id FROM ${layer}.mem_edges AS s
                        WHERE s.type = 'SUPERSEDES' AND s.src = n.seq ORDER BY s.dst)),
       'touches', (SELECT json_group_array(json(touch)) FROM (
                     SELECT json_patch(
                       json_object('file_path', file_path, 'code_type', code_type, 'name', name, 'hash', hash),
                       json_object('commit', "commit", 'confirmed', (
                         SELECT nullif(json_group_array(hash), '[]') FROM (
                           SELECT hash FROM ${layer}.mem_link_texts WHERE link = t.id ORDER BY hash)))) AS touch
                     FROM ${layer}.mem_links AS t WHERE node = n.seq ORDER BY file_path, code_type, name, hash))) AS json
     FROM ${layer}.mem_nodes AS n WHERE ${PAGE} ${notReplaced(sql, layer, 'n')} ORDER BY n.seq LIMIT $limit`,
    { ns, namespace, after, limit: READ_BATCH },
  );
}

/** For each node with edges: the list of its edges. */
function exportEdges(sql: Reader, layer: string, ns: number, after: number): Promise<Page[]> {
  return sql.all<Page>(
    `SELECT n.seq, (SELECT json_group_array(json(edge)) FROM (
       SELECT json_object('type', e.type, 'from', n.id, 'to', (SELECT id FROM mem_nodes WHERE seq = e.dst)) AS edge
       FROM ${layer}.mem_edges AS e
       WHERE e.type IN ('ABOUT', 'SUPERSEDES', 'OCCURRED_IN') AND e.src = n.seq
       ORDER BY e.type, e.dst)) AS json
     FROM ${layer}.mem_nodes AS n WHERE ${PAGE} ${notReplaced(sql, layer, 'n')} ORDER BY n.seq LIMIT $limit`,
    { ns, after, limit: READ_BATCH },
  );
}
