/** Goes on with the session that a person began in the window before it was reloaded, or its store was restored. */
import { timestamp } from '../base/clock';
import { processIsAlive } from '../base/process-is-alive';
import { type HeldOnce, namedSessionsOf, takeSession } from '../memory/sessions/resume-session';
import type { Project } from './open';

/** The process of the window before may take that long to end. */
const LOOK_FOR_MS = 30_000;

const lookedSince = new WeakMap<Project, number>();

/**
 * A session that a person has named goes on until they end it. One that a write has opened by itself does not: what is
 * stored another day is another session.
 * @returns the same project, which may have an open session now; it never fails, as reading goes on without a session
 */
export async function withSessionLeft(project: Project): Promise<Project> {
  const { memory, access } = project;
  if (memory.scope.session || memory.scope.ended || access !== 'own') return project;
  const now = memory.clock();
  const since = lookedSince.get(project) ?? now;
  lookedSince.set(project, since);
  if (now - since > LOOK_FOR_MS) return project;
  try {
    await takeLeft(project, now);
  } catch (error) {
    project.log(`the session that was left open was not taken: ${String(error)}`);
  }
  return project;
}

async function takeLeft({ memory, store, leases }: Project, now: number): Promise<void> {
  const own = memory.holder().pid;
  // One of this process was left with the store that was lost, and is back with its backup.
  const isLeft = ({ pid, lease_until }: HeldOnce): boolean =>
    pid === own || lease_until <= timestamp(now) || !processIsAlive(pid);
  const left = (await namedSessionsOf(memory)).find(isLeft);
  if (!left) return;
  // Of two windows that ask at once, one has it.
  const isOurs = await store.transact((sql) => takeSession(sql, memory, left));
  if (!isOurs || memory.scope.session) return;
  memory.scope.session = { seq: left.seq, id: left.id };
  leases.note(memory.scope);
}
