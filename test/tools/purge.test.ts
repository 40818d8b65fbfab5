import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { purgedIds } from '../../src/server/memory/forget';
import { finishErase } from '../../src/server/project/erase';
import { fileOf } from '../../src/store-place/store-place';
import { type MemoryTest, withMemory } from '../support/memory';
import { openSqlite } from '../support/sqlite';

/** Words that stand nowhere else; as the index writes them, too. */
const SECRET = 'Quetzalcoatl guards vault nineteen';
const TRACES = [
  'Quetzalcoatl',
  'quetzalcoatl',
  'vault nineteen',
  'nineteen',
  'Zugzwangfully',
  'zugzwang',
  'Brobdingnagian',
];

const storeSecret = async ({ ok }: MemoryTest): Promise<string> =>
  (
    await ok<{ node_id: string }>('memory_store', {
      content: SECRET,
      kind: 'decision',
      rationale: 'Zugzwangfully chosen',
      alternatives_rejected: ['Brobdingnagian locks'],
      entities: ['Doors'],
    })
  ).node_id;

/** The files of the store that hold a trace of what was purged. */
function traces({ folder }: MemoryTest): string[] {
  const store = join(folder, '.svc');
  return readdirSync(store).flatMap((name) => {
    const bytes = readFileSync(join(store, name)).toString('latin1');
    return TRACES.filter((trace) => bytes.includes(trace)).map((trace) => `${name}: ${trace}`);
  });
}

const pending = ({ memory }: MemoryTest) => memory.sql.all(`SELECT name FROM mem_flags WHERE name = 'erase_pending'`);

describe('a purge', () => {
  it('leaves no byte of the content in any file of the store', () =>
    withMemory(async (test) => {
      const node_id = await storeSecret(test);
      for (let i = 0; i < 30; i++) await test.ok('memory_store', { content: `Filler ${i}`, kind: 'fact' });
      await test.text('memory_recall', { query: 'vault' });
      expect(traces(test)).not.toEqual([]);
      await test.ok('memory_forget', { node_id, purge: true });
      expect(traces(test)).toEqual([]);
      expect(await pending(test)).toEqual([]);
    }));

  it('leaves none where the content is large and was changed in between', () =>
    withMemory(async (test) => {
      const long = Array.from({ length: 2000 }, (_, i) => `${SECRET} ${i}`).join('\n');
      const { node_id } = await test.ok<{ node_id: string }>('memory_store', {
        content: long,
        kind: 'fact',
        confidence: 0.1,
      });
      for (let i = 0; i < 5; i++) await test.ok('memory_verify', { node_id, status: 'confirm' });
      await test.ok('memory_forget', { node_id });
      await test.ok('memory_forget', { node_id, purge: true });
      expect(traces(test)).toEqual([]);
    }));

  it('leaves no history of it and no number of an operation that would still find it', () =>
    withMemory(async (test) => {
      const old = await storeSecret(test);
      const { node_id } = await test.ok<{ node_id: string }>('memory_store', {
        content: SECRET,
        kind: 'decision',
        entities: ['Quetzalcoatl'],
        supersedes: old,
      });
      await test.ok('memory_verify', { node_id, status: 'confirm' });
      await test.ok('settle', { action: 'keep', node_id, other_id: await storeSecret(test) });
      await test.ok('memory_forget', { node_id });
      await test.ok('restore', { node_id });
      await test.ok('undo');
      for (const id of [old, node_id]) await test.ok('memory_forget', { node_id: id, purge: true });
      await test.ok('memory_forget', { entity: 'Doors', purge: true });
      await test.ok('memory_forget', { before: '2030-01-01', purge: true });
      expect(traces(test)).toEqual([]);
      for (const table of ['mem_history', 'mem_kept_pairs']) {
        expect(await test.memory.sql.all(`SELECT * FROM ${table}`)).toEqual([]);
      }
      expect(await test.memory.sql.all('SELECT * FROM mem_operations WHERE created_to >= created_from')).toEqual([]);
    }));

  it('of a session leaves none of its name and of what was stored in it', () =>
    withMemory(async (test) => {
      const { session_id } = await test.ok<{ session_id: string }>('memory_start_session', { name: SECRET });
      await storeSecret(test);
      await test.ok('memory_clear_session', { session_id, purge: true });
      expect(traces(test)).toEqual([]);
    }));

  it('of an entity leaves none of its names, also where a memory about it stays', () =>
    withMemory(async (test) => {
      const [node_id] = (
        await test.ok<{ created_entity_ids: string[] }>('memory_store', {
          content: 'It stays',
          kind: 'decision',
          rationale: 'Solid',
          entities: ['Quetzalcoatl', 'Doors'],
        })
      ).created_entity_ids;
      await test.ok('memory_forget', { node_id, purge: true });
      expect(traces(test)).toEqual([]);
      expect(await test.text('memory_recall', { query: 'quetzalcoatl' })).toContain('0 items');
      for (const query of ['doors', 'solid', 'stays']) {
        expect(await test.text('memory_recall', { query, kinds: ['decision'] })).toContain('It stays');
      }
    }));

  it('takes the backups of migrations with it', () =>
    withMemory(async (test) => {
      const node_id = await storeSecret(test);
      writeFileSync(join(test.folder, '.svc', 'memory.db.backup-v1-2026-01-01T00-00-00-000Z-1'), SECRET);
      await test.ok('memory_forget', { node_id, purge: true });
      expect(traces(test)).toEqual([]);
    }));

  it('waits for a reader that leaves in time', () =>
    withMemory(async (test) => {
      const node_id = await storeSecret(test);
      const reader = await openSqlite(fileOf(test.project.place));
      await reader.all('BEGIN');
      await reader.all('SELECT count(*) FROM mem_nodes');
      const purged = test.ok('memory_forget', { node_id, purge: true });
      setTimeout(() => void reader.all('COMMIT'), 300);
      await purged;
      expect(traces(test)).toEqual([]);
      expect(await pending(test)).toEqual([]);
      await reader.close();
    }));

  it('that a reader holds up stays pending, does not hold up writers, and is finished later', () =>
    withMemory(async (test) => {
      const node_id = await storeSecret(test);
      const reader = await openSqlite(fileOf(test.project.place));
      await reader.all('BEGIN');
      await reader.all('SELECT count(*) FROM mem_nodes');
      let isOver = false;
      const purged = test.ok('memory_forget', { node_id, purge: true }).then(() => {
        isOver = true;
      });
      await test.ok('memory_store', { content: 'Meanwhile', kind: 'fact' });
      expect(isOver).toBe(false);
      await purged;
      expect(await test.text('memory_timeline', { topic: 'quetzalcoatl' })).toContain('Nothing is remembered');
      expect(await pending(test)).toHaveLength(1);
      await reader.all('COMMIT');
      await reader.close();
      await finishErase(test.project);
      expect(traces(test)).toEqual([]);
      expect(await pending(test)).toEqual([]);
    }));
});

