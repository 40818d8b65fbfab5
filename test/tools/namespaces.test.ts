import { describe, expect, it } from 'vitest';
import { testCode } from '../support/code-index';
import { type MemoryTest, NOON, withMemory } from '../support/memory';

const SECRET = { content: 'Xylophone decided in secret', kind: 'decision', entities: ['Xylophone', 'secret.ts'] };

interface Stored {
  readonly node_id: string;
  readonly created_entity_ids: string[];
}

/** Everything a namespace can hold, made by another process; its ids, and what tells of it. */
async function secrets(test: MemoryTest): Promise<{ ids: string[]; decision: string; session: string }> {
  const other = await test.another({ namespace: 'secret' });
  const { session_id } = await other.ok<{ session_id: string }>('memory_start_session', { name: 'Xylophone session' });
  const first = await other.ok<Stored>('memory_store', SECRET);
  const second = await other.ok<Stored>('memory_store', { ...SECRET, supersedes: first.node_id });
  const { outcome_id } = await other.ok<{ outcome_id: string }>('memory_end_session', { summary: 'Xylophone done' });
  const ids = [session_id, first.node_id, ...first.created_entity_ids, second.node_id, outcome_id];
  return { ids, decision: second.node_id, session: session_id };
}

function code() {
  const index = testCode();
  index.write('secret.ts', NOON, [{ name: 'secret.ts', text: 'body', from: 1, to: 9, type: 'file' }]);
  return index;
}

describe('a namespace', () => {
  it('shows nothing of another, through no tool', () =>
    withMemory(
      async (test) => {
        const { ids, decision, session } = await secrets(test);
        await test.ok('memory_store', { content: 'A fact of mine about music', kind: 'fact', entities: ['Music'] });
        const asked: [string, object][] = [
          ['memory_recall', { query: 'xylophone secret decided', hops: 2, budget_tokens: 3000 }],
          ['memory_recall', { query: 'project context' }],
          ['memory_recall', { query: 'music xyl', as_of: '2027-01-01', hops: 2 }],
          ['memory_about', { entity: 'Xylophone' }],
          ['memory_about', { entity: 'Xylophon' }],
          ['memory_about', { entity: ids[3] }],
          ['memory_why', { decision_ref: 'xylophone' }],
          ['memory_why', { decision_ref: decision }],
          ['memory_timeline', { topic: 'xylophone' }],
          ['memory_list_sessions', {}],
          ['memory_for_code', { file_path: 'secret.ts' }],
          ['memory_for_code', { file_path: 'secrets.ts' }],
          ['memory_to_code', { memory_id: decision }],
          ['memory_verify', { node_id: decision, status: 'refute' }],
          ['memory_verify_staleness', {}],
          ['memory_clear_session', { session_id: session, purge: true }],
          ['memory_forget', { node_id: decision, entity: 'Xylophone', before: '2030-01-01' }],
          ['memory_store', { content: 'x', kind: 'fact', session_id: session }],
          ['memory_store', { content: 'x', kind: 'fact', supersedes: decision }],
        ];
        for (const [name, input] of asked) {
          const given = JSON.stringify(input);
          const { text } = await test.call(name, input);
          const told = ids.filter((id) => text.includes(id) && !given.includes(id));
          expect([name, input, told]).toEqual([name, input, []]);
          const words = ['Xylophone', 'secret.ts', 'decided in'].filter(
            (word) => text.includes(word) && !given.toLowerCase().includes(word.toLowerCase()),
          );
          expect([name, input, words]).toEqual([name, input, []]);
        }
        const { kind_counts, top_entities, namespaces } = await test.ok<Record<string, unknown>>('memory_stats');
        expect(kind_counts).toMatchObject({ decision: 0, outcome: 0 });
        expect(JSON.stringify(top_entities)).not.toContain('Xylophone');
        expect(namespaces).toEqual(['default', 'secret']);
      },
      { code: code() },
    ));

  it('is changed by no call in another', () =>
    withMemory(async (test) => {
      const { ids, decision, session } = await secrets(test);
      const rows = () => test.memory.sql.all('SELECT * FROM mem_nodes WHERE seq >> 32 = 2 ORDER BY seq');
      const before = await rows();
      expect(before).toHaveLength(ids.length);
      await test.ok('memory_forget', { node_id: decision, entity: 'Xylophone', before: '2030-01-01', purge: true });
      await test.ok('memory_clear_session', { session_id: session, purge: true });
      await test.call('memory_verify', { node_id: decision, status: 'refute' });
      await test.call('memory_store', { content: 'x', kind: 'fact', supersedes: decision });
      expect(await rows()).toEqual(before);
    }));

  it('has entities of its own, also of the same name', () =>
    withMemory(async (test) => {
      const entities = ['Redis'];
      const here = await test.ok<Stored>('memory_store', { content: 'here', kind: 'fact', entities });
      const there = await test.ok<Stored>('memory_store', { content: 'there', kind: 'fact', entities, namespace: 'b' });
      expect(there.created_entity_ids).toHaveLength(1);
      expect(there.created_entity_ids).not.toEqual(here.created_entity_ids);
      expect(await test.text('memory_about', { entity: 'redis' })).toMatch(/— there$/m);
    }));

  it('finds what it holds, however much another holds of it', () =>
    withMemory(async (test) => {
      const { insertNodes } = await import('../../src/server/memory/nodes');
      const { node_id } = await test.ok<Stored>('memory_store', { content: 'The cache of mine', kind: 'fact' });
      await test.ok('memory_store', { content: 'x', kind: 'fact', namespace: 'full' });
      await test.project.write((memory) => {
        const nodes = Array.from({ length: 6000 }, (_, i) => ({
          kind: 'fact' as const,
          content: `The cache of theirs ${i % 7}`,
          confidence: 1,
          valid_from: '2026-03-01T00:00:00.000Z',
        }));
        return insertNodes(memory, 2, nodes);
      });
      await test.ok('memory_switch_namespace', { namespace: 'default' });
      for (const query of ['cache', 'cache mine', 'the cache of mine']) {
        expect(await test.text('memory_recall', { query })).toContain(node_id);
      }
      expect(await test.text('memory_timeline', { topic: 'cache' })).toContain(node_id);
    }));
});
