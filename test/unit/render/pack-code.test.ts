import { expect, test } from 'vitest';
import { printCode } from '../../../src/server/render/code-answer';
import { type PackableSymbol, packCode } from '../../../src/server/render/pack-code';
import { realTokenizer } from '../../support/tokenizer';

const tokens = await realTokenizer();

const neighbour = (name: string) => ({ id: 7, name, file_path: 'src/main.ts', line: 3, ambiguous: false });
const symbol = (name: string, more: Partial<PackableSymbol> = {}): PackableSymbol => ({
  ...{ file_path: 'src/store.ts', code_type: 'class', name, start_line: 1, end_line: 9 },
  ...{ signature: `class ${name}`, doc: 'Keeps rows.', sections: [], bases: [], heirs: [] },
  memories: [
    {
      ...{ id: 'd_bakilomu', kind: 'decision', content: 'One file', confidence: 1, standing: 'stored' },
      ...{ valid_from: '2026-03-31T12:00:00.000Z', marks: ['foreign'], changed: true },
    },
  ],
  callers: [[neighbour('main')], [neighbour('start')]],
  callees: [[], []],
  ...more,
});
const symbols = [symbol('Store'), symbol('Rows', { doc: '' }), symbol('Locks', { memories: [] })];

test('the value has what the text has room for, and says how large that is', () => {
  for (let budget = 50; budget < 400; budget += 7) {
    const packed = packCode(tokens, 'who keeps "rows"?', budget, { symbols, left_out: [] });
    const text = printCode(packed);
    expect(packed.used).toBe(tokens.count(text));
    expect(packed.used).toBeLessThanOrEqual(budget);
    expect(text.split('\n### ').length - 1).toBe(packed.symbols.length);
    for (const [i, { signature, doc, memories, callers }] of packed.symbols.entries()) {
      const part = text.split('\n### ')[i + 1] ?? '';
      expect(part.includes('`class ')).toBe(signature !== null);
      expect(part.includes('Keeps rows.')).toBe(doc !== null);
      expect(part.includes('- memory [d_bakilomu] decision · 2026-03-31 · foreign — One file (the code')).toBe(
        memories.length === 1,
      );
      expect(part.includes('- called by: main')).toBe(callers[0]?.length === 1);
      expect(part.includes('- called by, 2 hops: start')).toBe(callers[1]?.length === 1);
    }
  }
});

test('a symbol has all its fields, and no row numbers of the graph', () => {
  const { query, symbols: packed } = packCode(tokens, 'rows', 1_000, { symbols, left_out: [] });
  expect(query).toBe('rows');
  const { id: _, ...main } = neighbour('main');
  expect(packed[0]).toEqual({ ...symbol('Store'), callers: [[main], [{ ...main, name: 'start' }]] });
  expect(packed[1]?.doc).toBeNull();
});

test('where nothing matches, the value has the sentence, and the files that are left out', () => {
  const left_out = [{ path: 'src/big.ts', reason: 'takes too long' }];
  const packed = packCode(tokens, 'x', 1_000, { symbols: [], left_out });
  expect(packed).toMatchObject({ left_out, symbols: [], note: expect.stringMatching(/^Nothing in the code graph/) });
  expect(printCode(packed).split('\n')).toEqual(['## Code: "x"', expect.stringMatching(/big\.ts/), packed.note]);
});

test('of the files that are left out, those are named for which there is room', () => {
  const left_out = Array.from({ length: 20 }, (_, i) => ({ path: `src/folder/big${i}.ts`, reason: 'takes too long' }));
  for (const budget of [50, 100, 200]) {
    const packed = packCode(tokens, 'x', budget, { symbols: [], left_out });
    expect(packed.left_out.length).toBeGreaterThan(0);
    expect(packed.left_out).toEqual(left_out.slice(0, packed.left_out.length));
    expect(tokens.count(printCode(packed))).toBeLessThanOrEqual(budget);
  }
});
