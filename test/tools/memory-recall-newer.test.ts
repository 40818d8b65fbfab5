import { expect, test } from 'vitest';
import type { PackedMemories } from '../../src/server/render/packed-memories';
import { type MemoryTest, NOON, withMemory } from '../support/memory';

const DAY = 86_400_000;
const HOUR = 3_600_000;

interface Told {
  readonly content: string;
  readonly before: number;
  readonly kind?: string;
}

/** Imports memories, each a given number of milliseconds before noon, among others that have nothing to do with them. */
async function told({ ok }: MemoryTest, memories: readonly Told[]): Promise<void> {
  const others = Array.from({ length: 20 }, (_, i) => ({
    content: `Nothing of this kind ${i}`,
    before: (i + 1) * DAY,
  }));
  const { errors } = await ok<{ errors: unknown[] }>('memory_import', {
    nodes: [...memories, ...others].map(({ before, ...node }: Told, i) => ({
      ...{
        kind: 'fact',
        id: `${node.kind === 'decision' ? 'd' : 'f'}_${i}`,
        session_id: null,
        valid_from: new Date(NOON - before).toISOString(),
      },
      ...node,
    })),
  });
  expect(errors).toEqual([]);
}

const QUERY = 'prefix of exported method names';
const OLD = 'Please start the exported method names with the prefix get_ in this team';
const NEW = 'Please start all exported method names with the prefix fetch_ in this team';

const lines = async ({ text }: MemoryTest, query = QUERY): Promise<string[]> =>
  (await text('memory_recall', { query, hops: 0 })).split('\n').filter((line) => line.startsWith('- ['));

test('of two that say nearly the same the newer comes first, and the older one names it', () =>
  withMemory(async (memory) => {
    await told(memory, [
      { content: OLD, before: 9 * DAY },
      { content: NEW, before: 2 * DAY },
    ]);
    expect(await lines(memory)).toEqual([
      `- [f_1] 2026-03-29 · conf 1.00 — ${NEW}`,
      `- [f_0] 2026-03-22 · conf 1.00 · older (f_1) — ${OLD}`,
    ]);
    const { items } = await memory.ok<PackedMemories>('memory_recall', { query: QUERY, hops: 0 });
    expect(items.map(({ id, marks, newer, reasons }) => ({ id, marks, newer, reasons }))).toEqual([
      { id: 'f_1', marks: undefined, newer: undefined, reasons: ['words', 'newer than f_0'] },
      { id: 'f_0', marks: ['older'], newer: 'f_1', reasons: ['words'] },
    ]);
  }));

test('of two that a person keeps beside each other none is older, until that is taken back', () =>
  withMemory(async (memory) => {
    await told(memory, [
      { content: OLD, before: 9 * DAY },
      { content: NEW, before: 2 * DAY },
    ]);
    const marks = async (): Promise<unknown> => {
      const { items } = await memory.ok<PackedMemories>('memory_recall', { query: QUERY, hops: 0 });
      return items.map(({ id, marks: [mark] = [], newer, reasons }) => [id, mark, newer, reasons]);
    };
    const { operation } = await memory.ok<{ operation: number }>('settle', {
      ...{ action: 'keep', node_id: 'f_0', other_id: 'f_1' },
    });
    expect(await marks()).toEqual([
      ['f_1', undefined, undefined, ['words']],
      ['f_0', undefined, undefined, ['words']],
    ]);
    await memory.ok('undo', { operation });
    expect(await marks()).toEqual([
      ['f_1', undefined, undefined, ['words', 'newer than f_0']],
      ['f_0', 'older', 'f_1', ['words']],
    ]);
  }));

test('the newest of several comes right before the best', () =>
  withMemory(async (memory) => {
    await told(memory, [
      { content: OLD, before: 9 * DAY },
      { content: 'From now on start exported method names with the prefix load_', before: 3 * DAY },
      { content: 'From now on start exported method names with the prefix take_', before: 1 * DAY },
    ]);
    expect((await lines(memory))[0]).toContain('take_');
  }));

test.each([
  ['was stored within the hour', { content: NEW, before: 9 * DAY - HOUR + 1 }],
  ['is of another kind', { content: NEW, before: 2 * DAY, kind: 'decision' }],
  ['says something else about these words', { content: 'Method names: nobody likes that prefix', before: 2 * DAY }],
  [
    'answers less of the question',
    { content: 'Please start the branch with the prefix fix in this team', before: 2 * DAY },
  ],
  ['is long', { content: `${NEW} ${Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ')}`, before: 2 * DAY }],
])('a newer one that %s stays behind, and nothing is marked', (_, newer) =>
  withMemory(async (memory) => {
    await told(memory, [{ content: `${OLD} quartz`, before: 9 * DAY }, newer]);
    const { items } = await memory.ok<PackedMemories>('memory_recall', { query: `${QUERY} quartz`, hops: 0 });
    expect(items[0]).toMatchObject({ id: 'f_0', reasons: ['words'] });
    expect(items.map(({ marks }) => marks)).toEqual(items.map(() => undefined));
  }),
);

test('what was superseded is not there to be older', () =>
  withMemory(async (memory) => {
    await told(memory, [{ content: OLD, before: 9 * DAY }]);
    const { node_id } = await memory.ok<{ node_id: string }>('memory_store', {
      ...{ content: NEW, kind: 'fact', supersedes: 'f_0' },
    });
    expect(await lines(memory)).toEqual([`- [${node_id}] 2026-03-31 · conf 1.00 — ${NEW}`]);
  }));
