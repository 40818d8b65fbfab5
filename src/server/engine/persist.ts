/** Asks an engine again that went away: it may be started again just now, or have put the database aside. */
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionLost, EngineConnection, type EngineDatabase } from './connection';
import { EngineGone } from './errors';

const PATIENCE_MS = 10_000;
const AGAIN_AFTER_MS = 100;

/**
 * @param work is run once more when a connection is lost
 * @throws EngineGone when that goes on for longer than the patience
 */
export async function persist<Result>(
  database: EngineDatabase,
  work: () => Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      if (performance.now() > until) throw new EngineGone(database);
      await delay(AGAIN_AFTER_MS * (1 + Math.random()));
    }
  }
}

/** A connection that has answered. @throws EngineGone */
export function openConnection(database: EngineDatabase): Promise<EngineConnection> {
  return persist(database, async () => {
    const connection = await EngineConnection.open(database);
    await connection.run('SELECT 1');
    return connection;
  });
}
