/** Forgets and purges. */

import type { Statement } from '../db/sql';
import { deleteNodes } from './delete-nodes';
import { findEntities } from './entities';
import { requireOwnWord } from './foreign-turn';
import { recorded } from './history/operations';
import type { SideEffects } from './history/side-effects';
import { sharedOut } from './history/undone-share';
import type { WritableMemory } from './memory';
import { namespaceNumber } from './namespaces';
import { requireHere } from './open-memory';
import { refreshContexts } from './refresh-contexts';

export interface Selectors {
  readonly node_id: string | undefined;
  /** Name, alias or id. */
  readonly entity: string | undefined;
  /** In our own 24-character form. */
  readonly before: string | undefined;
}

export interface Forgotten {
  readonly count: number;
  readonly mode: 'tombstone' | 'purge';
  readonly ids: string[];
  /** Shared memories that were meant, too: they stay, because what stands in a file is named by its id. */
  readonly shared_ids?: string[];
  /** Out of sight and not deleted: the session that is named, where shared memories are in it that stay. */
  readonly hidden_ids?: string[];
}

interface Selected {
  readonly seq: number;
  readonly id: string;
  readonly tombstoned: 0 | 1;
  /** Row number of its session. */
  readonly session: number | null;
  /** It stands in a file that the store knows of, here or on another branch. */
  readonly is_shared: 0 | 1;
}

const SELECTED = `n.seq, n.id, n.tombstoned, n.session, n.tombstoned AND ${sharedOut('n.seq')} AS is_shared`;

/** Name of the flag that says that deleted content may still lie in the log or in backups; its value says which. */
export const ERASE_PENDING = 'erase_pending';

/** The ids of what was purged, as the flag has them; none of a version that did not keep them. */
export function purgedIds(flag: string): string[] {
  try {
    const ids: unknown = JSON.parse(flag);
    return Array.isArray(ids) ? ids.map(String) : [];
  } catch {
    return [];
  }
}

/**
 * Forgets what any of the selectors names, in the active namespace: marked as forgotten, or deleted for good.
 * @throws SvcError conflict for a `node_id` that is shared in a file that is not here, unless it is deleted for good
 */
export async function forget(memory: WritableMemory, selectors: Selectors, purge: boolean): Promise<Forgotten> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const entity =
    selectors.entity === undefined
      ? undefined
      : (await findEntities(memory.sql, ns, [selectors.entity])).get(selectors.entity);
  const selected = await memory.sql.all<Selected>(
    `SELECT ${SELECTED} FROM mem_nodes AS n WHERE n.id = $node_id AND +(n.seq >> 32) = $ns
     UNION
     SELECT ${SELECTED} FROM mem_edges AS e CROSS JOIN mem_nodes AS n ON n.seq = e.src
     WHERE e.type = 'ABOUT' AND e.dst = $entity AND +(n.seq >> 32) = $ns
     UNION
     SELECT ${SELECTED} FROM mem_nodes AS n
     WHERE $before IS NOT NULL AND n.seq >> 32 = $ns AND n.recorded_at < $before AND NOT ${KEPT}
     ORDER BY 1`,
    {
      ns,
      node_id: selectors.node_id ?? null,
      entity: entity?.seq ?? null,
      before: selectors.before ?? null,
      open: memory.scope.session?.id ?? null,
    },
  );
  const named = selected.find(({ id }) => id === selectors.node_id);
  if (named && !purge) await requireHere(memory.sql, named, named.id, 'node_id');
  return treat(memory, ns, selected, { purge, named });
}

/** Entities and sessions that what is recorded later still refers to, and sessions that are still open. */
const KEPT = `(
  (n.kind = 'entity' AND EXISTS (
     SELECT 1 FROM mem_edges AS e JOIN mem_nodes AS m ON m.seq = e.src
     WHERE e.type = 'ABOUT' AND e.dst = n.seq AND m.recorded_at >= $before))
  OR (n.kind = 'session' AND (n.id IS $open
     OR (n.valid_until IS NULL AND n.tombstoned = 0 AND EXISTS (SELECT 1 FROM mem_sessions WHERE seq = n.seq))
     OR EXISTS (SELECT 1 FROM mem_nodes AS m WHERE m.session = n.seq AND m.recorded_at >= $before))))`;

/** The session and every node stored in it get the same treatment. An unknown id clears nothing. */
export async function clearSession(memory: WritableMemory, sessionId: string, purge: boolean): Promise<Forgotten> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const selected = await memory.sql.all<Selected>(
    `WITH cleared AS (SELECT seq FROM mem_nodes WHERE id = $id AND kind = 'session' AND +(seq >> 32) = $ns)
     SELECT ${SELECTED} FROM mem_nodes AS n
     WHERE n.seq IN cleared OR (n.session IN cleared AND +(n.seq >> 32) = $ns) ORDER BY n.seq`,
    { ns, id: sessionId },
  );
  if (memory.scope.session?.id === sessionId) memory.scope.session = undefined;
  return treat(memory, ns, selected, { purge, named: selected.find(({ id }) => id === sessionId) });
}

