import { describe, expect, it } from 'vitest';
import { bring, bringAsFile } from '../support/imports';
import { type MemoryTest, withMemory } from '../support/memory';
import { storeFact } from '../support/review';

interface Page {
  readonly standing: string;
  readonly origin: { readonly kind: string; readonly name: string; readonly store: string | null } | null;
  readonly valid_until: string | null;
  readonly tombstoned: 0 | 1;
}

const pageOf = (test: MemoryTest, id: string): Promise<Page> => test.ok<Page>('node', { id });
const standingOf = async (test: MemoryTest, id: string): Promise<string> => (await pageOf(test, id)).standing;
const recall = (test: MemoryTest, query: string): Promise<string> => test.text('memory_recall', { query });

describe('where a memory comes from', () => {
  it('is an agent, or a person, whose memories are confirmed', () =>
    withMemory(async (test) => {
      const own = await storeFact(test, 'An agent says so');
      const person = await test.another({ by: 'person', client: 'cli' });
      const confirmed = await storeFact(person, 'A person says so');
      expect(await pageOf(test, own)).toMatchObject({
        standing: 'stored',
        origin: { kind: 'agent', name: 'test', hash: null, store: null, marked: false },
      });
      expect(await pageOf(test, confirmed)).toMatchObject({
        standing: 'confirmed',
        origin: { kind: 'person', name: 'cli' },
      });
      expect(await test.text('node', { id: confirmed })).toContain('**From:** a person (cli) · confirmed');
    }));

  it('is kept for the outcome of a session, and for no entity', () =>
    withMemory(async (test) => {
      await storeFact(test, 'One', { entities: ['Kessel'] });
      const { outcome_id } = await test.ok<{ outcome_id: string }>('memory_end_session', { summary: 'Done' });
      expect(await pageOf(test, outcome_id)).toMatchObject({ standing: 'stored', origin: { kind: 'agent' } });
      const [entity] = await test.ok<{ id: string }[]>('entities', {});
      expect((await pageOf(test, entity?.id ?? '')).origin).toBeNull();
    }));

  it('is one row, however much comes from there, and goes with the last memory that is purged', () =>
    withMemory(async (test) => {
      const one = await storeFact(test, 'One');
      const other = await storeFact(test, 'Another');
      const rows = () => test.memory.sql.all('SELECT kind, name FROM mem_origins');
      expect(await rows()).toEqual([{ kind: 'agent', name: 'test' }]);
      await test.ok('memory_forget', { node_id: one, purge: true });
      expect(await rows()).toHaveLength(1);
      await test.ok('memory_forget', { node_id: other, purge: true });
      expect(await rows()).toEqual([]);
    }));
});

describe('the standing of a memory', () => {
  it('is changed by a person who confirms it, and by no agent; undo takes it back', () =>
    withMemory(async (test) => {
      const id = await storeFact(test, 'The port is 8080', { confidence: 0.5 });
      await test.ok('memory_verify', { node_id: id, status: 'confirm' });
      expect(await standingOf(test, id)).toBe('stored');
      const person = await test.another({ by: 'person' });
      await person.ok('memory_verify', { node_id: id, status: 'confirm' });
      expect(await standingOf(test, id)).toBe('confirmed');
      expect(await test.text('history', { id })).toContain('stored → confirmed');
      await person.ok('undo');
      expect(await standingOf(test, id)).toBe('stored');
    }));

  it('proposed is marked in the line, and comes in no briefing', () =>
    withMemory(
      async (test) => {
        const id = await storeFact(test, 'Deploy on Fridays', { kind: 'decision' });
        expect(await recall(test, 'deploy')).toContain(
          `- [${id}] 2026-03-31 · conf 1.00 · proposed — Deploy on Fridays`,
        );
        expect(await recall(test, 'project context')).not.toContain('Fridays');
      },
      { keeping: () => ({ proposed: true, marked: false }) },
    ));
});

