/** Says which changes of a history can be taken back. */
import type { HistoryEvent } from '../protocol/explorer';

/**
 * Whether it can be taken back, as far as this memory tells: what came later on it has to be taken back first. A change of
 * several memories may be refused for another one.
 */
export function mayUndo(events: readonly HistoryEvent[], event: HistoryEvent): boolean {
  if (event.operation === null || event.undone_by !== null) return false;
  const later = events.slice(events.indexOf(event) + 1);
  return !later.some(({ operation, undone_by, action, after }) => {
    if (operation === null || undone_by !== null) return false;
    if (action !== 'undo' && action !== 'redo') return event.action === 'store' || after !== null;
    // What was done and taken back since has left it as it was.
    const tookBack = events.findIndex((one) => one.undone_by === operation);
    return after !== null && tookBack !== -1 && tookBack < events.indexOf(event);
  });
}