async function treat(
  memory: WritableMemory,
  ns: number,
  found: readonly Selected[],
  { purge, named }: { readonly purge: boolean; readonly named: Selected | undefined },
): Promise<Forgotten> {
  // Git may have brought a file that the store knows nothing of.
  const isHere = ({ id }: Selected): boolean => !memory.shared.foreign && memory.shared.has(id);
  const shared = found.filter((node) => node !== named && (node.is_shared === 1 || isHere(node)));
  const needed = await neededBy(memory, shared);
  const selected = found.filter((node) => node === named || !(shared.includes(node) || needed.has(node.seq)));
  await requireOwnWord(memory, selected);
  // What is named goes out of sight, too, and is there when what refers to it comes back to the store.
  const gone = purge ? selected.filter(({ seq }) => !needed.has(seq)) : [];
  await deleteForGood(memory, ns, gone);
  // What is forgotten already stays as it is, in the history, too.
  const hidden = selected.filter((node) => node.tombstoned === 0 && !gone.includes(node));
  await forgetAll(memory, ns, hidden);
  const done = purge ? gone : selected.filter((node) => node === named || hidden.includes(node));
  return {
    ...{ count: done.length, mode: purge ? 'purge' : 'tombstone', ids: done.map((node) => node.id) },
    ...(shared.length === 0 ? {} : { shared_ids: shared.map((node) => node.id) }),
    ...(purge && hidden.length > 0 ? { hidden_ids: hidden.map((node) => node.id) } : {}),
  };
}

/** Row numbers of the sessions that shared memories are in, and of the entities that they are about: these stay with them. */
async function neededBy({ sql }: WritableMemory, shared: readonly Selected[]): Promise<ReadonlySet<number>> {
  if (shared.length === 0) return new Set();
  const about = await sql.all<{ entity: number }>(
    `SELECT e.dst AS entity FROM json_each($seqs) AS asked
     CROSS JOIN mem_edges AS e ON e.type = 'ABOUT' AND e.src = asked.value`,
    { seqs: JSON.stringify(shared.map(({ seq }) => seq)) },
  );
  return new Set([...about.map(({ entity }) => entity), ...shared.flatMap(({ session }) => session ?? [])]);
}

/** Marks nodes as forgotten that are not yet. */
export async function forgetAll(
  memory: WritableMemory,
  ns: number,
  nodes: readonly { readonly seq: number; readonly side?: SideEffects | undefined }[],
): Promise<void> {
  if (nodes.length === 0) return;
  await recorded(memory, ns, 'forget', nodes, () =>
    memory.sql.run('UPDATE mem_nodes SET tombstoned = 1 WHERE seq IN (SELECT value FROM json_each($seqs))', {
      seqs: JSON.stringify(nodes.map(({ seq }) => seq)),
    }),
  );
}

/** Leaves no byte in the database file; the write-ahead log and backups are emptied after the transaction. */
export async function deleteForGood(
  memory: WritableMemory,
  ns: number,
  selected: readonly Pick<Selected, 'seq' | 'id'>[],
): Promise<void> {
  if (selected.length === 0) return;
  const seqs = selected.map(({ seq }) => seq);
  await takeBackNames(memory, ns, seqs);
  await deleteNodes(memory, seqs, [
    // Deleted full-text entries stay in their segment until it is merged.
    { sql: `INSERT INTO mem_fts (mem_fts) VALUES ('optimize')` },
    eraseNoted(selected.map(({ id }) => id)),
  ]);
}

/** Says that what stood in these nodes may still lie in the log and in backups. */
export function eraseNoted(erased: readonly string[]): Statement {
  return {
    sql: `INSERT INTO mem_flags (name, value) VALUES ($name, $ids) ON CONFLICT (name) DO UPDATE SET value =
      CASE WHEN json_valid(value) AND json_type(value) = 'array' THEN (
        SELECT json_group_array(value) FROM (
          SELECT value FROM json_each(mem_flags.value) UNION SELECT value FROM json_each($ids)))
      ELSE $ids END`,
    parameters: { name: ERASE_PENDING, ids: JSON.stringify(erased) },
  };
}

/** The name of an entity stands in the full-text entries of all memories about it, which may stay. */
async function takeBackNames(memory: WritableMemory, ns: number, seqs: readonly number[]): Promise<void> {
  const entities = await memory.sql.all<{ seq: number }>(
    `SELECT seq FROM mem_nodes
     WHERE seq IN (SELECT value FROM json_each($seqs)) AND +(seq >> 32) = $ns AND kind = 'entity'`,
    { ns, seqs: JSON.stringify(seqs) },
  );
  if (entities.length === 0) return;
  const list = { entities: JSON.stringify(entities.map((entity) => entity.seq)) };
  const each = 'SELECT value FROM json_each($entities)';
  await memory.sql.run(`DELETE FROM mem_entity_names WHERE entity IN (${each})`, list);
  await memory.sql.run(`UPDATE mem_nodes SET content = '' WHERE seq IN (${each})`, list);
  await refreshContexts(
    memory,
    ns,
    entities.map((entity) => entity.seq),
  );
}
