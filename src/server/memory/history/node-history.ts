/** What happened to one node. */

import { timestamp } from '../../base/clock';
import { isSamePlace } from '../code/touches';
import { OWN_LAYER } from '../layers';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { findNode, unknownNode } from '../nodes';
import type { Standing } from '../origins';
import { locateMemory } from '../verify';
import { type Action, actionOf } from './operations';

export interface NodeState {
  readonly confidence: number;
  readonly valid_until: string | null;
  readonly tombstoned: 0 | 1;
  readonly standing: Standing;
}

/** What is no operation of the store. */
export const OF_FILES = ['anchor', 'commit', 'replace'] as const;

export interface HistoryEvent {
  readonly at: string;
  /**
   * `anchor`: its code is in another place than it was linked to. `commit`: its file was changed, as Git has it. `replace`: its
   * file says that it takes the place of the other one.
   */
  readonly action: Action | (typeof OF_FILES)[number];
  /** What undo takes; null for what cannot be undone. */
  readonly operation: number | null;
  /** The operation that took it back. */
  readonly undone_by: number | null;
  /** What an `undo` took back, and what a `redo` did again, where the history of this node tells. */
  readonly of: Exclude<HistoryEvent['action'], 'undo' | 'redo'> | null;
  /** What was called, and by whom; null where that was not kept. */
  readonly tool: string | null;
  readonly client: string | null;
  readonly host: string | null;
  readonly pid: number | null;
  /** How it was before and after; null where nothing of it changed. */
  readonly before: NodeState | null;
  readonly after: NodeState | null;
  /** The other node: the one that superseded it, or that it is kept beside, or has taken the place of. */
  readonly other_id: string | null;
  /** For `anchor`: places as `path#name`, and why. */
  readonly moved: { readonly from: string; readonly to: string; readonly why: string } | null;
  /** For `commit`: which one, and by whom. */
  readonly commit?: { readonly id: string; readonly author: string } | undefined;
  /** It got reasons that it lacked along with that; of what takes that back, or does it again, what went with it. */
  readonly filled?: true | undefined;
}

export interface NodeHistory {
  readonly node_id: string;
  /** Oldest first; the first one is how it was stored. */
  readonly events: HistoryEvent[];
}

interface Who {
  readonly tool: string | null;
  readonly client: string | null;
  readonly host: string | null;
  readonly pid: number | null;
}

interface ChangeRow extends Who {
  readonly at: string;
  readonly action: Action;
  readonly operation: number;
  readonly undone_by: number | null;
  readonly undoes: number | null;
  readonly before: string;
  readonly after: string | null;
  readonly other_id: string | null;
  readonly fills: 0 | 1;
}

/**
 * What happened to a memory, an entity or a session, by whom. Of a shared one, with what happened to it before it was shared,
 * on the machine where that was.
 * @param also what is known of it beside that
 * @throws SvcError not_found
 */
export async function nodeHistory(
  memory: Memory,
  nodeId: string,
  also: readonly FoundEvent[] = [],
): Promise<NodeHistory> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const found = await findNode(memory.sql, ns, nodeId);
  if (!found) throw unknownNode(nodeId, 'id');
  const node = (await sharedFrom(memory, ns, nodeId)) ?? found;
  const { seq } = node;
  const changes = await memory.sql.all<ChangeRow>(
    `SELECT o.at, h.action, o.id AS operation, o.undone_by, o.undoes, o.tool, o.client, o.host, o.pid,
            h.before, h.after,
            CASE WHEN json_valid(h.side) THEN coalesce(h.side ->> 'superseded_by', h.side ->> 'kept_beside') END AS other_id,
            CASE WHEN json_valid(h.side) AND h.action NOT IN ('fill', 'undo', 'redo')
                 THEN h.side ->> 'filled' IS NOT NULL ELSE 0 END AS fills
     FROM mem_history AS h JOIN mem_operations AS o ON o.id = h.operation
     WHERE h.node = $seq AND o.ns = $ns ORDER BY o.id`,
    { seq, ns },
  );
  // Done in its file as well, it is one step, which the file tells.
  const along = new Set(also.map((one) => one.along));
  const events: FoundEvent[] = [
    ...changes
      .filter(({ operation }) => !along.has(operation))
      .map(({ before, after, fills, ...change }) => ({
        ...change,
        ...(fills === 1 ? { filled: true as const } : {}),
        action: actionOf(change),
        ...(before === after ? NO_CHANGE : { before: stateOf(before), after: stateOf(after) }),
        moved: null,
      })),
    ...(await movesOf(memory, node)).map((moved) => ({
      ...NOBODY,
      ...NO_CHANGE,
      ...moved,
      action: 'anchor' as const,
    })),
    ...also,
    ...(await replacedInFiles(memory, ns, found)).filter(({ other_id }) =>
      also.every((one) => one.action !== 'supersede' || one.other_id !== other_id || one.undone_by !== null),
    ),
  ];
  // The sort is stable: at one moment operations stay in their order.
  events.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : orderOf(a) > orderOf(b) ? 1 : 0));
  const all = [await stored(memory, ns, seq, node.recorded_at), ...events];
  return {
    node_id: nodeId,
    events: all.map(({ undoes, along: _, ...event }) => {
      const turned = turnedRound(all, undoes);
      return { ...event, of: turned?.action ?? null, ...(turned?.filled ? { filled: true as const } : {}) };
    }),
  };
}

