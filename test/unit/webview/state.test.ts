import { describe, expect, test } from 'vitest';
import {
  changeWhose,
  go,
  goBack,
  goForward,
  INITIAL_STATE,
  restored,
  toggleKind,
  usableBudget,
} from '../../../src/webview/state';

describe('the state of the explorer', () => {
  test('keeps the way back and the way forward', () => {
    const page = go(go(INITIAL_STATE, { view: 'timeline' }), { view: 'memory', id: 'd_one' });
    const back = goBack(page);
    expect(back.place).toEqual({ view: 'timeline' });
    expect(goBack(back).place).toEqual({ view: 'search' });
    expect(goForward(back)).toEqual(page);
    expect(go(back, { view: 'graph' }).forward).toEqual([]);
    expect(goBack(INITIAL_STATE)).toBe(INITIAL_STATE);
    expect(goForward(page)).toBe(page);
  });

  test('stays where it is when one goes where one is', () => {
    const page = go(INITIAL_STATE, { view: 'memory', id: 'd_one' });
    expect(go(page, { view: 'memory', id: 'd_one' })).toBe(page);
    expect(go(page, { view: 'memory', id: 'd_two' }).back).toHaveLength(2);
  });

  test('remembers a bounded way', () => {
    let state = INITIAL_STATE;
    for (let i = 0; i < 200; i++) state = go(state, { view: 'memory', id: `f_${i}` });
    expect(state.back).toHaveLength(50);
    expect(goBack(state).place.id).toBe('f_198');
  });

  test('leaves everything that has an id when the folder or the namespace changes', () => {
    const page = {
      ...go(INITIAL_STATE, { view: 'memory', id: 'd_one' }),
      folder: 'file:///a',
      timeline: { topic: 'store', kinds: [], range: { from: 1, to: 2 } },
      draft: { id: 'd_one', content: 'another', before: null, rationale: null, rejected: null },
    };
    const other = changeWhose(page, 'file:///b', '');
    expect(other).toMatchObject({ folder: 'file:///b', place: { view: 'search' }, back: [], forward: [], draft: null });
    expect(other.timeline).toEqual({ topic: 'store', kinds: [], range: null });
    expect(changeWhose(page, 'file:///a', 'other')).toMatchObject({ namespace: 'other', place: { view: 'search' } });
    expect(changeWhose(page, 'file:///a', '')).toBe(page);
    const graph = changeWhose(go(page, { view: 'graph', id: 'e_one' }), 'file:///b', '');
    expect(graph.place).toEqual({ view: 'graph' });
  });

  test('comes back after a reload as it was', () => {
    const state = {
      ...go(INITIAL_STATE, { view: 'graph', id: 'store' }),
      folder: 'file:///a',
      namespace: 'other',
      search: { query: 'why', budget: 900, hops: 2, kinds: ['fact' as const], asOf: '2026-03-31', minConfidence: 0.5 },
      timeline: { topic: 'x', kinds: ['decision' as const], range: { from: 5, to: 9 } },
      draft: {
        ...{ id: 'd_one', content: 'another', rationale: 'why', rejected: 'files\nmemory' },
        before: { content: 'one', rationale: '', rejected: ['files'] },
      },
    };
    expect(restored(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  test('does not claim to know what a memory said when an older version kept the draft', () => {
    const draft = { id: 'd_one', content: 'another', rationale: 'why', rejected: null };
    for (const before of [undefined, 'one']) {
      const state = restored({ ...INITIAL_STATE, draft: { ...draft, before } });
      expect(state.draft).toEqual({ ...draft, before: null });
    }
  });

  test.each([
    [undefined],
    [null],
    ['text'],
    [{ version: 0 }],
    [{ version: 1, place: { view: 'elsewhere' }, back: 'no', search: { budget: 'x' }, timeline: 7, draft: { id: 1 } }],
    [{ version: 1, place: { view: 'memory' } }],
  ])('begins as at the first start where what was kept says nothing: %j', (kept) => {
    expect(restored(kept)).toEqual(INITIAL_STATE);
  });

  test('takes over only values that can be asked for', () => {
    const { search, timeline } = restored({
      version: 1,
      search: { query: 'q', budget: 1e9, hops: 7, kinds: ['fact', 'thought'], asOf: 'soon', minConfidence: -1 },
      timeline: { topic: 1, kinds: 'fact', range: { from: 9, to: 5 } },
    });
    expect(search).toEqual({ query: 'q', budget: 100_000, hops: 2, kinds: ['fact'], asOf: '', minConfidence: 0 });
    expect(timeline).toEqual(INITIAL_STATE.timeline);
  });

  test('keeps a typed budget within what the tool takes', () => {
    expect([10, 50.4, 1e7, Number.NaN].map(usableBudget)).toEqual([50, 50, 100_000, 500]);
  });

  test('takes all kinds together as no filter', () => {
    expect(toggleKind([], 'fact')).toEqual(['fact']);
    expect(toggleKind(['fact', 'decision'], 'fact')).toEqual(['decision']);
    expect(toggleKind(['decision', 'fact', 'procedure', 'preference', 'action'], 'outcome')).toEqual([]);
  });
});