describe('an erase that is pending', () => {
  /** A purge whose erase a reader held up; the reader is gone. @returns what was purged */
  async function heldUp(test: MemoryTest): Promise<string> {
    const node_id = await storeSecret(test);
    const reader = await openSqlite(fileOf(test.project.place));
    await reader.all('BEGIN');
    await reader.all('SELECT count(*) FROM mem_nodes');
    await test.project.write(async (memory) => {
      const { forget } = await import('../../src/server/memory/forget');
      await forget(memory, { node_id, entity: undefined, before: undefined }, true);
    });
    await finishErase(test.project, 0);
    expect(await pending(test)).toHaveLength(1);
    await reader.all('COMMIT');
    await reader.close();
    return node_id;
  }

  it('names whatever was purged until then, for the backups that hold it', () =>
    withMemory(async (test) => {
      const named = async (): Promise<readonly string[]> => {
        const [flag] = await test.memory.sql.all<{ value: string }>(
          `SELECT value FROM mem_flags WHERE name = 'erase_pending'`,
        );
        return purgedIds(flag?.value ?? '').toSorted();
      };
      const first = await heldUp(test);
      const second = await heldUp(test);
      expect(await named()).toEqual([first, second].toSorted());
      // As versions before this list wrote it, and as a file may have it that another program touched.
      for (const value of ['1', '', '{']) {
        await test.project.store.transact((sql) =>
          sql.run(`UPDATE mem_flags SET value = $value WHERE name = 'erase_pending'`, { value }),
        );
        expect(await named()).toEqual([]);
        const later = await heldUp(test);
        expect(await named()).toEqual([later]);
      }
    }));

  it('is finished by the next opening of the store by any process', () =>
    withMemory(async (test) => {
      await heldUp(test);
      await test.another();
      expect(await pending(test)).toEqual([]);
      expect(traces(test)).toEqual([]);
    }));

  it('is finished by the next closing', () =>
    withMemory(async (test) => {
      const other = await test.another();
      await heldUp(test);
      await other.project.close();
      expect(await pending(test)).toEqual([]);
      expect(traces(test)).toEqual([]);
    }));

  it('is finished by the next purge, also one that finds nothing', () =>
    withMemory(async (test) => {
      await heldUp(test);
      await test.ok('memory_forget', { node_id: 'f_zzzzzzzz', purge: true });
      expect(await pending(test)).toEqual([]);
      expect(traces(test)).toEqual([]);
    }));
});