/** Git knows the second of a commit: in that second it comes last, because what it has was written before it. */
function orderOf({ action, at }: FoundEvent): string {
  return action === 'commit' ? at.replace(/\.\d+Z$/, '.999Z') : at;
}

/** As it is read: alone, an event does not tell what it took back. */
export interface FoundEvent extends Omit<HistoryEvent, 'of'> {
  /** The operation that it takes back. */
  readonly undoes?: number | null;
  /** Of a change in its file, the operation of the store that goes with it. */
  readonly along?: number | undefined;
}

/** What an event that takes back, or does again, did so with in the end. */
function turnedRound(all: readonly FoundEvent[], operation: number | null | undefined): Turned | undefined {
  const turned = operation ? all.find((one) => one.operation === operation) : undefined;
  if (!turned || !operation) return undefined;
  const { action, undoes, filled } = turned;
  if (action !== 'undo' && action !== 'redo') return { action, filled };
  // What is taken back came before: a file that somebody else wrote may say otherwise, in a circle.
  return undoes && undoes < operation ? turnedRound(all, undoes) : undefined;
}

interface Turned extends Pick<HistoryEvent, 'filled'> {
  readonly action: NonNullable<HistoryEvent['of']>;
}

type Known = Readonly<Record<'id' | 'recorded_at', string>> & { readonly seq: number };

/** The row of the store in whose place a shared memory is. A stranger may have written its id into a file. */
async function sharedFrom({ sql, shared }: Memory, ns: number, id: string): Promise<Known | undefined> {
  if (!shared.has(id) || shared.foreign) return undefined;
  return sql.get<Known>(
    `SELECT id, recorded_at, seq FROM ${OWN_LAYER}.mem_nodes WHERE id = $id AND +(seq >> 32) = $ns`,
    { id, ns },
  );
}

/** The files that say that they take the place of a shared memory: nothing of it changes in the store. */
async function replacedInFiles(memory: Memory, ns: number, { seq, id }: Known): Promise<FoundEvent[]> {
  if (!memory.shared.has(id) || memory.shared.foreign) return [];
  const newer = await memory.sql.all<Known>(
    `SELECT n.seq, n.id, n.recorded_at FROM mem_edges AS e CROSS JOIN mem_nodes AS n ON n.seq = e.src
     WHERE e.type = 'SUPERSEDES' AND e.dst = $seq AND +(n.seq >> 32) = $ns`,
    { seq, ns },
  );
  return Promise.all(
    newer.map(async (one) => {
      const own = (await sharedFrom(memory, ns, one.id)) ?? one;
      const arrived = await stored(memory, ns, own.seq, own.recorded_at);
      return { ...arrived, action: 'supersede' as const, operation: null, undone_by: null, other_id: one.id };
    }),
  );
}

/** Where its code stands that is not where it was linked; the time is that of the file, since nobody keeps a record. */
async function movesOf(
  memory: Memory,
  { id, recorded_at }: Known,
): Promise<Required<Pick<HistoryEvent, 'at' | 'moved'>>[]> {
  const found: Required<Pick<HistoryEvent, 'at' | 'moved'>>[] = [];
  for (const { key, now } of await locateMemory(memory, id)) {
    if (!now.symbol || isSamePlace(key, now.symbol)) continue;
    const { file_path, name } = now.symbol;
    const placed = timestamp((await memory.code.placedAt?.(file_path)) ?? memory.clock());
    const moved = {
      from: `${key.file_path}#${key.name}`,
      to: `${file_path}#${name}`,
      why: file_path === key.file_path ? 'renamed' : name === key.name ? 'moved' : 'moved and renamed',
    };
    // What is remembered was on the code before that, whatever clock the disk has.
    found.push({ at: placed < recorded_at ? recorded_at : placed, moved });
  }
  return found;
}

const NO_CHANGE = { before: null, after: null };
const NOBODY = { operation: null, undone_by: null, tool: null, client: null, host: null, pid: null, other_id: null };

/** Nodes stored before histories were kept tell by their session who stored them. */
async function stored(memory: Memory, ns: number, seq: number, recordedAt: string): Promise<FoundEvent> {
  const operation = await memory.sql.get<Who & { operation: number; undone_by: number | null; at: string }>(
    `SELECT id AS operation, undone_by, at, tool, client, host, pid FROM mem_operations
     WHERE created_from = (SELECT max(created_from) FROM mem_operations WHERE created_from <= $seq)
       AND created_to >= $seq AND ns = $ns`,
    { seq, ns },
  );
  const holder =
    operation ??
    (await memory.sql.get<Omit<Who, 'tool'>>(
      `SELECT s.client, s.host, s.pid FROM mem_nodes AS n
       JOIN mem_sessions AS s ON s.seq = CASE n.kind WHEN 'session' THEN n.seq ELSE n.session END
       WHERE n.seq = $seq AND +(n.seq >> 32) = $ns`,
      { seq, ns },
    ));
  return { ...NOBODY, ...NO_CHANGE, action: 'store', moved: null, at: recordedAt, ...holder };
}

type StateTuple = [number, string | null, 0 | 1, Standing];

/** JSON of NODE_STATE; null for what is none, as a file that somebody else wrote may hold. */
function stateOf(json: string | null): NodeState | null {
  try {
    const [confidence, valid_until, tombstoned, standing] = JSON.parse(json ?? '[]') as Partial<StateTuple>;
    if (typeof confidence !== 'number' || valid_until === undefined || tombstoned === undefined) return null;
    return { confidence, valid_until, tombstoned, standing: standing ?? 'stored' };
  } catch {
    return null;
  }
}
