/** Finds the session that a command goes on with. */
import { conflict, notFound } from '../../base/errors';
import { phrase, tool } from '../../base/phrase';
import { shownId, shownTime } from '../../base/shown';
import { quoted } from '../../base/text';
import type { Writer } from '../../db/sql';
import type { Memory, WritableMemory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { findNode } from '../nodes';
import { leaseEnd } from './leases';
import { isUnnamed } from './session-names';
import { currentSession, type OpenSession } from './sessions';

/**
 * The newest open session in the active namespace that a process of this client opened: how the commands of one
 * person make up one session (docs/behaviour.md, "Process state").
 */
export async function newestSessionOf(memory: Memory, client: string): Promise<OpenSession | undefined> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  return memory.sql.get<OpenSession>(
    `SELECT n.seq, n.id FROM mem_nodes AS n JOIN mem_sessions AS s ON s.seq = n.seq
     WHERE n.seq >> 32 = $ns AND n.kind = 'session' AND n.tombstoned = 0 AND n.valid_until IS NULL
       AND s.client = $client AND s.principal IS $principal
     ORDER BY n.seq DESC LIMIT 1`,
    { ns, client, principal: memory.holder().principal },
  );
}

/**
 * Goes on with a session of this client that is open again, unless another one has begun meanwhile: whoever takes back its
 * end is in it, as before.
 * @param ids of what the undoing has brought back
 */
export async function goOnWithReopened(memory: WritableMemory, ids: readonly string[]): Promise<void> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  if (await currentSession(memory, ns)) return;
  const { principal, pid, host, client } = memory.holder();
  const session = await memory.sql.get<OpenSession>(
    `SELECT n.seq, n.id FROM json_each($ids) AS one CROSS JOIN mem_nodes AS n ON n.id = one.value
     CROSS JOIN mem_sessions AS s ON s.seq = n.seq
     WHERE +(n.seq >> 32) = $ns AND n.valid_until IS NULL AND n.tombstoned = 0 AND s.client = $client AND s.host = $host AND s.principal IS $principal
     ORDER BY n.seq DESC LIMIT 1`,
    { ids: JSON.stringify(ids), ns, client, host, principal },
  );
  if (!session) return;
  await memory.sql.run('UPDATE mem_sessions SET pid = $pid, lease_until = $until WHERE seq = $seq', {
    ...{ seq: session.seq, pid, until: leaseEnd(memory) },
  });
  memory.scope.session = session;
  memory.scope.ended = undefined;
}

/** A session that somebody holds, or has held. */
export interface HeldOnce extends OpenSession {
  readonly pid: number;
  readonly lease_until: string;
}

/** Open sessions with a name that processes of this client and host have opened in the active namespace, newest first. */
export async function namedSessionsOf(memory: Memory): Promise<HeldOnce[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const { client, host, principal } = memory.holder();
  return memory.sql.all<HeldOnce>(
    `SELECT n.seq, n.id, s.pid, s.lease_until FROM mem_nodes AS n JOIN mem_sessions AS s ON s.seq = n.seq
     WHERE n.seq >> 32 = $ns AND n.kind = 'session' AND n.tombstoned = 0 AND n.valid_until IS NULL
       AND NOT ${isUnnamed('n')} AND s.client = $client AND s.host = $host AND s.principal IS $principal
     ORDER BY n.seq DESC`,
    { ns, client, host, principal },
  );
}

/** @returns false where another process has taken it, or its holder has written, since it was looked at */
export async function takeSession(
  sql: Writer,
  memory: Pick<Memory, 'clock' | 'holder'>,
  { seq, pid, lease_until }: HeldOnce,
): Promise<boolean> {
  const changes = await sql.run(
    `UPDATE mem_sessions SET pid = $own, lease_until = $until
     WHERE seq = $seq AND pid = $pid AND lease_until = $lease_until`,
    { seq, pid, lease_until, own: memory.holder().pid, until: leaseEnd(memory) },
  );
  return changes > 0;
}

/** The session that this client's commands ended last, when none of them stored anything after it. */
export async function lastEndedOf(
  memory: Memory,
  client: string,
): Promise<{ readonly id: string; readonly at: string } | undefined> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const newest = await memory.sql.get<{ id: string; at: string | null }>(
    `SELECT n.id, n.valid_until AS at FROM mem_nodes AS n JOIN mem_sessions AS s ON s.seq = n.seq
     WHERE n.seq >> 32 = $ns AND n.kind = 'session' AND n.tombstoned = 0
       AND s.client = $client AND s.principal IS $principal
     ORDER BY n.seq DESC LIMIT 1`,
    { ns, client, principal: memory.holder().principal },
  );
  return newest?.at == null ? undefined : { id: newest.id, at: newest.at };
}

/**
 * The open session with this id in the active namespace, no matter who opened it.
 * @throws SvcError not_found or conflict
 */
export async function sessionToResume(memory: Memory, id: string): Promise<OpenSession> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const node = await findNode(memory.sql, ns, id);
  const elsewhere = phrase`Take the id of an open one from ${tool('memory_list_sessions')}, or leave --session out`;
  if (node?.kind !== 'session') {
    throw notFound(`There is no session ${quoted(id)} in the namespace ${quoted(memory.scope.namespace)}`, elsewhere);
  }
  if (node.tombstoned === 1) throw conflict(`The session ${shownId(id)} is cleared`, elsewhere);
  if (node.valid_until !== null)
    throw conflict(`The session ${shownId(id)} was closed at ${shownTime(node.valid_until)}`, elsewhere);
  return { seq: node.seq, id: node.id };
}
