import { afterEach, expect, test, vi } from 'vitest';
import { withMemory } from '../support/memory';

const FLUSH_AFTER_MS = 4_000;

afterEach(() => {
  vi.useRealTimers();
});

test('uses are written while recalls keep coming, not only when they have stopped', () =>
  withMemory(async (test) => {
    await test.ok('memory_store', { content: 'The cache is cold', kind: 'fact' });
    const written = async (): Promise<number | undefined> => {
      // By then every waiting writer has had its turn.
      await test.project.store.transact(async () => undefined);
      const row = await test.memory.sql.get<{ uses: number }>(`SELECT max(uses) AS uses FROM mem_nodes`);
      return row?.uses;
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const recallAgain = async (): Promise<void> => {
      vi.advanceTimersByTime(FLUSH_AFTER_MS / 5);
      await test.text('memory_recall', { query: 'cache' });
    };
    for (let i = 0; i < 5; i++) await recallAgain();
    expect(await written()).toBe(0);
    await recallAgain();
    expect(await written()).toBe(5);
    for (let i = 0; i < 5; i++) await recallAgain();
    expect(await written()).toBe(10);
  }));
