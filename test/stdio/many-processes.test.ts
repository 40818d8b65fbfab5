import { expect, test } from 'vitest';
import { type ConnectedServer, connectServer, withPlace } from '../support/stdio-client';

const PROCESSES = 8;
const STORES = 200;

test(
  'eight processes with 200 stores each on one new store lose nothing and refuse nothing',
  () =>
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
    }),
  60_000,
);

async function storeOne(server: ConnectedServer, content: string): Promise<string> {
  const answer = await server.text('memory_store', { content, kind: 'fact', entities: ['shared'] });
  return (JSON.parse(answer) as { node_id: string }).node_id;
}
