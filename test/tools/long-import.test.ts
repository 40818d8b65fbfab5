import { expect, it } from 'vitest';
import { aboutOf, bringAsFile, rowOf } from '../support/imports';
import { type MemoryTest, withMemory } from '../support/memory';

/** Enough that their rows are written before they are shown. */
const COUNT = 5_000;
const nodes = Array.from({ length: COUNT }, (_, i) => ({
  content: `Number ${i} of many`,
  kind: 'fact',
  entities: [`Part ${i % 50}`],
}));

const facts = async ({ ok }: MemoryTest): Promise<number | undefined> =>
  (await ok<{ kind_counts: Record<string, number> }>('memory_stats')).kind_counts.fact;

/** Nothing is kept for rows that nobody sees. */
async function nothingLeft({ memory }: MemoryTest): Promise<void> {
  const [row] = await memory.sql.all(
    `SELECT (SELECT count(*) FROM mem_fts) - (SELECT count(*) FROM mem_nodes) AS terms,
            (SELECT count(*) FROM mem_flags WHERE name LIKE 'reserved:%') AS reserved`,
  );
  expect(row).toEqual({ terms: 0, reserved: 0 });
}

/** Imports, with what others do while the rows are written that nobody sees yet. */
async function whileImporting<Result>(
  test: MemoryTest,
  input: readonly object[],
  others: () => Promise<Result>,
): Promise<{ readonly imported: Promise<{ node_ids: string[]; errors: object[] }>; readonly others: Result }> {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const imported = test.ok<{ node_ids: string[]; errors: object[] }>(
    'memory_import',
    { nodes: input },
    { progress: begin },
  );
  await begun;
  return { imported, others: await others() };
}

it('shows all of a long import at once, as one operation, while others write and read', () =>
  withMemory(async (test) => {
    const other = await test.another({ pid: 2 });
    const seen = new Set<number | undefined>();
    const { imported, others } = await whileImporting(test, nodes, async () => {
      const ids: string[] = [];
      for (let i = 0; i < 20; i++) {
        ids.push(
          (await other.ok<{ node_id: string }>('memory_store', { content: `Live ${i}`, kind: 'action' })).node_id,
        );
        seen.add(await facts(other));
      }
      return ids;
    });
    const { node_ids } = await imported;
    expect([...seen].filter((count) => count !== 0 && count !== COUNT)).toEqual([]);
    expect(seen).toContain(0);
    expect(node_ids).toHaveLength(COUNT);
    expect(new Set(await Promise.all(others.map(async (id) => (await rowOf(test, id))?.content)))).toHaveProperty(
      'size',
      20,
    );
    expect(await facts(other)).toBe(COUNT);
    expect(await other.text('memory_recall', { query: 'number 4711 of many' })).toContain('Number 4711 of many');
    await nothingLeft(test);
    await test.ok('undo');
    expect(await facts(other)).toBe(0);
    expect(await other.ok('memory_stats')).toMatchObject({ kind_counts: { action: 20 } });
  }));

it('takes the entities that others made meanwhile, with the names they gave them', () =>
  withMemory(async (test) => {
    const other = await test.another({ pid: 2 });
    const { imported, others } = await whileImporting(test, nodes, () =>
      bringAsFile(other, [{ kind: 'entity', content: 'part 7', aliases: ['Kessel'] }]),
    );
    const { node_ids } = await imported;
    expect(await aboutOf(test, node_ids[7])).toEqual(['part 7']);
    expect(await test.memory.sql.all(`SELECT id FROM mem_nodes WHERE content LIKE 'part 7'`)).toEqual([
      { id: others.node_ids[0] },
    ]);
    expect(await test.text('memory_recall', { query: 'kessel', budget_tokens: 2_000 })).toContain('Number 57 of many');
    // Its name is still its own.
    const input = { content: 'One more', kind: 'fact', entities: ['Part 7'] };
    const stored = await test.ok<{ linked_entity_ids: string[] }>('memory_store', input);
    expect(stored.linked_entity_ids).toEqual(others.node_ids);
    await nothingLeft(test);
  }));

it('goes into the namespace that is active when it is shown', () =>
  withMemory(async (test) => {
    const { imported } = await whileImporting(test, nodes, () =>
      test.ok('memory_store', { content: 'Elsewhere', kind: 'action', namespace: 'work' }),
    );
    expect((await imported).node_ids).toHaveLength(COUNT);
    expect(await test.ok('memory_stats')).toMatchObject({ kind_counts: { fact: COUNT, action: 1 } });
    await nothingLeft(test);
    const other = await test.another({ pid: 2 });
    expect(await facts(other)).toBe(0);
  }));

it('is written once where nothing came in its way, into a session that goes on', () =>
  withMemory(async (test) => {
    await test.ok('memory_store', { content: 'Before', kind: 'action' });
    const told: number[] = [];
    await test.ok('memory_import', { nodes }, { progress: (done: number) => told.push(done) });
    expect(told.at(-1)).toBe(COUNT);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  }));

it('writes everything again where what it refers to is gone meanwhile', () =>
  withMemory(async (test) => {
    const other = await test.another({ pid: 2 });
    const { node_id } = await test.ok<{ node_id: string }>('memory_store', { content: 'Old', kind: 'fact' });
    const input = [...nodes, { content: 'New', kind: 'fact', supersedes: [node_id] }];
    const { imported } = await whileImporting(test, input, () => other.ok('memory_forget', { node_id, purge: true }));
    const { node_ids, errors } = await imported;
    expect(node_ids).toHaveLength(COUNT);
    expect(errors).toEqual([{ index: COUNT, message: expect.stringContaining('"supersedes" names') }]);
    expect(await facts(other)).toBe(COUNT);
    await nothingLeft(test);
  }));

it('leaves nothing behind when it is cancelled', () =>
  withMemory(async (test) => {
    const stop = new AbortController();
    const answer = await test.call('memory_import', { nodes }, { signal: stop.signal, progress: () => stop.abort() });
    expect(answer).toMatchObject({ ok: false, code: 'unavailable' });
    expect(await facts(test)).toBe(0);
    await nothingLeft(test);
  }));

it('is finished with its session, of which it may be the first', () =>
  withMemory(async (test) => {
    const first = await test.ok<{ node_ids: string[] }>('memory_import', { nodes });
    const session = (await rowOf(test, first.node_ids[0]))?.session;
    expect(session).toEqual(expect.any(Number));
    const second = await test.ok<{ node_ids: string[] }>('memory_import', { nodes });
    const rows = await test.memory.sql.all<{ session: number; episode: number }>(
      'SELECT DISTINCT session, episode FROM mem_nodes WHERE session IS NOT NULL',
    );
    expect(rows).toEqual([{ session, episode: (await rowOf(test, first.node_ids[0]))?.seq }]);
    expect(second.node_ids).toHaveLength(COUNT);
  }));
