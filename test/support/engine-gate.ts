import { randomUUID } from 'node:crypto';
import { engineAt } from '../../src/server/engine/address';
import { StoreOnEngine } from '../../src/server/engine/store-on-engine';
import { MEMORY_MIGRATIONS } from '../../src/server/memory/migrations/index';
import { type EngineServer, withEngine } from './engine';
import { type Team, type TeamServer, withTeam } from './team-server';

export interface Gate {
  readonly clients: number;
  /** Of both servers, or of one of them, by turns. */
  readonly killsOfServers: number;
  readonly killsOfEngine: number;
  /** It goes on until this many stores are acknowledged. */
  readonly stores: number;
}

export interface Passed {
  readonly acknowledged: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  /** Rows that belong to no store that was asked for. */
  readonly strange: readonly string[];
  /** Of calls that were carried out, beyond the rows. */
  readonly repeated: number;
  /** Until the engine took the next write, after each kill, in milliseconds. */
  readonly afterServers: readonly number[];
  readonly afterEngine: readonly number[];
  readonly ms: number;
}

/** Stores by many clients on two servers on one engine, while all of them are killed over and over. */
export function passGate(gate: Gate): Promise<Passed> {
  return withEngine((engine) =>
    withTeam(
      async (team) => {
        const servers = await Promise.all([team.start(), team.start()]);
        const run = new GateRun(gate, engine, team, servers);
        return run.pass();
      },
      { SVC_MEMORY_DB: engine.address, SVC_MEMORY_DB_ADMIN: engine.admin },
    ),
  );
}

/** A client gives a call up after this, and sends it once more, with its key. */
const CALL_LIMIT_MS = 60_000;
/**
 * A client waits up to this before it asks again, and longer each time. Fifty that ask without end keep this very process busy:
 * after a kill, more than half of the time until the next write was theirs.
 */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
/** So much is stored between two kills. */
const BETWEEN_KILLS = 15;

interface Attempt {
  readonly client: number;
  readonly token: string;
  /** The servers are asked by turns. */
  readonly attempt: number;
}

class GateRun {
  private readonly acknowledged = new Set<string>();
  private readonly asked = new Set<string>();
  private readonly sessions = new Map<number, string>();
  private stopped = false;

  constructor(
    private readonly gate: Gate,
    private readonly engine: EngineServer,
    private readonly team: Team,
    private readonly servers: TeamServer[],
  ) {}

  async pass(): Promise<Passed> {
    const { clients, killsOfServers, killsOfEngine, stores } = this.gate;
    const token = await this.team.token('anna', 'shop=writer');
    const began = performance.now();
    const store = await this.openStore();
    // What is measured is the engine, and not the first connection of this process.
    await store.probe();
    const storing = Array.from({ length: clients }, (_, client) => this.storeOn(client, token));
    const afterServers: number[] = [];
    for (let kill = 0; kill < killsOfServers; kill++) {
      await this.more(BETWEEN_KILLS);
      const killed = kill % 2 === 0 ? [0, 1] : [Math.floor(kill / 2) % 2];
      for (const i of killed) this.servers[i]?.process.kill('SIGKILL');
      afterServers.push(await timeOf(() => store.probe()));
      await Promise.all(
        killed.map(async (i) => {
          this.servers[i] = await this.team.start();
        }),
      );
    }
    const afterEngine: number[] = [];
    for (let kill = 0; kill < killsOfEngine; kill++) {
      await this.more(BETWEEN_KILLS);
      await this.engine.kill();
      afterEngine.push(
        await timeOf(async () => {
          await this.engine.start();
          await store.probe();
        }),
      );
    }
    await this.more(stores - this.acknowledged.size);
    this.stopped = true;
    await Promise.all(storing);
    const ms = performance.now() - began;
    const rows = await store.all<{ content: string; count: number }>(
      `SELECT content, count(*) AS count FROM mem_nodes WHERE kind = 'fact' GROUP BY content`,
    );
    const calls = await store.get<{ count: number }>(
      `SELECT count(*) AS count FROM mem_operations WHERE tool = 'memory_store'`,
    );
    await store.close();
    const found = new Set(rows.map(({ content }) => content));
    return {
      acknowledged: this.acknowledged.size,
      lost: [...this.acknowledged].filter((content) => !found.has(content)),
      doubled: rows.filter(({ count }) => count > 1).map(({ content }) => content),
      strange: [...found].filter((content) => !this.asked.has(content)),
      repeated: (calls?.count ?? 0) - rows.length,
      ...{ afterServers, afterEngine, ms },
    };
  }

  private openStore(): Promise<StoreOnEngine> {
    const database = { engine: engineAt(this.engine.address, undefined), name: 'shop' };
    return StoreOnEngine.open({ database, migrations: MEMORY_MIGRATIONS });
  }

  /** Waits until this many more are acknowledged. */
  private async more(count: number): Promise<void> {
    const wanted = this.acknowledged.size + count;
    while (this.acknowledged.size < wanted) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** One client: a call is sent until it is answered, always with its key. */
  private async storeOn(client: number, token: string): Promise<void> {
    for (let i = 0; !this.stopped; i++) {
      const content = `Client ${client} has stored ${i} things`;
      this.asked.add(content);
      const key = randomUUID();
      let pause = FIRST_PAUSE_MS;
      for (let attempt = client; !(await this.isStored(content, key, { client, token, attempt })); attempt++) {
        await new Promise((resolve) => setTimeout(resolve, pause * Math.random()));
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
      this.acknowledged.add(content);
    }
  }

  private async isStored(content: string, key: string, { client, token, attempt }: Attempt): Promise<boolean> {
    const address = this.servers[attempt % this.servers.length]?.address;
    const call = { name: 'memory_store', arguments: { content, kind: 'fact', entities: [] } };
    try {
      const session = await this.sessionOf(client, address ?? '', token);
      const { body } = await post(`${address}/shop/mcp`, token, session, 'tools/call', {
        ...call,
        _meta: { 'svc-memory/call-key': key },
      });
      const { result } = body as { result?: { isError?: boolean } };
      return result !== undefined && result.isError !== true;
    } catch {
      this.sessions.delete(client);
      return false;
    }
  }

  /** Begun again after each failure: the server that it was begun at may have gone. */
  private async sessionOf(client: number, address: string, token: string): Promise<string> {
    const known = this.sessions.get(client);
    if (known !== undefined) return known;
    const clientInfo = { name: 'gate', version: '1.0.0' };
    const { session = '' } = await post(`${address}/shop/mcp`, token, undefined, 'initialize', {
      ...{ protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    this.sessions.set(client, session);
    return session;
  }
}

async function post(url: string, token: string, session: string | undefined, method: string, params: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(CALL_LIMIT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return { session: response.headers.get('mcp-session-id') ?? undefined, body: JSON.parse(text) as unknown };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
