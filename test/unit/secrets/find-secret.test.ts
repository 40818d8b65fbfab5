import { describe, expect, it } from 'vitest';
import { findSecret } from '../../../src/server/secrets/find-secret';
import { withArticle } from '../../../src/server/secrets/secret';
import { HARMLESS_TEXTS } from '../../support/harmless-texts';
import { drawing, plantedSecrets } from '../../support/planted-secrets';

/** Each draws other values. */
const SEEDS = [1, 2, 3];

describe('a secret is found', () => {
  it.each(Object.keys(plantedSecrets(0)))('in this form: %s', (name) => {
    for (const seed of SEEDS) {
      const text = plantedSecrets(seed)[name] ?? '';
      expect(findSecret(text), text).toMatchObject({ kind: expect.stringMatching(/^[A-Za-z0-9,. -]+$/) });
      expect(findSecret(`It took us an hour to see why.\n\n${text}\n\nThat is all.`), text).toBeDefined();
    }
  });

  it('behind characters that nobody sees', () => {
    const { mixed } = drawing(4);
    expect(findSecret(`ghp_\u200b${mixed(18)}\u2060${mixed(18)}`)?.kind).toBe('GitHub token');
  });

  it('and its place is said by line and character, its kind with an article', () => {
    const token = `ghp_${drawing(5).mixed(36)}`;
    expect(findSecret(`The token is ${token}`)?.place).toBe('at character 14');
    expect(findSecret(`One\nTwo\n  ${token}\n`)?.place).toBe('in line 3 at character 3');
    expect(['GitHub token', 'AWS access key', 'npm token', 'private key'].map(withArticle)).toEqual([
      'a GitHub token',
      'an AWS access key',
      'an npm token',
      'a private key',
    ]);
  });
});

describe('no secret is found', () => {
  it.each(HARMLESS_TEXTS)('in %s', (text) => {
    expect(findSecret(text)).toBeUndefined();
  });
});
