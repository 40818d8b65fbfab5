/** Opens sessions, and finds the one to write to. */
import { timestamp } from '../../base/clock';
import { conflict, notFound } from '../../base/errors';
import { bareParameter, ofParameter, phrase, tool } from '../../base/phrase';
import { shownId } from '../../base/shown';
import { quoted } from '../../base/text';
import type { Memory, WritableMemory } from '../memory';
import { claimNamespace } from '../namespaces';
import { insertNodes, type NewNode } from '../nodes';
import type { NodeStanding } from '../open-memory';
import { arrivalOf, standingOfName } from '../origins';
import { leaseEnd } from './leases';

export interface OpenSession {
  readonly seq: number;
  readonly id: string;
}

/** The namespace that is written to and, when it is named, made the active one; naming it resets the session. */
export async function enterNamespace(memory: WritableMemory, namespace: string | undefined): Promise<number> {
  if (namespace !== undefined) moveScope(memory, namespace);
  return claimNamespace(memory.sql, memory.scope.namespace);
}

/** Makes a namespace the active one. Its number may still be to be given out. */
export function moveScope({ scope }: WritableMemory, namespace: string): void {
  scope.namespace = namespace;
  scope.session = undefined;
  scope.ended = undefined;
}

/** The process's open session if it still is one: another process may have cleared or closed it. */
export async function currentSession(memory: Memory, ns: number): Promise<OpenSession | undefined> {
  const { session } = memory.scope;
  if (!session) return undefined;
  const row = await memory.sql.get<{ seq: number }>(
    `SELECT seq FROM mem_nodes
     WHERE seq = $seq AND id = $id AND +(seq >> 32) = $ns AND valid_until IS NULL AND tombstoned = 0`,
    { seq: session.seq, id: session.id, ns },
  );
  return row ? session : undefined;
}

/** @param name as somebody called it */
export async function openSession(memory: WritableMemory, ns: number, name: string): Promise<OpenSession> {
  return insertSession(memory, ns, { ...newSession(memory, name), standing: standingOfName(arrivalOf(memory)) });
}

async function insertSession(memory: WritableMemory, ns: number, node: NewNode): Promise<OpenSession> {
  const [session] = await insertNodes(memory, ns, [node]);
  if (!session) throw new Error('inserting one node returned none');
  await holdSession(memory, session);
  return session;
}

/** The node of a session that begins now. @param name what a write that opens one calls it, where it is missing */
export function newSession(memory: Memory, name = nameOfNow(memory)): NewNode {
  return { kind: 'session', content: name, confidence: 1, valid_from: timestamp(memory.clock()) };
}

/** Takes a session that was just made for this process. */
export async function holdSession(memory: WritableMemory, { seq, id }: OpenSession): Promise<void> {
  const { principal, pid, host, client } = memory.holder();
  await memory.sql.run(
    `INSERT INTO mem_sessions (seq, principal, pid, host, client, last_write_at, lease_until)
     VALUES ($seq, $principal, $pid, $host, $client, $now, $until)`,
    { seq, principal, pid, host, client, now: timestamp(memory.clock()), until: leaseEnd(memory) },
  );
  memory.scope.session = { seq, id };
  memory.scope.ended = undefined;
}

function nameOfNow(memory: Memory): string {
  const started = timestamp(memory.clock()).slice(0, 16).replace('T', ' ');
  return `${memory.holder().client} session of ${started}`;
}

/** The session that a write without `session_id` belongs to; opened when the process has none. */
export async function sessionForWriting(memory: WritableMemory, ns: number): Promise<OpenSession> {
  const current = await currentSession(memory, ns);
  if (current) return current;
  return insertSession(memory, ns, newSession(memory));
}

/**
 * The session named by `session_id`, which must be open.
 * @param node what was found by this id
 * @throws SvcError not_found or conflict
 */
export function requireOpenSession<Node extends NodeStanding>(node: Node | undefined, id: string): Node {
  if (node?.kind !== 'session') {
    throw notFound(
      phrase`There is no session ${quoted(id)}${ofParameter('session_id')} in this namespace`,
      phrase`Use an id from ${tool('memory_list_sessions')}, or leave ${bareParameter('session_id')} out to use the current session`,
    );
  }
  if (node.tombstoned === 1 || node.valid_until !== null) {
    throw conflict(
      `The session ${shownId(id)} is ${node.tombstoned === 1 ? 'cleared' : 'closed'}`,
      phrase`Leave ${bareParameter('session_id')} out to use the current session, or open one with ${tool('memory_start_session')}`,
    );
  }
  return node;
}

/** Marks that a session is being written to, so that consolidation does not close it, and renews its holder's lease. */
export async function touchSession(memory: WritableMemory, seq: number): Promise<void> {
  const { pid, host } = memory.holder();
  memory.scope.ended = undefined;
  await memory.sql.run(
    `UPDATE mem_sessions SET last_write_at = $now,
       lease_until = CASE WHEN pid = $pid AND host = $host THEN $until ELSE lease_until END
     WHERE seq = $seq`,
    { seq, pid, host, now: timestamp(memory.clock()), until: leaseEnd(memory) },
  );
}
