import { expect, it } from 'vitest';
import { findSecret } from '../../../src/server/secrets/find-secret';
import { HELD_OUT_HARMLESS, heldOutSecrets } from '../../support/held-out-secrets';
import { vendorHarmless, vendorSecrets } from '../../support/vendor-secrets';

/** Of 2,000 values; what was drawn may look like words by chance. */
const MOST_MISSED = 4;
const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);

it.each([
  ['second', heldOutSecrets],
  ['third', vendorSecrets],
])('finds the secrets of the %s set', (_, secrets) => {
  const missed = SEEDS.flatMap((seed) => secrets(seed).filter((text) => !findSecret(text)));
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(MOST_MISSED);
});

it.each(HELD_OUT_HARMLESS)('finds none in %s', (text) => {
  expect(findSecret(text)).toBeUndefined();
});

it('finds none in the harmless texts of the third set, whatever was drawn', () => {
  const refused = SEEDS.flatMap((seed) => vendorHarmless(seed).filter((text) => findSecret(text)));
  expect(refused).toEqual([]);
});
