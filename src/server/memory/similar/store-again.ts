/** What storing again what is stored already does. */
import { recorded } from '../history/operations';
import { applySideEffects, type FilledFields } from '../history/side-effects';
import type { WritableMemory } from '../memory';
import { arrivalOf } from '../origins';
import { refreshContexts } from '../refresh-contexts';
import { storable } from '../text/search-terms';
import { noteUses } from '../use-counts';
import type { SameMemory } from './find-same';

/** The reasons that the new call gives. */
export interface Reasons {
  readonly rationale: string | undefined;
  readonly alternatives_rejected: readonly string[];
}

/**
 * Counts a use of the memory that is there. Fills what it lacks of the reasons, unless it is a person's, or what is
 * stored waits for one. A person who says it confirms it.
 */
export async function storeAgain(
  memory: WritableMemory,
  ns: number,
  same: SameMemory,
  reasons: Reasons,
): Promise<void> {
  await noteUses(memory.sql, [{ seq: same.seq, id: same.id, uses: 1, size: null }]);
  const { standing } = arrivalOf(memory);
  const confirms = standing === 'confirmed' && same.standing !== 'confirmed';
  const mayFill = standing === 'confirmed' || (standing === 'stored' && same.standing !== 'confirmed');
  const filled = mayFill ? missing(same, reasons) : undefined;
  if (!filled && !confirms) return;
  const side = filled ? { filled } : undefined;
  await recorded(memory, ns, filled ? 'fill' : 'confirm', [{ seq: same.seq, side }], async () => {
    if (confirms) {
      await memory.sql.run("UPDATE mem_nodes SET standing = 'confirmed' WHERE seq = $seq AND +(seq >> 32) = $ns", {
        ...{ seq: same.seq, ns },
      });
    }
    if (!filled) return;
    await applySideEffects(memory, ns, same, { filled });
    await refreshContexts(memory, ns, [same.seq]);
  });
}

/** What it lacks of the reasons. */
export function missing(
  same: Pick<SameMemory, 'rationale' | 'alternatives_rejected'>,
  { rationale, alternatives_rejected: rejected }: Reasons,
): FilledFields | undefined {
  const filled = {
    ...(same.rationale === null && rationale !== undefined ? { rationale: storable(rationale) } : {}),
    ...(same.alternatives_rejected === null && rejected.length > 0
      ? { alternatives_rejected: JSON.stringify(rejected.map(storable)) }
      : {}),
  };
  return Object.keys(filled).length === 0 ? undefined : filled;
}
