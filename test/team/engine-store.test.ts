import { createServer as createHttpServer } from 'node:http';
import { createServer, connect as dial, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HAS_ENGINE } from '../../scripts/engine-program.mjs';
import { unavailable } from '../../src/server/base/errors';
import { type Engine, engineAdminAt, engineAt } from '../../src/server/engine/address';
import { createDatabase } from '../../src/server/engine/admin-api';
import { StoreOnEngine } from '../../src/server/engine/store-on-engine';
import { MEMORY_MIGRATIONS } from '../../src/server/memory/migrations/index';
import { migrateOnEngine } from '../../src/server/team/engine-projects';
import { EngineWatch } from '../../src/server/team/engine-watch';
import { withEngine } from '../support/engine';

const NAME = 'shop';

/** A way to the engine that can swallow what goes in one direction, and then break. */
interface Way {
  readonly engine: Engine;
  /** From now on nothing of this gets through, and the connections break a moment later. */
  swallow(what: 'requests' | 'answers'): void;
  /** From now on nobody gets through, or everybody again. */
  cut(isCut: boolean): void;
}

function withStore(work: (store: StoreOnEngine, way: Way) => Promise<void>): Promise<void> {
  return withEngine(async ({ address, admin }) => {
    const engine = engineAt(address, undefined);
    await createDatabase({ address: admin, key: undefined }, NAME);
    await migrateOnEngine(engine, { address: admin, key: undefined }, NAME);
    const open = new Set<Socket>();
    let swallowed: 'requests' | 'answers' | undefined;
    let cut = false;
    const proxy = createServer((near) => {
      if (cut) return void near.destroy();
      const far = dial(Number(new URL(address).port), '127.0.0.1');
      for (const socket of [near, far]) {
        open.add(socket);
        socket.on('error', () => {}).on('close', () => [near, far].forEach((each) => void each.destroy()));
      }
      near.on('data', (piece) => swallowed === 'requests' || far.write(piece));
      far.on('data', (piece) => swallowed === 'answers' || near.write(piece));
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    const port = (proxy.address() as { port: number }).port;
    const way: Way = {
      engine: engineAt(`http://127.0.0.1:${port}`, undefined),
      swallow(what) {
        swallowed = what;
        setTimeout(() => {
          swallowed = undefined;
          for (const socket of open) socket.destroy();
        }, 300);
      },
      cut(isCut) {
        cut = isCut;
        for (const socket of open) socket.destroy();
      },
    };
    const store = await StoreOnEngine.open({
      database: { engine: way.engine, name: NAME },
      migrations: MEMORY_MIGRATIONS,
    });
    try {
      await work(store, way);
    } finally {
      await store.close();
      for (const socket of open) socket.destroy();
      proxy.close();
    }
  });
}

const ADD = `INSERT INTO mem_principals (name, kind) VALUES ($name, 'person')`;
const COUNT = 'SELECT count(*) AS count FROM mem_principals';

describe.runIf(HAS_ENGINE)('a write to an engine', () => {
  it.each([
    ['is not done once more when it was kept and nobody heard of it', 'answers', 1],
    ['is done once more when it was not kept', 'requests', 2],
  ] as const)('%s', (_, swallowed, times) =>
    withStore(async (store, way) => {
      let runs = 0;
      const answer = await store.transact(async (sql) => {
        runs++;
        await sql.run(ADD, { name: `anna ${runs}` });
        if (runs === 1) way.swallow(swallowed);
        return `answer ${runs}`;
      });
      expect(answer).toBe(`answer ${times}`);
      expect(runs).toBe(times);
      expect(await store.get(COUNT)).toEqual({ count: 1 });
    }),
  );

  it('waits with the others for an engine that is away, and not after them', () =>
    withStore(async (store, way) => {
      const now = performance.now.bind(performance);
      let passed = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
      way.cut(true);
      const writes = ['anna', 'bob', 'mia'].map((name) => store.transact((sql) => sql.run(ADD, { name })));
      const told = Promise.allSettled(writes);
      // The first of them has its turn.
      await delay(100);
      passed = 31_000;
      for (const each of await told) {
        expect(each).toMatchObject({
          status: 'rejected',
          reason: { said: expect.stringContaining('does not answer') },
        });
      }
      // The next one is waited for as long as the first was.
      const next = store.transact((sql) => sql.run(ADD, { name: 'eve' }));
      setTimeout(() => way.cut(false), 300);
      await next;
      expect(await store.get(COUNT)).toEqual({ count: 1 });
    }));

  it('takes half a character as a file does, and does not hang up', () =>
    withStore(async (store) => {
      await store.transact((sql) => sql.run(ADD, { name: 'anna \ud800' }));
      expect(await store.get('SELECT name FROM mem_principals WHERE name = $name', { name: 'anna \udfff' })).toEqual({
        name: 'anna \ufffd',
      });
    }));

  it('that fails leaves nothing, and the next one is as if it had never been', () =>
    withStore(async (store) => {
      const failing = store.transact(async (sql) => {
        await sql.batch([{ sql: ADD, parameters: { name: 'anna' } }, { sql: 'INSERT INTO nowhere VALUES (1)' }]);
      });
      await expect(failing).rejects.toThrow('no such table');
      await store.transact((sql) => sql.run(ADD, { name: 'bob' }));
      expect(await store.all('SELECT name FROM mem_principals')).toEqual([{ name: 'bob' }]);
    }));

  it('is told as one that nobody answers, when there is no such database', () =>
    withEngine(async ({ address }) => {
      const engine = engineAt(address, undefined);
      await expect(
        StoreOnEngine.open({ database: { engine, name: 'nowhere' }, migrations: MEMORY_MIGRATIONS }),
      ).rejects.toThrow('does not answer, or has no database for the project nowhere');
    }));

  it('is not waited for where something in front of the engine lets nobody in', async () => {
    const guard = createHttpServer().on('upgrade', (_, socket) => {
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    });
    await new Promise<void>((done) => guard.listen(0, '127.0.0.1', done));
    const engine = engineAt(`http://127.0.0.1:${(guard.address() as { port: number }).port}`, undefined);
    const opened = StoreOnEngine.open({ database: { engine, name: NAME }, migrations: MEMORY_MIGRATIONS });
    await expect(opened).rejects.toThrow('does not let us in');
    guard.close();
  });

  it('is refused by a program that is older than the database', () =>
    withStore(async (_, { engine }) => {
      const older = MEMORY_MIGRATIONS.slice(0, -1);
      await expect(StoreOnEngine.open({ database: { engine, name: NAME }, migrations: older })).rejects.toThrow(
        'newer than the 8 that this program knows',
      );
    }));
});

afterEach(() => void vi.restoreAllMocks());

describe('an address of an engine', () => {
  it.each([
    ['libsql://memory.example', 'wss://memory.example'],
    ['libsql://memory.example:8443', 'wss://memory.example:8443'],
    ['http://127.0.0.1:8080', 'ws://127.0.0.1:8080'],
    ['http://localhost:8080/', 'ws://localhost:8080'],
    ['https://memory.example', 'wss://memory.example'],
    ['wss://memory.example:8443', 'wss://memory.example:8443'],
    ['ws://[::1]:8080', 'ws://[::1]:8080'],
  ])('%s is reached at %s', (address, socket) => {
    expect(engineAt(address, undefined).socket).toBe(socket);
  });

  it.each([
    ['http://memory.example:8080', 'memories would go there unprotected'],
    ['ws://memory.example', 'memories would go there unprotected'],
    ['libsql://memory.example?authToken=secret', 'more than the address'],
    ['libsql://memory.example#secret', 'more than the address'],
    ['libsql://anna:secret@memory.example', 'more than the address'],
    ['ftp://memory.example', 'not the address of a libSQL server'],
    ['libsql://', 'not the address of a libSQL server'],
  ])('%s is refused, and not repeated', (address, problem) => {
    const refused = (): Engine => engineAt(address, undefined);
    expect(refused).toThrow(problem);
    expect(refused).not.toThrow('secret');
  });

  it('may be plain on another machine where the operator says so', () => {
    expect(engineAt('http://engine:8080', undefined, { plainAllowed: true }).socket).toBe('ws://engine:8080');
    expect(engineAdminAt('http://engine:8081', { plainAllowed: true })).toBe('http://engine:8081');
  });

  it.each([
    ['http://engine:8081', 'SVC_MEMORY_DB_ADMIN names "engine:8081", another machine'],
    ['libsql://memory.example', 'SVC_MEMORY_DB_ADMIN is not the address'],
  ])('for administrators is not %s', (address, problem) => {
    expect(() => engineAdminAt(address)).toThrow(problem);
  });
});

describe('the watch of an engine', () => {
  afterEach(() => vi.useRealTimers());

  const renew = async (): Promise<void> => {};
  const replicaProblem = async (): Promise<string | undefined> => undefined;

  it('tells of writes that wait too long, has the engine started again once a minute, and tells when they go on', async () => {
    vi.useFakeTimers();
    const store = { waitedMs: 0, isAway: false, probes: 0, probe: async () => void store.probes++, replicaProblem };
    const told: string[] = [];
    let restarts = 0;
    const restart = async (): Promise<void> => void restarts++;
    const stores = new Map([['shop', store]]);
    const watch = new EngineWatch({ ...{ stores, renew, restart }, log: (line) => told.push(line) });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(store.probes).toBe(2);
    expect([told, watch.stuckProjects, restarts]).toEqual([[], [], 0]);
    store.waitedMs = 10_500;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(told).toEqual([
      'the engine has taken no write to the project shop for 10 seconds',
      'starting the engine again, by the command of --restart-engine',
    ]);
    expect([watch.stuckProjects, watch.waits().get('shop'), restarts, store.probes]).toEqual([['shop'], 10.5, 1, 2]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(restarts).toBe(2);
    // That write has given up, which is not that it was taken.
    [store.waitedMs, store.isAway] = [0, true];
    const before = told.length;
    await vi.advanceTimersByTimeAsync(4_000);
    expect([told.slice(before), watch.stuckProjects]).toEqual([[], ['shop']]);
    store.isAway = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(told.at(-1)).toBe('the engine takes writes to the project shop again');
    expect(watch.stuckProjects).toEqual([]);
    watch.close();
  });

  it('tells once why a project cannot be written to, or its replica not be read, and when they can again', async () => {
    vi.useFakeTimers();
    const closed = unavailable('The engine does not let us in', 'Set a token');
    let isClosed = true;
    let problem: string | undefined = 'The engine at http://127.0.0.1:9 does not answer';
    const store = {
      waitedMs: 0,
      isAway: false,
      probe: async () => (isClosed ? Promise.reject(closed) : undefined),
      replicaProblem: async () => problem,
    };
    const told: string[] = [];
    const log = (line: string): void => void told.push(line);
    const watch = new EngineWatch({ ...{ renew, log, restart: undefined }, stores: new Map([['shop', store]]) });
    watch.askReplicas();
    await vi.advanceTimersByTimeAsync(0);
    const replica = `the replica of the project shop cannot be read, so nothing can be read while the engine is away: ${problem}`;
    expect(told).toEqual([replica]);
    await vi.advanceTimersByTimeAsync(20_000);
    const refused = 'the project shop cannot be written to: The engine does not let us in. Set a token.';
    expect(told).toEqual([replica, refused]);
    expect(watch.stuckProjects).toEqual(['shop']);
    [isClosed, problem] = [false, undefined];
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told.slice(2)).toEqual([
      'the replica of the project shop can be read again',
      'the project shop can be written to again',
    ]);
    expect(watch.stuckProjects).toEqual([]);
    watch.close();
  });

  it('writes to the database that has taken the place of another one', async () => {
    vi.useFakeTimers();
    const probed: string[] = [];
    const storeOf = (name: string) => ({
      waitedMs: 0,
      isAway: false,
      probe: async () => void probed.push(name),
      replicaProblem,
    });
    const stores = new Map([['shop', storeOf('old')]]);
    const erased = async (project: string): Promise<void> => void stores.set(project, storeOf('new'));
    const watch = new EngineWatch({ ...{ stores, log: () => {}, restart: undefined }, renew: erased });
    await vi.advanceTimersByTimeAsync(6_000);
    expect(probed).toEqual(['new']);
    watch.close();
  });
});
