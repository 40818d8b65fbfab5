import { describe, expect, it } from 'vitest';
import { KINDS, NODE_KINDS } from '../../../src/kinds/kinds';
import { randomSuffix } from '../../../src/server/base/ids';
import { isNodeId } from '../../../src/server/memory/node-kinds';

describe('an id', () => {
  it('ends in eight lower-case characters of base32, hardly ever the same', () => {
    const drawn = new Set(Array.from({ length: 2000 }, randomSuffix));
    for (const suffix of drawn) expect(suffix).toMatch(/^[a-z2-7]{8}$/);
    expect(drawn.size).toBeGreaterThan(1990);
  });

  it('begins with the prefix of its kind', () => {
    expect(Object.fromEntries(NODE_KINDS.map((kind) => [kind, KINDS[kind].prefix]))).toEqual({
      fact: 'f_',
      decision: 'd_',
      action: 'a_',
      outcome: 'o_',
      procedure: 'p_',
      preference: 'pr_',
      entity: 'e_',
      session: 's_',
    });
    for (const kind of NODE_KINDS) expect(isNodeId(KINDS[kind].prefix + randomSuffix())).toBe(true);
  });

  it.each(['', 'f_', 'f_abc', 'f_abcdefghi', 'x_abcdefgh', 'F_abcdefgh', 'f_abcdefg1', ' f_abcdefgh', 'f_abcdefgh\n'])(
    'does not look like %j',
    (text) => expect(isNodeId(text)).toBe(false),
  );
});
