import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { HAS_ENGINE } from '../../scripts/engine-program.mjs';
import { engineAt } from '../../src/server/engine/address';
import { EngineConnection } from '../../src/server/engine/connection';
import { type EngineServer, withEngine } from '../support/engine';
import { failOver } from '../support/fail-over';
import { removeFolder } from '../support/remove-folder';
import { openSqlite } from '../support/sqlite';
import { connectTo, type Team, type TeamClient, type TeamServer, withTeam } from '../support/team-server';

const ROOT = resolve(__dirname, '../..');
const BEFORE = 'Stored before the copy was made';
const AFTER = 'Written later than everything else';

const fact = (content: string) => ({ content, kind: 'fact' });

/** Two projects, of which one is brought back. */
async function clientsOf(team: Team, server: TeamServer): Promise<readonly [TeamClient, TeamClient]> {
  const token = await team.token('anna', 'shop=writer', 'other=writer');
  return [await connectTo(server, token), await connectTo(server, token, { project: 'other' })];
}

function found(client: TeamClient): Promise<string> {
  return client.text('memory_recall', { query: 'stored copy written later everything' });
}

/** Nothing of another project is changed, and who stores from now on is told as ever. */
async function expectRestored([shop, other]: readonly [TeamClient, TeamClient], bob: TeamClient): Promise<void> {
  expect(await found(shop)).toContain(BEFORE);
  expect(await found(shop)).not.toContain(AFTER);
  expect(await found(other)).toContain(AFTER);
  const { node_id } = await bob.value<{ node_id: string }>('memory_store', fact('Stored by Bob'));
  expect(await shop.text('history', { id: node_id })).toContain('bob · test client');
}

describe('one project is brought back', () => {
  it('in a file, while the server goes on', () =>
    withTeam(async (team) => {
      await team.admin('add-project', 'team', 'other');
      const server = await team.start();
      const clients = await clientsOf(team, server);
      const [shop, other] = clients;
      const ofShop = { env: { SVC_MEMORY_DB: team.path('team', 'projects', 'shop', 'memory.db') } };
      await shop.value('memory_store', fact(BEFORE));
      expect(await team.run(['backup', 'shop.db'], ofShop)).toMatchObject({ status: 0 });
      // Somebody whom the copy does not know.
      const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
      await bob.value('memory_store', fact(AFTER));
      await other.value('memory_store', fact(AFTER));
      expect(await team.run(['restore-backup', 'shop.db', '--yes'], ofShop)).toMatchObject({ status: 0 });
      const again = await connectTo(server, await team.token('bob', 'shop=writer'));
      await expectRestored(clients, again);
    }));
});

/** The script of docs/team.md. */
async function bringBack(from: string, to: string): Promise<void> {
  const page = await readFile(join(ROOT, 'docs/team.md'), 'utf8');
  const [, script = ''] = /#### Bring one project back[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
  expect(script).toContain('data-wal');
  await promisify(execFile)('/bin/sh', ['-c', script], { env: { PATH: process.env.PATH, FROM: from, TO: to } });
}

describe.runIf(HAS_ENGINE)('one project of an engine is brought back', () => {
  it('from a copy that a replica gave, and the replica follows it', () =>
    withEngine((engine) =>
      withEngine(
        (replica) => withTeam((team) => backUpAndRestore(team, engine, replica), environment(engine, replica)),
        {
          of: engine,
        },
      ),
    ));
});

function environment(engine: EngineServer, replica: EngineServer): Record<string, string> {
  return {
    ...{ SVC_MEMORY_DB: engine.address, SVC_MEMORY_DB_ADMIN: engine.admin },
    SVC_MEMORY_DB_REPLICA: replica.address,
  };
}

async function backUpAndRestore(team: Team, engine: EngineServer, replica: EngineServer): Promise<void> {
  await team.admin('add-project', 'team', 'other');
  const server = await team.start();
  const [shop, other] = await clientsOf(team, server);
  await shop.value('memory_store', fact(BEFORE));
  await other.value('memory_store', fact(BEFORE));
  await expect.poll(() => held(replica), { timeout: 60_000 }).toBe(1);
  await replica.kill();
  const copy = team.path('copy');
  await failOver(ROOT, replica.folder, copy);
  await replica.start();
  const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
  await bob.value('memory_store', fact(AFTER));
  await other.value('memory_store', fact(AFTER));
  server.process.kill('SIGTERM');
  expect(await server.exit).toBe(0);
  await engine.kill();
  const name = (await readFile(team.path('team', 'projects', 'shop', 'engine-database'), 'utf8')).trim();
  await bringBack(join(copy, 'dbs', name), join(engine.folder, 'dbs', name));
  await engine.start();
  const next = await team.start();
  const again = await connectTo(next, await team.token('bob', 'shop=writer'));
  await expectRestored(await clientsOf(team, next), again);
  // What was stored before it, and Bob's, and nothing of what came after the copy.
  await expect.poll(() => held(replica), { timeout: 60_000 }).toBe(2);
}

/**
 * How many memories of the project a replica holds in its files; undefined for none. One that has just begun to follow
 * answers with what the primary says, and one that is not asked does not follow.
 */
async function held({ address, folder }: EngineServer): Promise<number | undefined> {
  const place = await mkdtemp(join(tmpdir(), 'svc-held-'));
  try {
    const connection = await EngineConnection.open({ engine: engineAt(address, undefined), name: 'shop' });
    await connection.all('SELECT 1');
    connection.close();
    for (const part of ['data', 'data-wal']) await copyFile(join(folder, 'dbs', 'shop', part), join(place, part));
    const database = await openSqlite(join(place, 'data'));
    const sql = `SELECT count(*) AS count FROM mem_nodes WHERE kind = 'fact'`;
    const [row] = await database.all<{ count: number }>(sql).finally(() => database.close());
    return row?.count;
  } catch {
    return undefined;
  } finally {
    await removeFolder(place);
  }
}
