/** Memories of the store, for who writes them into files. */
import type { MemoryKind } from '../../../kinds/kinds';
import { conflict } from '../../base/errors';
import { parameter, phrase, tool } from '../../base/phrase';
import { shownId } from '../../base/shown';
import type { Reader } from '../../db/sql';
import type { PlacedTouch } from '../code/touches';
import { OWN_LAYER } from '../layers';
import { DEFAULT_NAMESPACE } from '../limits';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import type { NodeFields } from '../nodes';
import { requireOpenMemory } from '../open-memory';
import { ORIGIN_JSON, type Origin, originIn } from '../origins';
import { textList } from '../stored-json';

/** A memory with all that is said of it. */
export interface Shareable extends NodeFields {
  readonly seq: number;
  readonly kind: MemoryKind;
  readonly rationale: string | null;
  readonly alternatives_rejected: readonly string[];
  /** Names. */
  readonly entities: readonly string[];
  readonly links: readonly PlacedTouch[];
  /** Ids. */
  readonly supersedes: readonly string[];
  readonly origin: Origin | null;
}

interface Row extends Omit<Shareable, 'alternatives_rejected' | 'entities' | 'links' | 'supersedes' | 'origin'> {
  // JSON.
  readonly alternatives_rejected: string | null;
  readonly entities: string;
  readonly links: string;
  readonly supersedes: string;
  readonly origin: string | null;
}

/**
 * The open memories with these ids, in their order.
 * @throws SvcError not_found, invalid_input for an entity or a session, conflict for one that is not open or that waits, or
 * in another namespace than `default`
 */
export async function readShareable(memory: Memory, ids: readonly string[]): Promise<Shareable[]> {
  const { sql, scope } = memory;
  if (scope.namespace !== DEFAULT_NAMESPACE) {
    throw conflict(
      `Only memories of the namespace "${DEFAULT_NAMESPACE}" can be shared`,
      'Files of a repository belong to no other namespace',
    );
  }
  const found = await readRows(sql, await namespaceNumber(sql, scope.namespace), ids);
  const nodes: Shareable[] = [];
  for (const id of ids) {
    const node = await requireOpenMemory(sql, found.get(id), id, 'node_ids');
    if (node.standing === 'proposed') {
      throw conflict(
        phrase`${shownId(id)} given as ${parameter('node_ids')} waits until a person keeps it`,
        phrase`Keep it first: ${tool('review')} shows it`,
      );
    }
    nodes.push(node);
  }
  return nodes;
}

/** The same of rows in any state, by id; those that are not there are left out. */
export async function readRows(sql: Reader, ns: number, ids: readonly string[]): Promise<Map<string, Shareable>> {
  const rows = await sql.all<Row>(
    `SELECT n.seq, n.id, n.kind, n.content, n.confidence, n.recorded_at, n.valid_from, n.valid_until, n.tombstoned,
            n.standing, n.rationale, n.alternatives_rejected,
            (SELECT json_group_array(name) FROM (SELECT (SELECT content FROM mem_nodes WHERE seq = a.dst) AS name
               FROM ${OWN_LAYER}.mem_edges AS a WHERE a.type = 'ABOUT' AND a.src = n.seq ORDER BY a.dst)) AS entities,
            (SELECT json_group_array((SELECT id FROM ${OWN_LAYER}.mem_nodes WHERE seq = s.dst)) FROM ${OWN_LAYER}.mem_edges AS s
             WHERE s.type = 'SUPERSEDES' AND s.src = n.seq) AS supersedes,
            (SELECT json_group_array(json(link)) FROM (
               SELECT json_object('file_path', t.file_path, 'code_type', t.code_type, 'name', t.name, 'hash', t.hash,
                 'commit', t."commit", 'confirmed', json((SELECT json_group_array(hash) FROM (
                   SELECT hash FROM ${OWN_LAYER}.mem_link_texts WHERE link = t.id ORDER BY hash)))) AS link
               FROM ${OWN_LAYER}.mem_links AS t WHERE t.node = n.seq ORDER BY file_path, code_type, name, hash)) AS links,
            ${ORIGIN_JSON} AS origin
     FROM json_each($ids) AS asked CROSS JOIN ${OWN_LAYER}.mem_nodes AS n ON n.id = asked.value
     WHERE +(n.seq >> 32) = $ns`,
    { ns, ids: JSON.stringify(ids) },
  );
  return new Map(
    rows.map(({ alternatives_rejected, entities, links, supersedes, origin, ...row }) => [
      row.id,
      {
        ...row,
        alternatives_rejected: textList(alternatives_rejected),
        entities: textList(entities),
        supersedes: textList(supersedes),
        links: JSON.parse(links) as PlacedTouch[],
        origin: originIn(origin),
      },
    ]),
  );
}
