import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HAS_ENGINE } from '../../scripts/engine-program.mjs';
import { type EngineServer, withEngine } from '../support/engine';
import { passGate } from '../support/engine-gate';
import { openSqlite } from '../support/sqlite';
import { connectTo, headersOf, type Team, type TeamClient, type TeamServer, withTeam } from '../support/team-server';

/** The next write is there by then, whatever was killed. */
const NEXT_WRITE_MS = 6_000;

describe.runIf(HAS_ENGINE)('svc-memory serve on an engine', () => {
  it('loses and doubles nothing of fifty clients, while servers and engine are killed', async () => {
    const passed = await passGate({ clients: 50, killsOfServers: 3, killsOfEngine: 2, stores: 150 });
    expect(passed.acknowledged).toBeGreaterThanOrEqual(150);
    expect(passed).toMatchObject({ lost: [], doubled: [], strange: [], repeated: 0 });
    for (const ms of [...passed.afterServers, ...passed.afterEngine]) expect(ms).toBeLessThan(NEXT_WRITE_MS);
  });

  it('says what a purge leaves in the engine, and admin erase takes it out while the server goes on', () =>
    withTeamOnEngine(async (team, { folder }) => {
      const server = await team.start();
      const mia = await connectTo(server, await team.token('mia', 'shop=maintainer'));
      const stored = await mia.value<{ node_id: string }>('memory_store', { ...FACT, content: SECRET });
      await mia.value('memory_store', FACT);
      const purged = await mia.value('memory_forget', { node_id: stored.node_id, purge: true });
      expect(purged).toMatchObject({ count: 1, remains: expect.stringContaining('svc-memory admin erase') });
      expect(await holders(folder, SECRET)).not.toEqual([]);
      expect(await team.admin('erase', 'team', 'shop')).toContain('Erased what was purged from shop');
      expect(await holders(folder, SECRET)).toEqual([]);
      expect(await mia.text('memory_recall', { query: 'servers cache' })).toContain(FACT.content);
      await mia.value('memory_store', { ...FACT, content: 'Written after it' });
      expect(await mia.text('memory_recall', { query: 'written after' })).toContain('Written after it');
    }));

  it('stands on several machines with a copy of the folder each, and what is in it counts once it is copied', () =>
    withTeamOnEngine(async (team) => {
      const [one, other] = [team.path('team'), team.path('other')];
      await cp(one, other, { recursive: true });
      const servers = [await team.start(), await team.startOn('other')] as const;
      const token = await team.token('mia', 'shop=maintainer');
      const mia = await connectTo(servers[0], token);
      await expect(connectTo(servers[1], token)).rejects.toThrow('A token that is valid here is missing');
      await cp(join(one, 'tokens.json'), join(other, 'tokens.json'));
      // Whom the first machine knows, the second knows from the database.
      const stored = await callAt(servers[1], mia, token, FACT);
      expect(stored).toMatchObject({ result: { structuredContent: { node_id: expect.any(String) } } });
      expect(await mia.text('memory_recall', { query: 'servers cache' })).toContain(FACT.content);
      expect(await readFile(join(other, 'audit.jsonl'), 'utf8')).toContain('"tool":"memory_store"');
      await team.admin('erase', 'team', 'shop');
      const name = join('projects', 'shop', 'engine-database');
      await cp(join(one, name), join(other, name));
      expect(await (await connectTo(servers[1], token)).text('memory_recall', { query: 'servers cache' })).toContain(
        FACT.content,
      );
    }));

  it('gives out a file of the project, and tells its operator that it can write', () =>
    withTeamOnEngine(async (team) => {
      const server = await team.start();
      const token = await team.token('anna', 'shop=writer');
      const anna = await connectTo(server, token);
      await anna.value('memory_store', FACT);
      const headers = { authorization: `Bearer ${token}` };
      const file = team.path('copy.db');
      await writeFile(
        file,
        Buffer.from(await (await fetch(`${server.address}/shop/snapshot`, { headers })).arrayBuffer()),
      );
      const copy = await openSqlite(file);
      expect(await copy.all(`SELECT content FROM mem_nodes WHERE kind = 'fact'`)).toEqual([{ content: FACT.content }]);
      // The memory and the entity.
      expect(await copy.all(`SELECT rowid FROM mem_fts WHERE mem_fts MATCH 'cache'`)).toHaveLength(2);
      await copy.close();
      expect(await (await fetch(`${server.operators}/health`)).json()).toEqual({ status: 'ok', cannot_write: [] });
      const metrics = await (await fetch(`${server.operators}/metrics`)).text();
      expect(metrics).toContain('svc_memory_write_wait_seconds{project="shop"} 0');
      expect(metrics).toContain('svc_memory_engine_restarts 0');
    }));

  it('serves no project that is in a file, and makes none without the address for administrators', () =>
    withTeamOnEngine(async (team, engine) => {
      await team.ok('admin', 'add-project', 'team', 'filed');
      const inEngine = { env: { SVC_MEMORY_DB: engine.address } };
      const served = await team.run(['serve', 'team', '--listen', '127.0.0.1:0'], inEngine);
      expect(served).toMatchObject({ status: 1, err: expect.stringContaining('"filed" is in a file, and not in') });
      const made = await team.run(['admin', 'add-project', 'team', 'more'], inEngine);
      expect(made.err).toContain('SVC_MEMORY_DB_ADMIN is not set');
      expect((await team.run(['admin', 'erase', 'team', 'filed'])).err).toContain('in which a purge leaves nothing');
      expect((await team.run(['recall', 'x'], inEngine)).err).toContain('is not a file on this machine');
      const erasing = await team.run(['admin', 'erase', 'team', 'nothing'], inEngine);
      expect(erasing).toMatchObject({ status: 2, err: expect.stringContaining('There is no project "nothing"') });
      for (const command of [
        ['serve', 'team'],
        ['admin', 'erase', 'team', 'shop'],
      ]) {
        const unnamed = await team.run(command, { env: {} });
        expect(unnamed.err).toContain('The project "shop" is in an engine, and SVC_MEMORY_DB names none');
      }
    }));
});

const FACT = { content: 'The cache of the servers is cold', kind: 'fact', entities: ['cache'] };
const SECRET = 'Xylophones of the board of directors';

function withTeamOnEngine(work: (team: Team, engine: EngineServer) => Promise<void>): Promise<void> {
  return withEngine((engine) =>
    withTeam((team) => work(team, engine), {
      ...{ SVC_MEMORY_DB: engine.address, SVC_MEMORY_DB_ADMIN: engine.admin },
    }),
  );
}

/** A store at another server, by a client that began elsewhere. */
async function callAt({ address }: TeamServer, client: TeamClient, token: string, input: object): Promise<object> {
  const response = await fetch(`${address}/shop/mcp`, {
    method: 'POST',
    headers: headersOf(client, token),
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'memory_store', arguments: input },
    }),
  });
  return (await response.json()) as object;
}

/** The files of a folder that hold a text. */
async function holders(folder: string, text: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const found = await Promise.all(
    names.map(async (name) => (await readFile(join(folder, name)).catch(() => Buffer.alloc(0))).includes(text)),
  );
  return names.filter((_, i) => found[i]);
}
