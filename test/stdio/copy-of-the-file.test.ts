import { copyFile, mkdtemp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { removeFolder } from '../support/remove-folder';
import { openSqlite } from '../support/sqlite';
import { connectServer, withPlace } from '../support/stdio-client';

const STORED = 30;
const LOOK_EVERY_MS = 200;
/** Longer than a server waits before it tries. */
const READS_FOR_MS = 2_500;

test('a copy of the file alone holds everything, soon after the last write of a server that runs on', () =>
  withPlace({ files: { '.svc/memory.db': '' } }, async (place) => {
    const file = join(place.folder, '.svc', 'memory.db');
    const server = await connectServer(place);
    // A second one, so that nothing is settled because somebody closes the file last.
    const other = await connectServer(place);
    await other.text('memory_recall', { query: 'number' });
    for (let i = 0; i < STORED; i++) await server.value('memory_store', { content: `number ${i}`, kind: 'fact' });
    while ((await storedIn(file)) < STORED) await delay(LOOK_EVERY_MS);
    await server.close();
    await other.close();
  }));

test('a reader that holds up the log holds it up while it reads: the rest follows by itself', () =>
  withPlace({ files: { '.svc/memory.db': '' } }, async (place) => {
    const file = join(place.folder, '.svc', 'memory.db');
    const server = await connectServer(place);
    await server.text('memory_stats');
    const reader = await openSqlite(file);
    await reader.all('BEGIN');
    await reader.all('SELECT count(*) FROM mem_nodes');
    for (let i = 0; i < STORED; i++) await server.value('memory_store', { content: `number ${i}`, kind: 'fact' });
    await delay(READS_FOR_MS);
    expect(await storedIn(file)).toBe(0);
    await reader.all('COMMIT');
    while ((await storedIn(file)) < STORED) await delay(LOOK_EVERY_MS);
    // Nobody may apply what is left of the log to another file that is put in its place.
    while ((await stat(`${file}-wal`)).size > 0) await delay(LOOK_EVERY_MS);
    await reader.close();
    await server.close();
  }));

test('a store that was just made is one as soon as it is there', () =>
  withPlace({ files: { '.svc/memory.db': '' } }, async (place) => {
    const server = await connectServer(place);
    await server.text('memory_stats');
    expect(await storedIn(join(place.folder, '.svc', 'memory.db'))).toBe(0);
    await server.close();
  }));

/** Memories in a copy without the log; -1 where it is no store. */
async function storedIn(file: string): Promise<number> {
  const folder = await mkdtemp(join(file, '..', '..', 'copy-'));
  try {
    const copy = join(folder, 'memory.db');
    await copyFile(file, copy);
    const store = await openSqlite(copy);
    try {
      const [row] = await store.all<{ n: number }>(`SELECT count(*) AS n FROM mem_nodes WHERE kind = 'fact'`);
      return row?.n ?? 0;
    } catch {
      return -1;
    } finally {
      await store.close();
    }
  } finally {
    await removeFolder(folder);
  }
}
