import { expect, test } from 'vitest';
import { type Hit, newerFirst } from '../../../../src/server/memory/recall/newer-first';
import { WEIGHTS } from '../../../../src/server/memory/recall/weights';

const DAY = 86_400_000;

/** A hit that holds so much of each of three words of a question. */
function hit(words: string, day: number, frequencies: readonly number[], own = 1): Hit {
  const node = {
    ...{ seq: day, kind: 'fact' as const, validFrom: day * DAY, session: null, episode: null, uses: 0, about: [] },
    ...{ proposed: false, valid: true, words, stems: '', context: '' },
  };
  return { node, own, frequencies };
}

const ASKED = { rarity: [4, 3, 3], weights: WEIGHTS };
const OLD = 'exported method names begin with get';
const NEW = 'exported method names begin with fetch';

const order = (...hits: Hit[]): number[] => newerFirst(hits, ASKED).map(({ hit }) => hit.node.seq);

test.each([
  ['as much of the question', [1, 1, 0], [1, 1, 0], [2, 1]],
  ['more of it', [1, 1, 0], [1, 1, 1], [2, 1]],
  ['another part of it', [1, 1, 0], [1, 0, 1], [1, 2]],
  ['the same part, which is less than half of it', [1, 0, 0], [1, 0, 0], [1, 2]],
  ['the same part, which is half of it and more', [0, 1, 1], [0, 1, 1], [2, 1]],
])('a newer one that holds %s: %j, %j', (_, old, new_, expected) => {
  expect(order(hit(OLD, 1, old), hit(NEW, 2, new_, 0.6))).toEqual(expected);
});

test('to share numbers makes no two alike, and to differ in them no two another thing', () => {
  const all = [1, 1, 1];
  expect(order(hit('4711 12 breaks login form', 1, all), hit('4711 12 breaks mail queue', 2, all))).toEqual([1, 2]);
  expect(order(hit('the login form waits 30 seconds', 1, all), hit('the login form waits 60 seconds', 2, all))).toEqual(
    [2, 1],
  );
});
