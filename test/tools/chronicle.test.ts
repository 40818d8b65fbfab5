import { describe, expect, test } from 'vitest';
import type { Chronicle } from '../../src/server/memory/people/chronicle';
import { type MemoryTest, withMemory } from '../support/memory';

const ask = (memory: MemoryTest, input: object = {}) => memory.ok<Chronicle>('chronicle', input);

const contents = ({ entries }: Chronicle): string[] => entries.map(({ content }) => content);

/** One memory a day from 1 March on, by turns facts and decisions. */
async function march(memory: MemoryTest, days: number): Promise<string[]> {
  const { node_ids } = await memory.ok<{ node_ids: string[] }>('memory_import', {
    nodes: Array.from({ length: days }, (_, i) => ({
      content: `Note ${i + 1}`,
      kind: i % 2 === 0 ? 'fact' : 'decision',
      valid_from: `2026-03-${String(i + 1).padStart(2, '0')}`,
      entities: i % 3 === 0 ? ['store'] : [],
    })),
  });
  return node_ids;
}

describe('chronicle', () => {
  test('lists memories newest first and goes on page by page', () =>
    withMemory(async (memory) => {
      await march(memory, 5);
      const first = await ask(memory, { limit: 2 });
      expect(contents(first)).toEqual(['Note 5', 'Note 4']);
      expect(first).toMatchObject({
        first: '2026-03-01T00:00:00.000Z',
        last: '2026-03-05T00:00:00.000Z',
        total: 5,
        within: 5,
        more: true,
      });
      const second = await ask(memory, { limit: 2, before: first.entries[1]?.id });
      expect(contents(second)).toEqual(['Note 3', 'Note 2']);
      const third = await ask(memory, { limit: 2, before: second.entries[1]?.id });
      expect([contents(third), third.more]).toEqual([['Note 1'], false]);
    }));

  test('keeps memories of one moment apart from page to page', () =>
    withMemory(async (memory) => {
      for (const content of ['One', 'Two', 'Three']) await memory.ok('memory_store', { content, kind: 'fact' });
      const first = await ask(memory, { limit: 2 });
      expect(contents(first)).toEqual(['Three', 'Two']);
      expect(contents(await ask(memory, { limit: 2, before: first.entries[1]?.id }))).toEqual(['One']);
    }));

  test('counts what lies between the bounds in equal stretches of time, by kind', () =>
    withMemory(async (memory) => {
      await march(memory, 10);
      const { buckets, within, total, first } = await ask(memory, { from: '2026-03-02', to: '2026-03-05', buckets: 2 });
      expect(buckets).toEqual([
        { index: 0, kind: 'decision', count: 1, closed: 0 },
        { index: 0, kind: 'fact', count: 1, closed: 0 },
        { index: 1, kind: 'decision', count: 1, closed: 0 },
        { index: 1, kind: 'fact', count: 1, closed: 0 },
      ]);
      // The axis can still be drawn as a whole.
      expect({ within, total, first }).toEqual({ within: 4, total: 10, first: '2026-03-01T00:00:00.000Z' });
    }));

  test('marks what was superseded, refuted and forgotten', () =>
    withMemory(async (memory) => {
      const ids = await march(memory, 4);
      const [one, two, three] = ids;
      const newer = await memory.ok<{ node_id: string }>('memory_store', {
        content: 'Instead',
        kind: 'fact',
        supersedes: one,
      });
      await memory.ok('memory_verify', { node_id: two, status: 'refute' });
      await memory.ok('memory_forget', { node_id: three });
      const { entries, buckets } = await ask(memory, { to: '2026-03-04', buckets: 1 });
      expect(buckets).toEqual([
        { index: 0, kind: 'decision', count: 2, closed: 1 },
        { index: 0, kind: 'fact', count: 2, closed: 2 },
      ]);
      expect(entries.find(({ id }) => id === one)?.superseded_by).toBe(newer.node_id);
      expect(entries.find(({ id }) => id === two)).toMatchObject({
        superseded_by: null,
        valid_until: expect.any(String),
      });
      expect(entries.find(({ id }) => id === three)?.tombstoned).toBe(1);
    }));

  test('keeps to a topic, an entity and kinds', () =>
    withMemory(async (memory) => {
      await march(memory, 7);
      await memory.ok('memory_store', { content: 'The parser is slow', kind: 'fact' });
      expect(contents(await ask(memory, { topic: 'slow parsers' }))).toEqual(['The parser is slow']);
      expect(contents(await ask(memory, { about: 'STORE' }))).toEqual(['Note 7', 'Note 4', 'Note 1']);
      expect(contents(await ask(memory, { about: 'store', kinds: ['decision'] }))).toEqual(['Note 4']);
      expect(contents(await ask(memory, { about: 'store', topic: 'note', kinds: ['fact'] }))).toEqual([
        'Note 7',
        'Note 1',
      ]);
    }));

  test('says what comes nearest when nothing is found, and nothing of an empty store', () =>
    withMemory(async (memory) => {
      expect(await ask(memory, { buckets: 10 })).toEqual({
        first: null,
        last: null,
        total: 0,
        within: 0,
        buckets: [],
        entries: [],
        more: false,
        nearest: [],
      });
      await march(memory, 1);
      expect((await ask(memory, { topic: 'stores' })).entries).toHaveLength(1);
      expect((await ask(memory, { about: 'storr' })).nearest).toEqual(['store']);
      expect(await memory.text('chronicle', { about: 'storr' })).toBe(
        'Nothing is remembered of this; the nearest are "store".',
      );
    }));

  test('cuts long contents: the page of the memory tells the rest', () =>
    withMemory(async (memory) => {
      await memory.ok('memory_store', { content: 'x'.repeat(5_000), kind: 'fact' });
      const [entry] = (await ask(memory)).entries;
      expect(entry?.content).toBe(`${'x'.repeat(299)}…`);
    }));

  test('prints a page with the way to the next one', () =>
    withMemory(async (memory) => {
      const ids = await march(memory, 3);
      expect(await memory.text('chronicle', { limit: 1 })).toBe(
        `- [${ids[2]}] 2026-03-03 · conf 1.00 — Note 3\n(1 of 3; older ones with --before ${ids[2]})`,
      );
    }));

  test('sees nothing of another namespace and refuses the id of a page from there', () =>
    withMemory(async (memory) => {
      const ids = await march(memory, 2);
      await memory.ok('memory_switch_namespace', { namespace: 'elsewhere' });
      expect((await ask(memory)).total).toBe(0);
      expect((await ask(memory, { about: 'store' })).total).toBe(0);
      expect((await ask(memory, { topic: 'note' })).total).toBe(0);
      await memory.ok('memory_store', { content: 'Own', kind: 'fact' });
      expect(await memory.refused('chronicle', { before: ids[0] })).toMatch(/^not_found: /);
      expect(await memory.refused('chronicle', { buckets: 1_001 })).toMatch(/^invalid_input: "buckets"/);
    }));
});
