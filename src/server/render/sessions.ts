/** Prints sessions and who holds them. */
import { shownId, shownMinute } from '../base/shown';
import { oneLine } from '../base/text';
import type { HeldSession, SessionHolder } from '../memory/sessions/held-sessions';
import { marksOf } from './line';

/** One session a line, and who holds it. */
export function renderSessions(sessions: readonly HeldSession[]): string {
  return sessions.map(line).join('\n');
}

function line(session: HeldSession): string {
  const { id, content, topic, recorded_at, namespace, node_count, holder, current } = session;
  const marks = [
    stateOf(session),
    oneLine(namespace),
    `${node_count} stored`,
    ...(holder ? [held(holder, stateOf(session))] : []),
  ];
  return `- [${shownId(id)}] ${shownMinute(recorded_at)}${current ? ' (this one)' : ''} · ${marks.join(' · ')}${marksOf(session.marks)} — ${oneLine(topic ?? content)}`;
}

function stateOf({ tombstoned, valid_until }: HeldSession): string {
  if (tombstoned === 1) return 'cleared';
  return valid_until === null ? 'open' : 'closed';
}

/** Of a session that is no longer open there is nothing to hold. */
function held({ client, pid, host, alive }: SessionHolder, state: string): string {
  const where = `${oneLine(client)} (${pid} on ${oneLine(host)}`;
  return `${where}${state !== 'open' ? '' : alive ? ', holds it' : ', left it'})`;
}
