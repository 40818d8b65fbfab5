import { describe, expect, it } from 'vitest';
import { withMemory } from '../support/memory';
import { stateOf, storeFact } from '../support/review';

describe('restore', () => {
  it('brings a forgotten memory back into recall', () =>
    withMemory(async (test) => {
      const node_id = await storeFact(test, 'The cache is cold');
      await test.ok('memory_forget', { node_id });
      expect(await test.ok('restore', { node_id })).toEqual({ node_id, valid_until: null, operation: 3 });
      expect(await test.text('memory_recall', { query: 'cache' })).toContain(node_id);
      await test.ok('undo');
      expect(await stateOf(test, node_id)).toEqual([1, 'open', 'forgotten']);
    }));

  it('leaves closed what was closed, and says so', () =>
    withMemory(async (test) => {
      const node_id = await storeFact(test, 'The cache is cold');
      await test.ok('memory_verify', { node_id, status: 'refute' });
      await test.ok('memory_forget', { node_id });
      expect(await test.ok('restore', { node_id })).toMatchObject({ valid_until: '2026-03-31T12:00:00.000Z' });
      expect(await test.refused('restore', { node_id })).toMatch(
        /^conflict: .* is not forgotten, but was closed at 2026-03-31T12:00:00\.000Z\. /,
      );
    }));

  it('refuses what is not forgotten, unknown, purged or in another namespace, unless that is named', () =>
    withMemory(async (test) => {
      const node_id = await storeFact(test, 'The cache is cold');
      expect(await test.refused('restore', { node_id })).toMatch(/^conflict: .* is not forgotten\. /);
      expect(await test.refused('restore', { node_id: 'f_zzzzzzzz' })).toMatch(/^not_found: /);
      await test.ok('memory_forget', { node_id });
      const other = await test.another({ namespace: 'other' });
      expect(await other.refused('restore', { node_id })).toMatch(/^not_found: /);
      expect(await other.refused('restore', { node_id, namespace: '\n' })).toMatch(/^invalid_input: "namespace" /);
      await other.ok('restore', { node_id, namespace: 'default' });
      expect(await stateOf(test, node_id)).toEqual([1, 'open', 'there']);
      await test.ok('memory_forget', { node_id, purge: true });
      expect(await test.refused('restore', { node_id })).toMatch(/^not_found: /);
    }));
});
