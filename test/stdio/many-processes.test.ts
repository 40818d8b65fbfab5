import { expect, test } from 'vitest';
import { type ConnectedServer, connectServer, withPlace } from '../support/stdio-client';

const PROCESSES = 8;
const STORES = 200;
const LOOKS = 8;

test('eight processes with 200 stores each on one new store lose nothing and refuse nothing', () =>
  withPlace({ files: { '.svc/memory.db': '' } }, async (place) => {
    const work = async (process: number): Promise<string[]> => {
      const server = await connectServer(place);
      const ids: string[] = [];
      for (let i = 0; i < STORES; i++) ids.push(await storeOne(server, `process ${process} stores ${i}`));
      await server.close();
      return ids;
    };
    const ids = (await Promise.all(Array.from({ length: PROCESSES }, (_, process) => work(process)))).flat();
    expect(new Set(ids).size).toBe(PROCESSES * STORES);
    const reader = await connectServer(place);
    const { kind_counts } = JSON.parse(await reader.text('memory_stats', {})) as { kind_counts: object };
    expect(kind_counts).toMatchObject({ fact: PROCESSES * STORES, session: PROCESSES, entity: 1 });
    await reader.close();
  }));

test('what several processes store at once is one memory, and each of them is told so', () =>
  withPlace({ files: { '.svc/memory.db': '' } }, async (place) => {
    const servers = await Promise.all(Array.from({ length: 4 }, () => connectServer(place)));
    const ids = await Promise.all(servers.map((server) => storeOne(server, 'the same for all')));
    expect(new Set(ids).size).toBe(1);
    await Promise.all(servers.map((server) => server.close()));
  }));

test('a store of another user is read while others write it all the time', () =>
  withPlace({ files: { '.svc/memory.db': '' } }, async (place) => {
    const writers = await Promise.all(Array.from({ length: 2 }, () => connectServer(place)));
    let stored = 0;
    let writing = true;
    const written = writers.map(async (writer) => {
      while (writing) {
        await storeOne(writer, `one more: ${stored}`);
        stored++;
      }
    });
    try {
      for (let i = 0; i < LOOKS; i++) {
        const before = stored;
        const reader = await connectServer({ ...place, home: `${place.home}-of-a-reader` });
        const { kind_counts } = JSON.parse(await reader.text('memory_stats', {})) as { kind_counts: { fact?: number } };
        await reader.close();
        expect(kind_counts.fact ?? 0).toBeGreaterThanOrEqual(before);
      }
    } finally {
      writing = false;
      await Promise.allSettled(written);
    }
    await Promise.all([...written, ...writers.map((writer) => writer.close())]);
    expect(stored).toBeGreaterThan(0);
  }));

async function storeOne(server: ConnectedServer, content: string): Promise<string> {
  const answer = await server.text('memory_store', { content, kind: 'fact', entities: ['shared'] });
  return (JSON.parse(answer) as { node_id: string }).node_id;
}
