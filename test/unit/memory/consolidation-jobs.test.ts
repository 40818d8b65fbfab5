import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, timestamp } from '../../../src/server/base/clock';
import { processIsAlive } from '../../../src/server/base/process-is-alive';
import { type ConsolidatedStore, consolidate } from '../../../src/server/memory/consolidation/consolidate';
import { claimJobs, countJobs, MAX_JOB_ATTEMPTS } from '../../../src/server/memory/consolidation/jobs';
import { type MemoryTest, withMemory } from '../../support/memory';

const noneIsAlive = () => false;
const allAreAlive = () => true;

const jobs = ({ memory }: MemoryTest) =>
  memory.sql.all<Record<string, unknown>>('SELECT state, attempts, problem, pid FROM mem_jobs ORDER BY id');

async function work(memory: MemoryTest, ...contents: string[]): Promise<void> {
  // What has a date is stored, also when it is there.
  const valid_from = timestamp(memory.memory.clock());
  for (const content of contents) await memory.ok('memory_store', { content, kind: 'fact', valid_from });
  await memory.ok('memory_end_session', { summary: `Session about ${contents[0]}` });
}

describe('jobs', () => {
  test('wait until consolidate does them', () =>
    withMemory(async (memory) => {
      await work(memory, 'One');
      await work(memory, 'Two');
      await memory.ok('memory_switch_namespace', { namespace: 'work' });
      await work(memory, 'Three');
      expect(await countJobs(memory.memory.sql)).toEqual({ queued: 3, running: 0, failed: 0 });
      expect(await consolidate(memory.project, { dryRun: true })).toMatchObject({ jobs: { done: 3, failed: 0 } });
      expect(await consolidate(memory.project)).toMatchObject({
        jobs: { done: 3, failed: 0 },
        namespaces: [{ namespace: 'default' }, { namespace: 'work' }],
      });
      expect(await countJobs(memory.memory.sql)).toEqual({ queued: 0, running: 0, failed: 0 });
      expect((await jobs(memory)).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    }));

  test('of a process that went away are taken again; of a living one they are left alone', () =>
    withMemory(async (memory) => {
      await work(memory, 'One', 'One');
      const doomed = await memory.another({ pid: 4711 });
      expect(await doomed.project.write((writable) => claimJobs(writable, allAreAlive))).toMatchObject({ ids: [1] });
      expect(await jobs(memory)).toMatchObject([{ state: 'running', attempts: 1, pid: 4711 }]);
      expect(await consolidate(memory.project, { isAlive: allAreAlive })).toMatchObject({ namespaces: [] });
      expect(await consolidate(memory.project, { dryRun: true, isAlive: noneIsAlive })).toMatchObject({
        namespaces: [{ closed: [{}] }],
      });
      expect(await consolidate(memory.project, { isAlive: noneIsAlive })).toMatchObject({
        namespaces: [{ closed: [{}] }],
        jobs: { done: 1, failed: 0 },
      });
      expect(await jobs(memory)).toMatchObject([{ state: 'done', attempts: 2 }]);
    }));

  test('of another host are taken again after an hour', () =>
    withMemory(async (memory) => {
      await work(memory, 'One');
      const elsewhere = await memory.another({ host: 'elsewhere' });
      await elsewhere.project.write((writable) => claimJobs(writable, noneIsAlive));
      expect(await consolidate(memory.project, { isAlive: noneIsAlive })).toMatchObject({ jobs: { done: 0 } });
      memory.later(HOUR_MS + 1);
      expect(await consolidate(memory.project, { isAlive: allAreAlive })).toMatchObject({ jobs: { done: 1 } });
    }));

  test('that fail are tried again, and are failed after the last attempt', () =>
    withMemory(async (memory) => {
      await work(memory, 'One', 'One');
      // The table of edges cannot be written: the disk of this test.
      await memory.project.write(({ sql }) =>
        sql.run(`CREATE TRIGGER broken BEFORE INSERT ON mem_edges BEGIN SELECT raise(ABORT, 'broken'); END`),
      );
      const told: string[] = [];
      const report = await consolidate({ ...memory.project, log: (message) => void told.push(message) });
      expect(told[0]).toMatch(/^internal error: .*broken/);
      expect(report).toMatchObject({ namespaces: [], jobs: { done: 0, failed: 1 } });
      expect(report.problems).toHaveLength(MAX_JOB_ATTEMPTS);
      expect(report.problems[0]).toEqual({ namespace: 'default', problem: 'internal: Error' });
      expect(await jobs(memory)).toEqual([
        { state: 'failed', attempts: MAX_JOB_ATTEMPTS, problem: 'internal: Error', pid: null },
      ]);
      expect(await countJobs(memory.memory.sql)).toEqual({ queued: 0, running: 0, failed: 1 });
      await memory.project.write(({ sql }) => sql.run('DROP TRIGGER broken'));
      await work(memory, 'Two');
      expect(await consolidate(memory.project)).toMatchObject({ namespaces: [{ closed: [{}] }], jobs: { done: 1 } });
    }));

  test('are done once when two processes consolidate at once', () =>
    withMemory(async (memory) => {
      const other = await memory.another({ pid: 4711 });
      for (const namespace of ['a', 'b', 'c', 'd']) {
        await memory.ok('memory_switch_namespace', { namespace });
        await work(memory, 'The same', 'The same', 'The same', 'Other', 'Other');
      }
      const reports = await Promise.all(
        [memory, other].map(({ project }) => consolidate(project, { isAlive: allAreAlive })),
      );
      expect(reports.reduce((sum, { jobs: { done } }) => sum + done, 0)).toBe(4);
      expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
      // Where one had done them all, the other looked at its own namespace.
      const namespaces = reports.flatMap(({ unasked, namespaces }) => (unasked === undefined ? namespaces : []));
      expect(namespaces.map(({ namespace }) => namespace).sort()).toEqual(['a', 'b', 'c', 'd']);
      expect(namespaces.map(({ closed }) => closed.length)).toEqual([3, 3, 3, 3]);
      expect(await memory.memory.sql.get(`SELECT count(*) AS n FROM mem_edges WHERE type = 'SUPERSEDES'`)).toEqual({
        n: 12,
      });
    }));

  test('a memory that is forgotten between comparing and writing stays as it is', () =>
    withMemory(async (memory) => {
      const { node_id } = await memory.ok<{ node_id: string }>('memory_store', { content: 'The same', kind: 'fact' });
      await work(memory, 'The same');
      const { project } = memory;
      const delayed: ConsolidatedStore = {
        memory: project.memory,
        log: project.log,
        write: async (writing) => {
          // The second write is the one that closes what was found.
          writes += 1;
          if (writes === 2) await memory.ok('memory_forget', { node_id });
          return project.write(writing);
        },
      };
      let writes = 0;
      expect(await consolidate(delayed)).toMatchObject({ namespaces: [{ closed: [] }], jobs: { done: 1 } });
      expect(
        await memory.memory.sql.get('SELECT tombstoned, valid_until FROM mem_nodes WHERE id = $id', { id: node_id }),
      ).toEqual({ tombstoned: 1, valid_until: null });
    }));
});

describe('sessions that were left behind', () => {
  const open = (memory: MemoryTest) =>
    memory.memory.sql.all<{ content: string }>(
      `SELECT content FROM mem_nodes WHERE kind = 'session' AND valid_until IS NULL ORDER BY seq`,
    );

  test('are closed a day after their last write when their lease has ended', () =>
    withMemory(async (memory) => {
      const { session_id } = await memory.ok<{ session_id: string }>('memory_start_session', { name: 'Left' });
      memory.later(HOUR_MS);
      await memory.ok('memory_store', { content: 'Last words', kind: 'fact' });
      memory.later(DAY_MS - 1);
      expect(await consolidate(memory.project)).toMatchObject({ sessions: [] });
      memory.later(1);
      const left = { namespace: 'default', id: session_id, name: 'Left', last_write_at: '2026-03-31T13:00:00.000Z' };
      const dry = await consolidate(memory.project, { dryRun: true });
      expect(dry).toMatchObject({ sessions: [left], jobs: { done: 1 }, namespaces: [{ namespace: 'default' }] });
      expect(await open(memory)).toHaveLength(1);
      // It ends like any other session: with a job for its namespace.
      expect(await consolidate(memory.project)).toEqual({ ...dry, dry_run: false });
      expect(await memory.ok('memory_list_sessions')).toMatchObject([
        { id: session_id, valid_until: '2026-04-01T13:00:00.000Z' },
      ]);
    }));

  test('are left open while somebody holds them, on any host; imported ones are held by nobody', () =>
    withMemory(async (memory) => {
      // Longer than a day without a write, as a process has it that renews its lease.
      const elsewhere = await memory.another({ host: 'elsewhere', leaseMs: 2 * DAY_MS });
      await elsewhere.ok('memory_start_session', { name: 'Far away' });
      await memory.ok('memory_import', {
        nodes: [{ kind: 'session', content: 'Imported', recorded_at: '2026-01-01', id: 's_old' }],
      });
      memory.later(2 * DAY_MS - 1);
      await consolidate(memory.project);
      expect(await open(memory)).toEqual([{ content: 'Far away' }]);
      memory.later(1);
      await consolidate(memory.project);
      expect(await open(memory)).toEqual([]);
    }));

  test('in other namespaces are closed as well', () =>
    withMemory(async (memory) => {
      await memory.ok('memory_start_session', { name: 'There', namespace: 'work' });
      await memory.ok('memory_switch_namespace', { namespace: 'default' });
      memory.later(2 * DAY_MS);
      expect(await consolidate(memory.project)).toMatchObject({ sessions: [{ namespace: 'work', name: 'There' }] });
    }));
});

test('a process is alive until it is gone', () => {
  expect(processIsAlive(process.pid)).toBe(true);
  expect(processIsAlive(2 ** 22 + 1)).toBe(false);
});
