import { expect, test } from 'vitest';
import type { AboutEntity } from '../../src/server/render/about';
import type { PackedMemories } from '../../src/server/render/packed-memories';
import { withMemory } from '../support/memory';
import { realTokenizer } from '../support/tokenizer';

const tokenizer = await realTokenizer();

test('the value of a recall says what its text says: each memory with its fields and the size of its line', () =>
  withMemory(
    async (memory) => {
      const content = 'The store is one SQLite file:\nany process may write.';
      const { node_id } = await memory.ok<{ node_id: string }>('memory_store', {
        content,
        kind: 'decision',
        confidence: 0.9,
        valid_from: '2026-03-01',
      });
      for (let i = 0; i < 12; i++) {
        await memory.ok('memory_store', { content: `The store holds the table number ${i}.`, kind: 'fact' });
      }
      const answer = await memory.call('memory_recall', { query: 'store of "SQLite"', budget_tokens: 300 });
      if (!answer.ok) throw new Error(answer.text);
      const value = answer.value as PackedMemories;
      expect(value).toMatchObject({ query: "store of 'SQLite'", as_of: '2026-03-31T12:00:00.000Z', budget: 300 });
      expect(value.used).toBe(tokenizer.count(answer.text));
      expect(value.items[0]).toEqual({
        id: node_id,
        kind: 'decision',
        content,
        confidence: 0.9,
        recorded_at: '2026-03-31T12:00:00.000Z',
        valid_from: '2026-03-01T00:00:00.000Z',
        session_id: expect.stringMatching(/^s_/),
        reasons: ['words'],
        tokens: expect.any(Number),
      });
      const lines = answer.text.split('\n').filter((line) => line.startsWith('- ['));
      const sizes = new Map(lines.map((line) => [/\[(.*?)\]/.exec(line)?.[1], tokenizer.count(`${line}\n`)]));
      expect(new Map(value.items.map(({ id, tokens }) => [id, tokens]))).toEqual(sizes);
      const sources = value.items.slice(0, value.sources).map(({ id, session_id }) => `${id} ← session ${session_id}`);
      const more = { count: 13 - value.items.length, isLeast: false };
      expect(value.more).toEqual(more);
      expect(answer.text.split('### Provenance\n')[1]).toBe(`${sources.join(' · ')}\n${more.count} more matched`);
      expect(value.sources).toBeLessThan(value.items.length);
    },
    { tokenizer },
  ));

test('it says why each memory was found', () =>
  withMemory(async (memory) => {
    const store = async (content: string, more = {}) =>
      (await memory.ok<{ node_id: string }>('memory_store', { content, kind: 'fact', ...more })).node_id;
    const hit = await store('Sessions are kept in Redis', { entities: ['cache'] });
    await memory.ok('memory_end_session', { summary: 'Done' });
    memory.later(3_600_000);
    await store('Eviction follows the clock', { entities: ['cache'] });
    await memory.ok('memory_end_session', { summary: 'Ready' });
    memory.later(3_600_000);
    await store('It is about Lena Brandt, alone', { entities: ['Lena Brandt'] });
    await memory.ok('memory_end_session', { summary: 'Over' });
    await store('Nothing but the weather', { valid_from: '2025-02-03' });
    const { items } = await memory.ok<PackedMemories>('memory_recall', {
      query: 'What did lena brandt say of Redis on 2025-02-03?',
      kinds: ['fact'],
      hops: 1,
    });
    expect(Object.fromEntries(items.map(({ content, reasons }) => [content, reasons]))).toEqual({
      'Sessions are kept in Redis': ['words'],
      'It is about Lena Brandt, alone': ['words', 'entity Lena Brandt'],
      'Eviction follows the clock': [`neighbour of ${hit}`],
      'Nothing but the weather': ['date'],
    });
  }));

test('a memory that is cut has all of its content, and what is printed of it', () =>
  withMemory(
    async (memory) => {
      const content = 'long\n'.repeat(1_000).trim();
      await memory.ok('memory_store', { content, kind: 'fact' });
      const answer = await memory.call('memory_recall', { query: 'long', budget_tokens: 150 });
      if (!answer.ok) throw new Error(answer.text);
      const [item] = (answer.value as PackedMemories).items;
      expect(item?.content).toBe(content);
      expect(item?.cut).toMatch(/^long long .*…$/);
      expect(answer.text.split('\n')[2]).toMatch(new RegExp(` — ${item?.cut}$`));
    },
    { tokenizer },
  ));

test('where there is nothing, the value has the sentence', () =>
  withMemory(async (memory) => {
    const nothing = await memory.ok('memory_recall', { query: 'anything' });
    expect(nothing).toMatchObject({ items: [], note: 'Nothing is remembered about this yet.' });
    expect(nothing).not.toHaveProperty('notice');
  }));

test('the value of memory_about names the entity, or those like the one that was asked for', () =>
  withMemory(async (memory) => {
    await memory.ok('memory_store', { content: 'It keeps sessions', kind: 'fact', entities: ['Redis'] });
    const about = await memory.ok<AboutEntity>('memory_about', { entity: 'redis' });
    expect(about).toMatchObject({ entity: 'Redis', items: [{ content: 'It keeps sessions' }] });
    expect(about).not.toHaveProperty('items.0.reasons');
    expect(await memory.ok('memory_about', { entity: 'Reddis' })).toEqual({
      entity: null,
      nearest: ['Redis'],
      note: 'There is no entity "Reddis"; the nearest are "Redis".',
    });
  }));

test('where all that matches is there, no count of others is given; where the search stopped, that it is the least', () =>
  withMemory(async (memory) => {
    const value = (query: string, more: object = {}) =>
      memory.ok<PackedMemories>('memory_recall', { query, kinds: ['fact'], hops: 0, ...more });
    const contents = Array.from({ length: 120 }, (_, i) => `cache number ${i}${i < 3 ? ' frozen' : ''}`);
    await memory.ok('memory_import', { nodes: contents.map((content) => ({ content, kind: 'fact' })) });
    expect(await value('frozen')).not.toHaveProperty('more');
    const { more } = await value('cache');
    expect(more).toMatchObject({ isLeast: true });
    expect(more?.count).toBeGreaterThan(40);
    expect(await memory.text('memory_recall', { query: 'cache' })).toMatch(/\nat least \d+ more matched$/);
    expect(await value('project context')).not.toHaveProperty('more');
  }));
