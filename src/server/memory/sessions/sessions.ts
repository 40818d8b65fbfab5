/** Opens sessions, and finds the one to write to. */
import { timestamp } from '../../base/clock';
import { conflict, notFound } from '../../base/errors';
import { shownId } from '../../base/shown';
import { quoted } from '../../base/text';
import type { Memory, WritableMemory } from '../memory';
import { claimNamespace } from '../namespaces';
import { findNode, insertNodes } from '../nodes';

export interface OpenSession {
  readonly seq: number;
  readonly id: string;
}

/** The namespace that is written to and, when it is named, made the active one; naming it resets the session. */
export async function enterNamespace(memory: WritableMemory, namespace: string | undefined): Promise<number> {
  if (namespace !== undefined) {
    memory.scope.namespace = namespace;
    memory.scope.session = undefined;
  }
  return claimNamespace(memory.sql, memory.scope.namespace);
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
  if (!row) memory.scope.session = undefined;
  return row ? session : undefined;
}

export async function openSession(memory: WritableMemory, ns: number, name: string): Promise<OpenSession> {
  const now = timestamp(memory.clock());
  const [session] = await insertNodes(memory, ns, [{ kind: 'session', content: name, confidence: 1, valid_from: now }]);
  if (!session) throw new Error('inserting one node returned none');
  const { pid, host, client } = memory.holder();
  await memory.sql.run(
    `INSERT INTO mem_sessions (seq, pid, host, client, last_write_at) VALUES ($seq, $pid, $host, $client, $now)`,
    { seq: session.seq, pid, host, client, now },
  );
  memory.scope.session = session;
  return session;
}

/** The session that a write without `session_id` belongs to; opened when the process has none. */
export async function sessionForWriting(memory: WritableMemory, ns: number): Promise<OpenSession> {
  const current = await currentSession(memory, ns);
  if (current) return current;
  const started = timestamp(memory.clock()).slice(0, 16).replace('T', ' ');
  return openSession(memory, ns, `${memory.holder().client} session of ${started}`);
}

/**
 * The session named by `session_id`, which must be open.
 * @throws SvcError not_found or conflict
 */
export async function namedSession(memory: WritableMemory, ns: number, id: string): Promise<OpenSession> {
  const node = await findNode(memory.sql, ns, id);
  if (node?.kind !== 'session') {
    throw notFound(
      `There is no session ${quoted(id)} (parameter "session_id") in this namespace`,
      'Use an id from memory_list_sessions, or leave session_id out to use the current session',
    );
  }
  if (node.tombstoned === 1 || node.valid_until !== null) {
    throw conflict(
      `The session ${shownId(id)} is ${node.tombstoned === 1 ? 'cleared' : 'closed'}`,
      'Leave session_id out to use the current session, or open one with memory_start_session',
    );
  }
  return node;
}

/** Marks that a session is being written to, so that consolidation does not close it. */
export async function touchSession(memory: WritableMemory, seq: number): Promise<void> {
  await memory.sql.run('UPDATE mem_sessions SET last_write_at = $now WHERE seq = $seq', {
    seq,
    now: timestamp(memory.clock()),
  });
}
