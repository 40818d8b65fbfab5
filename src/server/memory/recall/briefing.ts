/** The briefing for `project context`. */

import { KINDS, MEMORY_KINDS } from '../../../kinds/kinds';
import { DAY_MS, timestamp } from '../../base/clock';
import { latestValid, VALID, validAt } from '../clock-ahead';
import { marked } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { RANKED_COLUMNS, type RankedItem, type Recalled, type RecallInput } from './recall';

/** Outcomes of sessions that ended earlier are left out: docs/behaviour.md, "Briefing". */
const BRIEFING_DAYS = 30;
const MAX_ITEMS = 40;
/** The latest of these lead, so that the next session knows where the last one stopped. */
const LEADING_OUTCOMES = 1;

export function asksForBriefing(query: string): boolean {
  return query.trim().replace(/\s+/g, ' ').toLowerCase() === 'project context';
}

/**
 * Decisions, procedures, preferences and session outcomes of the last 30 days, newest first; then older standing
 * decisions and conventions. The last session's outcome leads.
 */
export async function briefing(memory: Memory, input: RecallInput): Promise<Recalled> {
  const ns = await namespaceNumber(memory.sql, input.namespace ?? memory.scope.namespace);
  const at = validAt(memory, input.as_of);
  const { asOf } = at;
  const since = timestamp(Date.parse(asOf) - BRIEFING_DAYS * DAY_MS);
  // Kind by kind, so that the index on kind and valid_from gives the newest of each without a sort.
  const newestOf = (kind: string, condition: string): string =>
    `SELECT * FROM (
       SELECT ${RANKED_COLUMNS} FROM mem_nodes AS n LEFT JOIN mem_nodes AS s ON s.seq = n.session
       WHERE n.seq >> 32 = $ns AND n.kind = '${kind}' AND n.tombstoned = 0 AND n.valid_from <= $latest
         AND ${VALID} AND n.confidence >= $minConfidence
         AND ($kinds = '[]' OR n.kind IN (SELECT value FROM json_each($kinds))) ${condition}
       ORDER BY n.valid_from DESC LIMIT ${MAX_ITEMS})`;
  const found = await memory.sql.all<RankedItem>(
    `${[
      ...MEMORY_KINDS.filter((kind) => KINDS[kind].standing).map((kind) => newestOf(kind, '')),
      newestOf(
        'outcome',
        `AND n.valid_from >= $since AND EXISTS (SELECT 1 FROM mem_edges WHERE type = 'OCCURRED_IN' AND src = n.seq)`,
      ),
    ].join(' UNION ALL ')} ORDER BY valid_from DESC, recorded_at DESC, seq DESC LIMIT ${MAX_ITEMS}`,
    {
      ns,
      ...at,
      latest: latestValid(at),
      since,
      minConfidence: input.min_confidence,
      kinds: JSON.stringify(input.kinds),
    },
  );
  const rows = found.map((item) => marked(memory, item));
  const outcomes = rows.filter((item) => item.kind === 'outcome').slice(0, LEADING_OUTCOMES);
  return { items: [...outcomes, ...rows.filter((item) => !outcomes.includes(item))], asOf };
}
