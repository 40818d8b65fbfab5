import { expect, test } from 'vitest';
import { trustBeside } from '../../../../src/server/memory/recall/trust';
import { WEIGHTS } from '../../../../src/server/memory/recall/weights';

/** Of ten hits, each with so much of the question, so near to the first, and so long. */
const trust = (terms: number, nearness: number, length: number): number =>
  trustBeside(
    Array.from({ length: 10 }, (_, i) => ({
      relevance: i === 0 ? 1 : nearness,
      frequencies: [0, 1, 2, 3].map((t) => (t < terms ? 1 : 0)),
      length,
    })),
    [1, 1, 1, 1],
    WEIGHTS,
  );

test('what stands beside hits is trusted while these are poor, and the less the surer they are', () => {
  expect(trust(1, 0.5, 10)).toBe(1);
  expect(trust(4, 0.4, 10)).toBeLessThan(1);
  expect(trust(4, 0.4, 10)).toBeGreaterThan(trust(4, 0.45, 10));
  expect(trust(4, 1, 10)).toBe(WEIGHTS.leastTrust);
});

test('beside long memories it is trusted less, and never less than a fifth for their length alone', () => {
  expect(trust(1, 0.5, 40)).toBeLessThan(1);
  expect(trust(1, 0.5, 40)).toBeGreaterThan(trust(1, 0.5, 60));
  expect(trust(1, 0.5, 400)).toBe(WEIGHTS.trustInLong);
});
