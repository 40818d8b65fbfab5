import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../../src/server/base/clock';
import { type SvcError, unavailable } from '../../../src/server/base/errors';
import type { Log } from '../../../src/server/base/log';
import { consolidate } from '../../../src/server/memory/consolidation/consolidate';
import { RENEWALS } from '../../../src/server/memory/sessions/leases';
import { ClientViews } from '../../../src/server/project/client-views';
import { SessionLeases } from '../../../src/server/project/session-leases';
import { callTool } from '../../../src/server/tools/call-tool';
import { MEMORY_TOOLS } from '../../../src/server/tools/registry';
import { testHolder } from '../../support/holder';
import { type MemoryTest, NOON, withMemory } from '../../support/memory';

/** The clock of these tests stands still; the timer is the machine's, and quick. */
const LEASE = { leaseMs: 30 };
const TICK_MS = LEASE.leaseMs / RENEWALS;

const at = (ms: number) => new Date(NOON + ms).toISOString();
const leases = async ({ project }: Pick<MemoryTest, 'project'>) =>
  (await project.store.all<{ lease_until: string }>('SELECT lease_until FROM mem_sessions ORDER BY seq')).map(
    ({ lease_until }) => lease_until,
  );
/** A busy machine takes its time. */
const waitFor = (look: () => unknown) => vi.waitFor(look, { timeout: 60_000 });
const start = ({ ok }: MemoryTest, namespace = 'default') => ok('memory_start_session', { name: 'x', namespace });

/** Timers of leases that run. */
let timers: NodeJS.Timeout[];

beforeEach(() => {
  timers = [];
  const { setInterval: begin, clearInterval: end } = globalThis;
  vi.spyOn(globalThis, 'setInterval').mockImplementation((work, ms, ...more) => {
    const timer = begin(work, ms, ...more);
    if (ms === TICK_MS) timers.push(timer);
    return timer;
  });
  vi.spyOn(globalThis, 'clearInterval').mockImplementation((timer) => {
    timers = timers.filter((one) => one !== timer);
    end(timer);
  });
});

afterEach(() => vi.restoreAllMocks());

describe('a timer', () => {
  test('renews the lease of an open session, and keeps no process alive', () =>
    withMemory(async (memory) => {
      await memory.ok('memory_list_sessions');
      expect(timers).toEqual([]);
      await start(memory);
      expect(timers.map((timer) => timer.hasRef())).toEqual([false]);
      memory.later(2 * DAY_MS);
      await waitFor(async () => expect(await leases(memory)).toEqual([at(2 * DAY_MS + LEASE.leaseMs)]));
      expect(await consolidate(memory.project)).toMatchObject({ sessions: [] });
    }, LEASE));

  test('renews those of all namespaces that a client has sessions in', () =>
    withMemory(async (memory) => {
      const views = new ClientViews(memory.project);
      const store = (input: object) =>
        callTool(MEMORY_TOOLS, views.of('default'), 'memory_store', { content: 'x', kind: 'fact', ...input });
      await store({ namespace: 'there' });
      await store({});
      memory.later(DAY_MS);
      const renewed = at(DAY_MS + LEASE.leaseMs);
      await waitFor(async () => expect(await leases(memory)).toEqual([renewed, renewed]));
      expect(timers).toHaveLength(1);
    }, LEASE));

  test.each<[string, (memory: MemoryTest) => Promise<unknown>]>([
    ['its session is ended', ({ ok }) => ok('memory_end_session', { summary: 'Done.' })],
    [
      'another process closes it',
      ({ project }) => project.store.transact((sql) => sql.run('UPDATE mem_nodes SET valid_until = recorded_at')),
    ],
    ['its session is left for another namespace', ({ ok }) => ok('memory_switch_namespace', { namespace: 'other' })],
    ['the project is closed', ({ project }) => project.close()],
  ])('ends when %s', (_, end) =>
    withMemory(async (memory) => {
      await start(memory);
      await end(memory);
      await waitFor(() => expect(timers).toEqual([]));
    }, LEASE),
  );

  test('begins again with the next session, and leaves one alone that was left', () =>
    withMemory(async (memory) => {
      await start(memory);
      await start(memory, 'other');
      // What was begun for the first one is written before the clock goes on: writes wait for each other.
      await memory.project.store.transact(async () => {});
      memory.later(DAY_MS);
      await waitFor(async () => expect(await leases(memory)).toEqual([at(LEASE.leaseMs), at(DAY_MS + LEASE.leaseMs)]));
      await memory.ok('memory_end_session', { summary: 'Done.' });
      await waitFor(() => expect(timers).toEqual([]));
      await start(memory);
      expect(timers).toHaveLength(1);
    }, LEASE));

  const leasesOf = (
    { project }: MemoryTest,
    own: { log: Log; isOld?: () => boolean; left?: SvcError; write: () => never },
  ) => {
    const { store, memory } = project;
    const stub = { all: store.all.bind(store), get: store.get.bind(store), left: own.left, transact: own.write };
    const isOld = own.isOld ?? (() => false);
    const made = new SessionLeases({
      store: stub,
      memory: { ...memory, holder: () => testHolder(LEASE) },
      log: own.log,
      isOld,
    });
    made.note(memory.scope);
    expect(timers).toHaveLength(1);
    return made;
  };

  test('that cannot write fails nothing, and tries again', () =>
    withMemory(async (memory) => {
      await start(memory);
      const told: string[] = [];
      const write = vi.fn(() => {
        throw new Error('busy');
      });
      const mine = leasesOf(memory, { write, log: (message) => void told.push(message) });
      await waitFor(() => expect(write.mock.calls.length).toBeGreaterThan(1));
      await mine.close();
      expect(new Set(told)).toEqual(new Set(['leases of sessions were not written: busy']));
    }));

  test.each([
    ['nobody accepts any more', { isOld: () => true }],
    ['is gone', { left: unavailable('gone', 'Look for it') }],
  ])('writes nothing to a store that %s', (_, how) =>
    withMemory(async (memory) => {
      await start(memory);
      const write = vi.fn(() => {
        throw new Error('written');
      });
      const mine = leasesOf(memory, { ...how, write, log: () => {} });
      await waitFor(() => expect(timers).toEqual([]));
      await mine.close();
      expect(write).not.toHaveBeenCalled();
    }),
  );
});
