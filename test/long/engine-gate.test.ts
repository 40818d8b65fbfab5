import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { HAS_ENGINE } from '../../scripts/engine-program.mjs';
import { engineAt } from '../../src/server/engine/address';
import { EngineConnection } from '../../src/server/engine/connection';
import { withEngine } from '../support/engine';
import { passGate } from '../support/engine-gate';
import { connectTo, withTeam } from '../support/team-server';

/** The next write is there by then, whatever was killed. */
const NEXT_WRITE_MS = 6_000;
const STORES = 10_000;

describe.runIf(HAS_ENGINE)('svc-memory serve on an engine', () => {
  it('loses and doubles none of ten thousand stores of fifty clients, while servers and engine are killed', async () => {
    const { lost, doubled, strange, repeated, ...figures } = await passGate({
      ...{ clients: 50, killsOfServers: 20, killsOfEngine: 10, stores: STORES },
    });
    console.log(JSON.stringify(figures, (_, value) => (typeof value === 'number' ? Math.round(value) : value)));
    expect({ lost, doubled, strange, repeated }).toEqual({ lost: [], doubled: [], strange: [], repeated: 0 });
    expect(figures.acknowledged).toBeGreaterThanOrEqual(STORES);
    for (const ms of [...figures.afterServers, ...figures.afterEngine]) expect(ms).toBeLessThan(NEXT_WRITE_MS);
  });

  it('has the engine started again by the command of its operator, and the write that waited is kept', () =>
    withEngine((engine) =>
      withTeam(
        async (team) => {
          const asked = team.path('asked');
          const server = await team.start('--restart-engine', `echo again >> '${asked}'`);
          const anna = await connectTo(server, await team.token('anna', 'shop=writer'));
          // Somebody holds the right to write, and does not write.
          const holder = await EngineConnection.open({ engine: engineAt(engine.address, undefined), name: 'shop' });
          await holder.run('BEGIN IMMEDIATE');
          const waiting = anna.value('memory_store', { content: 'Written while nobody wrote', kind: 'fact' });
          const told = async (): Promise<string> => readFile(asked, 'utf8').catch(() => '');
          while ((await told()) === '') await new Promise((resolve) => setTimeout(resolve, 50));
          const health = await (await fetch(`${server.operators}/health`)).json();
          expect(health).toEqual({ status: 'ok', cannot_write: ['shop'] });
          expect(server.log()).toContain('the engine has taken no write to the project shop for 10 seconds');
          await engine.kill();
          await engine.start();
          expect(await waiting).toMatchObject({ node_id: expect.any(String) });
          expect(await told()).toBe('again\n');
          holder.close();
        },
        { SVC_MEMORY_DB: engine.address, SVC_MEMORY_DB_ADMIN: engine.admin },
      ),
    ));
});
