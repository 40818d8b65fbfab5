import { describe, expect, it } from 'vitest';
import type { ReviewEntry } from '../../src/server/memory/people/review';
import { type MemoryTest, withMemory } from '../support/memory';
import { LATER, storeFact, twoFunctions } from '../support/review';

interface Review {
  readonly entries: readonly (ReviewEntry & { readonly change: string })[];
  readonly near_duplicates: readonly { readonly older: { readonly id: string }; readonly namespace: string }[];
  readonly more: boolean;
}

const review = ({ ok }: MemoryTest, input: object = {}) => ok<Review>('review', input);
const verdicts = ({ entries }: Review) => entries.map(({ verdict }) => verdict);

describe('review', () => {
  it('shows what waits: the memory, where its symbol was and is, and what became of it', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        const node_id = await storeFact(test, 'alpha is slow', { entities: ['alpha()'], confidence: 0.9 });
        code.write('a.ts', LATER, [{ name: 'alpha', text: 'alpha 2', from: 3, to: 11 }]);
        await test.ok('memory_verify_staleness');
        const found = await review(test);
        expect(found).toMatchObject({ near_duplicates: [], more: false });
        expect(found.entries).toEqual([
          {
            id: 1,
            namespace: 'default',
            node: expect.objectContaining({
              id: node_id,
              content: 'alpha is slow',
              confidence: 0.9,
              valid_until: null,
            }),
            reason: 'stale',
            verdict: 'changed',
            queued_at: '2026-03-31T12:00:00.000Z',
            was: { file_path: 'a.ts', code_type: 'function', name: 'alpha' },
            linked_at: '2026-03-31T12:00:00.000Z',
            now: { file_path: 'a.ts', code_type: 'function', name: 'alpha', start_line: 3, end_line: 11 },
            change: 'changed since 2026-03-31',
          },
        ]);
        expect(await test.text('review')).toBe(
          [
            '## Memories on code that is not as it was (1)',
            '',
            '1  changed  a.ts:3 alpha',
            '   changed since 2026-03-31',
            `   [${node_id}] fact: alpha is slow`,
          ].join('\n'),
        );
      },
      { code },
    );
  });

  it.each([
    ['rewritten', 'changed', [{ name: 'alpha', text: 'omega', from: 1, to: 9 }], 'changed since 2026-03-31', 'alpha'],
    ['removed', 'gone', [], 'alpha is gone', undefined],
  ])('tells that a symbol was %s', (_, verdict, symbols, change, now) => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        await storeFact(test, 'alpha is slow', { entities: ['alpha()'] });
        code.write('a.ts', LATER, symbols);
        await test.ok('memory_verify_staleness');
        const { entries } = await review(test);
        expect(entries).toEqual([expect.objectContaining({ verdict, change })]);
        expect(entries[0]?.now?.name).toBe(now);
      },
      { code },
    );
  });

  it('tells that a file is gone, and nothing of a symbol that stands in another one', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        await storeFact(test, 'alpha is slow', { entities: ['alpha()'] });
        await storeFact(test, 'gamma is slow', { entities: ['gamma()'] });
        code.remove('a.ts');
        code.remove('b.ts');
        code.write('c.ts', LATER, [{ name: 'gamma', text: 'gamma 1', from: 5, to: 9 }]);
        await test.ok('memory_verify_staleness');
        expect((await review(test)).entries.map(({ change }) => change)).toEqual(['a.ts is gone']);
      },
      { code },
    );
  });

  it('judges again: what is as it was before is not shown, nor what was only touched', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        await storeFact(test, 'alpha is slow', { entities: ['alpha()'] });
        await storeFact(test, 'gamma is slow', { entities: ['gamma()'] });
        code.write('a.ts', LATER, []);
        code.write('b.ts', LATER, [{ name: 'gamma', text: 'gamma 1', from: 1, to: 9 }]);
        expect(await test.ok('memory_verify_staleness')).toMatchObject({ stale: 2 });
        expect(verdicts(await review(test))).toEqual(['gone']);
        code.write('a.ts', LATER, [{ name: 'alpha', text: 'alpha 1', from: 1, to: 9 }]);
        expect(verdicts(await review(test))).toEqual([]);
        expect(await test.text('review')).toBe('Nothing waits for review.');
      },
      { code },
    );
  });

  it('shows no memory that is closed or forgotten, and shows it again when it is restored', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        const node_id = await storeFact(test, 'alpha is slow', { entities: ['alpha()'] });
        code.write('a.ts', LATER, []);
        await test.ok('memory_verify_staleness');
        await test.ok('memory_forget', { node_id });
        expect(verdicts(await review(test))).toEqual([]);
        await test.ok('restore', { node_id });
        expect(verdicts(await review(test))).toEqual(['gone']);
        await test.ok('memory_verify', { node_id, status: 'refute' });
        expect(verdicts(await review(test))).toEqual([]);
      },
      { code },
    );
  });

  it('shows the pairs that a consolidation would close', () =>
    withMemory(async (test) => {
      const old = await storeFact(test, 'CI runs on Node 24 with the cache', { entities: ['unit tests'] });
      test.later(1_000);
      const fresh = await storeFact(test, 'CI runs on Node 24, with the cache', { entities: ['unit-tests'] });
      const { near_duplicates } = await review(test);
      expect(near_duplicates).toEqual([
        {
          namespace: 'default',
          kind: 'fact',
          similarity: 1,
          newer: expect.objectContaining({ id: fresh }),
          older: expect.objectContaining({ id: old }),
        },
      ]);
      expect(await test.text('review', { only: 'duplicates' })).toContain(
        `- [${old}] CI runs on Node 24 with the cache`,
      );
      expect(await review(test, { only: 'code' })).toMatchObject({ near_duplicates: [] });
    }));

  it('shows as many of each as it is asked for, and says that there are more', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        for (let i = 0; i < 5; i++) {
          await storeFact(test, `alpha ${'is slow '.repeat(20)} ${i}`, { entities: ['alpha()'] });
        }
        code.write('a.ts', LATER, []);
        await test.ok('memory_verify_staleness');
        const found = await review(test, { limit: 2 });
        expect(found.entries.map(({ id }) => id)).toEqual([1, 2]);
        expect(found.more).toBe(true);
        expect((await review(test, { limit: 5 })).more).toBe(false);
        expect(Math.max(...(await test.text('review')).split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
        expect(await test.refused('review', { limit: 0 })).toMatch(/^invalid_input: "limit" must be at least 1/);
      },
      { code },
    );
  });

  it('looks into one namespace, the active one or another, or into all of them', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        await storeFact(test, 'alpha is slow', { entities: ['alpha()'] });
        const other = await test.another({ namespace: 'other', code });
        await storeFact(other, 'alpha is fast', { entities: ['alpha()'] });
        code.write('a.ts', LATER, []);
        for (const each of [test, other]) await each.ok('memory_verify_staleness');
        const contents = async (input: object) => (await review(test, input)).entries.map(({ node }) => node.content);
        expect(await contents({})).toEqual(['alpha is slow']);
        expect(await contents({ namespace: 'other' })).toEqual(['alpha is fast']);
        expect(await contents({ all_namespaces: true })).toEqual(['alpha is slow', 'alpha is fast']);
        expect(await contents({ namespace: 'nobody' })).toEqual([]);
        expect(await test.text('review', { all_namespaces: true })).toContain('a.ts alpha · other');
      },
      { code },
    );
  });
});
