import { describe, expect, it } from 'vitest';
import { fileOf } from '../../src/store-place/store-place';
import { type MemoryTest, ON_FILE, withMemory } from '../support/memory';

interface Stats {
  readonly kind_counts: Record<string, number>;
  readonly db_size_bytes: number;
  readonly top_entities: { readonly id: string; readonly content: string; readonly degree: number }[];
  readonly namespaces: string[];
}

const store = async ({ ok }: MemoryTest, more: object = {}): Promise<string> =>
  (await ok<{ node_id: string }>('memory_store', { content: 'A fact', kind: 'fact', ...more })).node_id;
const stats = ({ ok }: MemoryTest, input: object = {}) => ok<Stats>('memory_stats', input);

describe('memory_stats', () => {
  it('counts all eight kinds, 0 included, and names the entities that most memories are about', () =>
    withMemory(async (test) => {
      await store(test, { entities: ['Redis', 'Kafka'] });
      await store(test, { kind: 'decision', entities: ['Kafka'] });
      const answer = await stats(test);
      expect({ ...answer, db_size_bytes: 0 }).toMatchInlineSnapshot(`
        {
          "db_size_bytes": 0,
          "kind_counts": {
            "action": 0,
            "decision": 1,
            "entity": 2,
            "fact": 1,
            "outcome": 0,
            "preference": 0,
            "procedure": 0,
            "session": 1,
          },
          "namespaces": [
            "default",
          ],
          "top_entities": [
            {
              "content": "Kafka",
              "degree": 2,
              "id": "e_aaaaaaac",
            },
            {
              "content": "Redis",
              "degree": 1,
              "id": "e_aaaaaaab",
            },
          ],
        }
      `);
    }));

  it.runIf(ON_FILE)('counts the bytes of the database file', () =>
    withMemory(async (test) => {
      const { statSync } = await import('node:fs');
      await test.project.store.erase();
      expect((await stats(test)).db_size_bytes).toBe(statSync(fileOf(test.project.place)).size);
    }),
  );

  it('counts open and closed nodes, not forgotten ones, in kinds and degrees', () =>
    withMemory(async (test) => {
      const old = await store(test, { entities: ['Redis'] });
      await store(test, { entities: ['Redis'], supersedes: old });
      await test.ok('memory_forget', { node_id: await store(test, { content: 'Another', entities: ['Redis'] }) });
      const { kind_counts, top_entities } = await stats(test);
      expect(kind_counts).toMatchObject({ fact: 2 });
      expect(top_entities).toEqual([expect.objectContaining({ content: 'Redis', degree: 2 })]);
    }));

  it('names ten entities at most, those with the highest degree first', () =>
    withMemory(async (test) => {
      const entities = Array.from({ length: 12 }, (_, i) => `Entity ${i}`);
      await store(test, { entities });
      await store(test, { content: 'Another', entities: ['Entity 11'] });
      const { top_entities } = await stats(test);
      expect(top_entities).toHaveLength(10);
      expect(top_entities[0]).toMatchObject({ content: 'Entity 11', degree: 2 });
    }));

  it('reads another namespace without switching, and always lists all of them, sorted', () =>
    withMemory(async (test) => {
      await store(test, { namespace: 'zoo' });
      await store(test, { namespace: 'Alpha', kind: 'action' });
      await test.ok('memory_switch_namespace', { namespace: 'mine' });
      expect(await stats(test, { namespace: 'zoo' })).toMatchObject({ kind_counts: { fact: 1, action: 0 } });
      expect(test.memory.scope.namespace).toBe('mine');
      expect(await stats(test)).toMatchObject({ kind_counts: { fact: 0 }, namespaces: ['Alpha', 'default', 'zoo'] });
      expect(await stats(test, { namespace: 'nobody' })).toMatchObject({ kind_counts: { fact: 0 }, top_entities: [] });
    }));

  it('lists default where nothing was ever stored', () =>
    withMemory(async (test) => {
      expect((await stats(test)).namespaces).toEqual(['default']);
    }));

  it('refuses a namespace that is no name', () =>
    withMemory(async ({ refused }) => {
      expect(await refused('memory_stats', { namespace: 'a\nb' })).toBe(
        'invalid_input: "namespace" is "a b", which is not a valid name. Give one line of 1 to 500 characters; "default" is the initial one.',
      );
    }));
});

describe('memory_switch_namespace', () => {
  it('names the previous and the active one', () =>
    withMemory(async (test) => {
      expect(await test.text('memory_switch_namespace', { namespace: ' team a ' })).toMatchInlineSnapshot(
        `"{"previous_namespace":"default","active_namespace":"team a"}"`,
      );
      expect(await test.text('memory_switch_namespace', { namespace: 'default' })).toMatchInlineSnapshot(
        `"{"previous_namespace":"team a","active_namespace":"default"}"`,
      );
    }));

  it('is what following reads and writes use', () =>
    withMemory(async (test) => {
      const here = await store(test);
      await test.ok('memory_switch_namespace', { namespace: 'other' });
      const there = await store(test);
      const recalled = await test.text('memory_recall', { query: 'fact' });
      expect(recalled).toContain(there);
      expect(recalled).not.toContain(here);
    }));

  it('resets the session, also when the namespace stays the same', () =>
    withMemory(async (test) => {
      await store(test);
      await test.ok('memory_switch_namespace', { namespace: 'default' });
      expect(test.memory.scope.session).toBeUndefined();
    }));

  it('belongs to one process', () =>
    withMemory(async (test) => {
      const other = await test.another({ namespace: 'theirs' });
      await test.ok('memory_switch_namespace', { namespace: 'mine' });
      expect(other.memory.scope.namespace).toBe('theirs');
      expect(await other.ok('memory_switch_namespace', { namespace: 'x' })).toMatchObject({
        previous_namespace: 'theirs',
      });
    }));

  it.each(['', '  ', 'a\u0000b', 'a\u202eb', '\ud800', 'x'.repeat(501)])('refuses %j', (namespace) =>
    withMemory(async (test) => {
      await store(test);
      expect(await test.refused('memory_switch_namespace', { namespace })).toMatch(/^invalid_input: "namespace" /);
      expect(test.memory.scope).toMatchObject({ namespace: 'default', session: { id: expect.any(String) } });
    }),
  );
});
