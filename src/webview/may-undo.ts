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
    const tookBack = events.find((one) => one.undone_by === operation);
    // What was done and taken back since has left it as it was.
    if (action === 'undo' || action === 'redo') {
      return after !== null && tookBack !== undefined && events.indexOf(tookBack) < events.indexOf(event);
    }
    return event.action === 'store' || after !== null;
  });
}
