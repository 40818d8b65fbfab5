import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/server/base/clock';
import { type MemoryTest, withMemory } from '../support/memory';
import { openSqlite } from '../support/sqlite';

const homeOf = ({ folder }: MemoryTest): string => `${folder}-home`;

function backupFolder(test: MemoryTest): string {
  const all = join(homeOf(test), '.svc', 'backups');
  const [id = 'none'] = existsSync(all) ? readdirSync(all) : [];
  return join(all, id);
}

function backups(test: MemoryTest): string[] {
  const folder = backupFolder(test);
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name !== 'store.json')
        .sort()
    : [];
}

const store = (test: MemoryTest, content: string) =>
  test.ok<{ node_id: string }>('memory_store', { content, kind: 'fact' });

/** Another day begins; those that are being made are finished first. */
async function nextDay(test: MemoryTest): Promise<void> {
  await test.project.backups?.finish();
  test.later(DAY_MS);
}

async function factsIn(test: MemoryTest, name: string): Promise<string[]> {
  const copy = await openSqlite(join(backupFolder(test), name));
  try {
    expect(await copy.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    const rows = await copy.all<{ content: string }>(`SELECT content FROM mem_nodes WHERE kind = 'fact' ORDER BY seq`);
    return rows.map(({ content }) => content);
  } finally {
    await copy.close();
  }
}

describe('a backup is made by itself', () => {
  it('before the first write of a day, of the store as it was then, in files that only their user may read', () =>
    withMemory(async (test) => {
      await store(test, 'of the first day');
      expect(backups(test)).toEqual([]);
      await nextDay(test);
      await test.text('memory_recall', { query: 'day' });
      expect(backups(test)).toEqual([]);
      await store(test, 'of the second day');
      await store(test, 'more of it');
      await test.project.backups?.finish();
      expect(backups(test)).toEqual(['daily-2026-04-01.db']);
      expect(await factsIn(test, 'daily-2026-04-01.db')).toEqual(['of the first day']);
      const modes = [backupFolder(test), join(backupFolder(test), 'daily-2026-04-01.db')].map(
        (path) => statSync(path).mode & 0o777,
      );
      expect(modes).toEqual([0o700, 0o600]);
    }));

  it('and the newest three of them are kept, beside those that a person made', () =>
    withMemory(async (test) => {
      await store(test, 'day 0');
      const made = await test.project.backups?.make();
      for (let day = 1; day <= 5; day++) {
        await nextDay(test);
        await store(test, `day ${day}`);
      }
      await test.project.backups?.finish();
      expect(backups(test)).toEqual([
        ...['03', '04', '05'].map((day) => `daily-2026-04-${day}.db`),
        made?.slice(backupFolder(test).length + 1),
      ]);
      expect(await factsIn(test, 'daily-2026-04-05.db')).toEqual(['day 0', 'day 1', 'day 2', 'day 3', 'day 4']);
    }));

  it('once, by however many write at once', () =>
    withMemory(async (test) => {
      await store(test, 'before');
      const others = await Promise.all([1, 2, 3].map(() => test.another()));
      await nextDay(test);
      await Promise.all([test, ...others].flatMap((each) => [1, 2].map((i) => store(each, `after ${i}`))));
      for (const each of [test, ...others]) await each.project.backups?.finish();
      expect(backups(test)).toEqual(['daily-2026-04-01.db']);
      expect(await factsIn(test, 'daily-2026-04-01.db')).toContain('before');
    }));

  it('of a store of many memories while the write that it waited for is there already', () =>
    withMemory(async (test) => {
      const nodes = Array.from({ length: 20_000 }, (_, i) => ({ content: `${i} `.repeat(40), kind: 'fact' }));
      await test.ok('memory_import', { nodes });
      await nextDay(test);
      const { node_id } = await store(test, 'written meanwhile');
      await test.ok('node', { id: node_id });
      await test.project.backups?.finish();
      const facts = await factsIn(test, 'daily-2026-04-01.db');
      expect(facts).toHaveLength(20_000);
      expect(facts).not.toContain('written meanwhile');
    }));

  it('by the next process where one was ended while it made it', () =>
    withMemory(async (test) => {
      await store(test, 'before');
      await test.project.backups?.make();
      const draft = join(backupFolder(test), 'daily-2026-04-01.tmp');
      writeFileSync(draft, 'half of it');
      await nextDay(test);
      await store(test, 'another process may be making it');
      expect(backups(test)).toContain('daily-2026-04-01.tmp');
      utimesSync(draft, 1, 1);
      const next = await test.another();
      await store(next, 'nobody does');
      await next.project.backups?.finish();
      expect(backups(test).filter((name) => name.startsWith('daily'))).toEqual(['daily-2026-04-01.db']);
    }));

  it('and a write does not fail where it cannot be: that is told', () =>
    withMemory(async (test) => {
      await store(test, 'before');
      await rm(homeOf(test), { recursive: true });
      writeFileSync(homeOf(test), 'no folder');
      await nextDay(test);
      await store(test, 'after');
      const failed = await test.memory.sql.all(`SELECT value FROM mem_flags WHERE name = 'backup_failed'`);
      expect(failed).toEqual([{ value: expect.stringMatching(/^The folder for backups .* cannot be made/) }]);
      await rm(homeOf(test));
      const other = await test.another();
      await store(other, 'later');
      await other.project.backups?.finish();
      expect(await test.memory.sql.all(`SELECT 1 FROM mem_flags WHERE name = 'backup_failed'`)).toEqual([]);
    }));
});

describe('a purge', () => {
  const SECRET = 'Quetzalcoatl guards vault nineteen';

  /** What of the backups holds a trace of it. */
  function traces(test: MemoryTest): string[] {
    return backups(test).filter((name) => readFileSync(join(backupFolder(test), name)).includes('Quetzalcoatl'));
  }

  it('deletes the backups that hold what was purged, and says so; others stay', () =>
    withMemory(async (test) => {
      await store(test, 'before');
      await nextDay(test);
      const { node_id } = await store(test, SECRET);
      await nextDay(test);
      await store(test, 'after');
      const made = await test.project.backups?.make();
      await test.project.backups?.finish();
      writeFileSync(join(backupFolder(test), 'daily-2026-04-02.tmp'), SECRET);
      writeFileSync(join(backupFolder(test), 'replaced-2026-04-02T00-00-00-000Z.db'), `damaged ${SECRET}`);
      expect(traces(test)).toHaveLength(4);
      const purged = await test.ok('memory_forget', { node_id, purge: true });
      expect(purged).toEqual({ count: 1, mode: 'purge', ids: [node_id], removed_backups: 3 });
      expect(traces(test)).toEqual([]);
      expect(backups(test)).toEqual(['daily-2026-04-01.db']);
      expect(existsSync(made ?? '')).toBe(false);
      expect(await test.memory.sql.all(`SELECT 1 FROM mem_flags WHERE name = 'erase_pending'`)).toEqual([]);
    }));

  it('of a session does, too', () =>
    withMemory(async (test) => {
      const { session_id } = await test.ok<{ session_id: string }>('memory_start_session', { name: 'one' });
      await store(test, SECRET);
      await test.project.backups?.make();
      // The purge is the first write of its day that there is something to keep before.
      const cleared = await test.ok('memory_clear_session', { session_id, purge: true });
      expect(cleared).toMatchObject({ mode: 'purge', removed_backups: 2 });
      expect(traces(test)).toEqual([]);
    }));

  it('that was ended before it had deleted them leaves that to the process that opens the store next', () =>
    withMemory(async (test) => {
      const { node_id } = await store(test, SECRET);
      await test.project.backups?.make();
      await test.project.write(async (memory) => {
        const { forget } = await import('../../src/server/memory/forget');
        await forget(memory, { node_id, entity: undefined, before: undefined }, true);
      });
      expect(traces(test)).not.toEqual([]);
      await test.another();
      expect(traces(test)).toEqual([]);
    }));

  it('that finds nothing deletes none', () =>
    withMemory(async (test) => {
      await store(test, 'kept');
      await test.project.backups?.make();
      expect(await test.ok('memory_forget', { node_id: 'f_zzzzzzzz', purge: true })).toEqual({
        count: 0,
        mode: 'purge',
        ids: [],
      });
      await test.project.backups?.finish();
      expect(backups(test)).toHaveLength(2);
    }));
});