describe('what is imported from a file', () => {
  const NODES = [
    { kind: 'decision', content: 'The cache is Redis' },
    { kind: 'procedure', content: 'Restart the cache with make cache' },
  ];

  it('waits for a person, also when a person imports it, and says which file it is from', () =>
    withMemory(
      async (test) => {
        const { node_ids } = await bringAsFile(test, NODES);
        expect(await pageOf(test, node_ids[0] ?? '')).toMatchObject({
          standing: 'proposed',
          origin: { kind: 'import', name: 'memories.json', hash: 'abc' },
        });
        expect(await recall(test, 'project context')).not.toContain('Redis');
      },
      { by: 'person' },
    ));

  it('from a message of an agent is as what the agent stores, and is vouched for by nobody', () =>
    withMemory(async (test) => {
      const claimed = { kind: 'person', name: 'cli', hash: null, store: 'f'.repeat(32), marked: false };
      const { node_ids } = await bring(test, [
        { kind: 'fact', content: 'One', standing: 'confirmed', origin: claimed },
        { kind: 'fact', content: 'Two', standing: 'proposed' },
      ]);
      expect(await pageOf(test, node_ids[0] ?? '')).toMatchObject({
        standing: 'stored',
        origin: { kind: 'agent', name: 'test', store: 'f'.repeat(32) },
      });
      expect(await standingOf(test, node_ids[1] ?? '')).toBe('proposed');
    }));

  it('that this machine exported stands as it did, whatever store another file claims; only a person brings confirmations back', () =>
    withMemory(async (test) => {
      const ours = 'a'.repeat(32);
      const node = { kind: 'fact', content: 'One', standing: 'confirmed' };
      const origin = { kind: 'agent', name: 'claude-code', hash: null, store: ours, marked: false };
      const person = await test.another({ by: 'person' });
      const bringOne = async (by: MemoryTest, id: string): Promise<Page> => {
        await bringAsFile(by, [{ ...node, id, origin }], true);
        return pageOf(test, id);
      };
      expect(await bringOne(person, 'f_a')).toMatchObject({ standing: 'confirmed', origin: { name: 'claude-code' } });
      expect(await bringOne(test, 'f_b')).toMatchObject({ standing: 'stored', origin: { name: 'claude-code' } });
      await bringAsFile(person, [{ ...node, id: 'f_c', origin }]);
      expect(await pageOf(test, 'f_c')).toMatchObject({
        standing: 'proposed',
        origin: { kind: 'import', name: 'memories.json', store: ours },
      });
    }));

  it.each([
    ['standing', 'sure', '"standing" is not one of stored, confirmed, proposed'],
    ['origin', { kind: 'god', name: 'x' }, '"origin" does not have the form of an export'],
    ['origin', 'me', '"origin" does not have the form of an export'],
  ])('with a wrong %s is an error of that object: %j', (field, value, message) =>
    withMemory(async (test) => {
      const { imported, errors } = await bring(test, [{ kind: 'fact', content: 'One', [field]: value }]);
      expect(imported).toBe(0);
      expect(errors[0]?.message).toContain(message);
    }),
  );

  it('stands as told in a long import, too, which is staged', () =>
    withMemory(async (test) => {
      const nodes = Array.from({ length: 2_001 }, (_, i) => ({ kind: 'fact', content: `Fact ${i}`, entities: ['E'] }));
      const { node_ids } = await bringAsFile(test, nodes);
      const last = await pageOf(test, node_ids.at(-1) ?? '');
      expect(last).toMatchObject({ standing: 'proposed', origin: { kind: 'import', name: 'memories.json' } });
      const { n } = (await test.memory.sql.get<{ n: number }>(
        'SELECT count(*) AS n FROM mem_nodes AS m JOIN mem_origins AS g ON g.id = m.origin',
      )) ?? { n: 0 };
      expect(n).toBe(2_001);
    }));
});

it('a proposed memory ranks below one that matches as well, and makes it no older', () =>
  withMemory(async (test) => {
    const kept = await storeFact(test, 'The cache of the server listens on port 6379 of the second machine');
    test.later(2 * 3_600_000);
    const held = await test.another({ keeping: () => ({ proposed: true, marked: false }) });
    const waits = await storeFact(held, 'The cache of the server listens on port 7000 of the second machine');
    const found = await recall(test, 'On which port does the cache of the server listen?');
    expect(found.indexOf(kept)).toBeLessThan(found.indexOf(waits));
    expect(found).not.toContain('older');
  }));
