/** Ends a session with its summary. */
import { timestamp } from '../../base/clock';
import { conflict } from '../../base/errors';
import { phrase, tool } from '../../base/phrase';
import { queueConsolidation } from '../consolidation/jobs';
import { edgesStatement } from '../edges';
import { recorded, recordStored } from '../history/operations';
import type { WritableMemory } from '../memory';
import { insertNodes } from '../nodes';
import { arrivalOf, claimOrigin } from '../origins';
import { currentSession, enterNamespace, sessionForWriting } from './sessions';

export interface EndedSession {
  readonly closed_session_id: string;
  readonly outcome_id: string;
}

/**
 * Closes the session with its summary as an outcome; opens one first when none is open, so that no summary is lost.
 * @throws SvcError conflict when this process has ended one, and stored nothing since
 */
export async function endSession(memory: WritableMemory, summary: string): Promise<EndedSession> {
  const ns = await enterNamespace(memory, undefined);
  const { ended } = memory.scope;
  if (ended && !(await currentSession(memory, ns)) && (await isClosed(memory, ns, ended.id))) throw endedAlready(ended);
  const session = await sessionForWriting(memory, ns);
  const now = timestamp(memory.clock());
  const { origin, standing } = arrivalOf(memory);
  const [outcome] = await insertNodes(memory, ns, [
    {
      kind: 'outcome',
      content: summary,
      confidence: 1,
      valid_from: now,
      session: session.seq,
      origin: await claimOrigin(memory, origin),
      standing,
    },
  ]);
  if (!outcome) throw new Error('inserting one node returned none');
  await recorded(memory, ns, 'end', [{ seq: session.seq }], () =>
    memory.sql.batch([
      edgesStatement([{ type: 'OCCURRED_IN', src: outcome.seq, dst: session.seq }]),
      { sql: 'UPDATE mem_nodes SET valid_until = $now WHERE seq = $seq', parameters: { seq: session.seq, now } },
    ]),
  );
  await recordStored(memory, ns, outcome.seq, outcome.seq);
  await queueConsolidation(memory, ns);
  memory.scope.session = undefined;
  memory.scope.ended = { id: session.id, at: now };
  return { closed_session_id: session.id, outcome_id: outcome.id };
}

/** Not so when that has been taken back meanwhile. */
async function isClosed(memory: WritableMemory, ns: number, id: string): Promise<boolean> {
  const closed = await memory.sql.get(
    'SELECT 1 FROM mem_nodes WHERE id = $id AND +(seq >> 32) = $ns AND valid_until IS NOT NULL AND tombstoned = 0',
    { id, ns },
  );
  return closed !== undefined;
}

function endedAlready({ id, at }: { readonly id: string; readonly at: string }): Error {
  return conflict(
    `There is no open session; the last one, ${id}, was ended at ${at}`,
    phrase`Its summary is kept. What is left to say can be stored with ${tool('memory_store')}`,
  );
}
