import { describe, expect, test } from 'vitest';
import type { HistoryEvent } from '../../../src/protocol/explorer';
import { mayUndo } from '../../../src/webview/may-undo';

const event = (action: HistoryEvent['action'], more: Partial<HistoryEvent> = {}): HistoryEvent => ({
  ...{ at: '2026-11-28T02:00:00.000Z', action, operation: 1, undone_by: null, client: null, moved: null, of: null },
  ...{ before: null, after: null, ...more },
});
const state = { confidence: 0.9, valid_until: null, tombstoned: 0 as const };
const undoable = (events: readonly HistoryEvent[]): boolean[] => events.map((one) => mayUndo(events, one));

describe('what can be taken back of a history', () => {
  test('is the last change, and what did not change it since', () => {
    const confirm = event('confirm', { before: state, after: state });
    expect(undoable([event('store'), confirm])).toEqual([false, true]);
    expect(undoable([event('store'), confirm, event('link')])).toEqual([false, true, true]);
    expect(undoable([event('store'), confirm, event('refute', { after: state })])).toEqual([false, false, true]);
  });

  test('is what came before a change that was taken back itself, and the taking back', () => {
    const confirm = event('confirm', { before: state, after: state, undone_by: 2 });
    expect(undoable([event('store'), confirm, event('undo', { operation: 2, after: state })])).toEqual([
      true,
      false,
      true,
    ]);
    // The link is of the state that the undoing has changed.
    const undoing = event('undo', { operation: 3, after: state });
    const taken = event('confirm', { before: state, after: state, undone_by: 3 });
    expect(undoable([taken, event('link', { operation: 2 }), undoing])).toEqual([false, false, true]);
    expect(undoable([event('store'), event('anchor', { operation: null })])).toEqual([true, false]);
  });
});
