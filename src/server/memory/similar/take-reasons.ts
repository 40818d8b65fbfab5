/** Keeps the reasons of a memory when one that says nearly the same takes its place. */
import { recorded } from '../history/operations';
import { applySideEffects, type FilledFields } from '../history/side-effects';
import type { WritableMemory } from '../memory';
import { arrivalOf } from '../origins';
import { refreshContexts } from '../refresh-contexts';

interface Row {
  readonly seq: number;
  readonly id: string;
  /** What the newer one lacks and the older one has. */
  readonly rationale: string | null;
  readonly alternatives_rejected: string | null;
}

/**
 * Fills what the newer ones lack of the reasons; a person's only where a person asks for it. To be done before the older ones are closed.
 * @param pairs row numbers
 */
export async function takeReasons(
  memory: WritableMemory,
  ns: number,
  pairs: readonly { readonly newer: number; readonly older: number }[],
): Promise<void> {
  const closed = new Set(pairs.map(({ older }) => older));
  // One that is closed itself in the same act is nobody's answer any more.
  const lasting = pairs.filter(({ newer }) => !closed.has(newer));
  const rows = await memory.sql.all<Row>(
    `SELECT newer.seq, newer.id,
            iif(newer.rationale IS NULL, older.rationale, NULL) AS rationale,
            iif(newer.alternatives_rejected IS NULL, older.alternatives_rejected, NULL) AS alternatives_rejected
     FROM json_each($pairs) AS pair
     CROSS JOIN mem_nodes AS newer ON newer.seq = pair.value ->> 0
     CROSS JOIN mem_nodes AS older ON older.seq = pair.value ->> 1
     WHERE +(newer.seq >> 32) = $ns AND (newer.standing <> 'confirmed' OR $person = 1)
       AND (newer.rationale IS NULL AND older.rationale IS NOT NULL
            OR newer.alternatives_rejected IS NULL AND older.alternatives_rejected IS NOT NULL)`,
    {
      pairs: JSON.stringify(lasting.map(({ newer, older }) => [newer, older])),
      ns,
      person: arrivalOf(memory).standing === 'confirmed' ? 1 : 0,
    },
  );
  // Of several older ones the first that has them gives them.
  for (const row of new Map(rows.toReversed().map((one) => [one.seq, one])).values()) {
    const filled: FilledFields = {
      ...(row.rationale === null ? {} : { rationale: row.rationale }),
      ...(row.alternatives_rejected === null ? {} : { alternatives_rejected: row.alternatives_rejected }),
    };
    await recorded(memory, ns, 'fill', [{ seq: row.seq, side: { filled } }], () =>
      applySideEffects(memory, ns, row, { filled }),
    );
    await refreshContexts(memory, ns, [row.seq]);
  }
}
