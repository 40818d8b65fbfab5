/** Ends a session with its summary. */
import { timestamp } from '../../base/clock';
import { queueConsolidation } from '../consolidation/jobs';
import { insertEdges } from '../edges';
import { recorded, recordStored } from '../history/operations';
import type { WritableMemory } from '../memory';
import { insertNodes } from '../nodes';
import { enterNamespace, sessionForWriting } from './sessions';

export interface EndedSession {
  readonly closed_session_id: string;
  readonly outcome_id: string;
}

/** Closes the session with its summary as an outcome; opens one first when none is open, so that no summary is lost. */
export async function endSession(memory: WritableMemory, summary: string): Promise<EndedSession> {
  const ns = await enterNamespace(memory, undefined);
  const session = await sessionForWriting(memory, ns);
  const now = timestamp(memory.clock());
  const [outcome] = await insertNodes(memory, ns, [
    { kind: 'outcome', content: summary, confidence: 1, valid_from: now, session: session.seq },
  ]);
  if (!outcome) throw new Error('inserting one node returned none');
  await insertEdges(memory.sql, [{ type: 'OCCURRED_IN', src: outcome.seq, dst: session.seq }]);
  await recorded(memory, ns, 'end', [{ seq: session.seq }], () =>
    memory.sql.run('UPDATE mem_nodes SET valid_until = $now WHERE seq = $seq', { seq: session.seq, now }),
  );
  await recordStored(memory, ns, outcome.seq, outcome.seq);
  await queueConsolidation(memory, ns);
  memory.scope.session = undefined;
  return { closed_session_id: session.id, outcome_id: outcome.id };
}
