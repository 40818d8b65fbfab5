import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type EngineServer, startEngine, withEngine } from '../support/engine';
import { failOver } from '../support/fail-over';
import { ROOT, withPlace } from './servers';
import { factsIn, type TeamCaller, withTeamServer } from './team-callers';
import { timed } from './timing';

/** What happens when the disk of an engine dies that a replica follows. */
export interface FailOver {
  /** From the stop of the replica until a store is acknowledged, by a server that ran on. */
  readonly ms: number;
  /** Of these that were acknowledged before. */
  readonly stored: number;
  readonly lost: number;
}

const STORES = 200;
const PATIENCE_MS = 60_000;
/** A replica that has not followed yet answers with what the primary says: its file tells. */
const FOLLOWED_BYTES = 500_000;

/** @param nodes what the project holds before */
export function measureFailOver(nodes: readonly object[]): Promise<FailOver> {
  return withEngine((primary) =>
    withEngine(
      (replica) => {
        const env = {
          ...{ SVC_MEMORY_DB: primary.address, SVC_MEMORY_DB_ADMIN: primary.admin },
          SVC_MEMORY_DB_REPLICA: replica.address,
        };
        return withPlace((place) =>
          withTeamServer(place, env, async (open) => {
            const client = await open(0);
            await client.call('memory_import', { nodes });
            await followed(replica);
            const before = await factsIn(client);
            for (let i = 0; i < STORES; i++) await client.call('memory_store', fact(`Stored before, ${i}`));
            void primary.kill();
            rmSync(primary.folder, { recursive: true, force: true });
            await readAgain(client);
            const next = join(place.folder, 'engine');
            const { ms, result } = await timed(() => takeOver(client, { primary, replica, next }));
            const lost = STORES + 1 - ((await factsIn(client)) - before);
            await result.kill();
            return { ms, stored: STORES, lost };
          }),
        );
      },
      { of: primary },
    ),
  );
}

async function followed({ folder }: EngineServer): Promise<void> {
  const log = join(folder, 'dbs', 'bench', 'data-wal');
  const until = performance.now() + PATIENCE_MS;
  while ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < FOLLOWED_BYTES) {
    if (performance.now() > until) throw new Error('the replica does not follow');
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** While the primary is away, the replica is read. */
async function readAgain(client: TeamCaller): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await client.call('memory_recall', { query: 'Stored before' }).catch(() => undefined);
    if (found !== undefined) return;
    if (performance.now() > until) throw new Error('the replica is not read');
  }
}

interface TakeOver {
  readonly primary: EngineServer;
  readonly replica: EngineServer;
  /** Folder of the engine that takes over. */
  readonly next: string;
}

async function takeOver(client: TeamCaller, { primary, replica, next }: TakeOver): Promise<EngineServer> {
  await replica.kill();
  await failOver(ROOT, replica.folder, next);
  const engine = await startEngine(next, { at: primary });
  await client.call('memory_store', fact('Stored after it'));
  return engine;
}

function fact(content: string): object {
  return { content, kind: 'fact' };
}
