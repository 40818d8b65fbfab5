import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../support/sqlite';
import { connectServer, shakeHands, startRawServer, withPlace } from '../../support/stdio-client';

const COUNT = 20_000;
const nodes = Array.from({ length: COUNT }, (_, i) => ({
  content: `Memory number ${i} of an import that does not come to its end`,
  kind: 'fact',
  entities: [`Part ${i % 50}`],
}));

test('an import that is killed in the middle leaves nothing, and the store goes on', () =>
  withPlace({}, async (place) => {
    const doomed = startRawServer(place);
    await shakeHands(doomed);
    doomed.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'memory_import', arguments: { nodes }, _meta: { progressToken: 'p' } },
    });
    await doomed.receive(
      ({ method, params }) => method === 'notifications/progress' && Number(params?.progress) >= COUNT / 2,
    );
    doomed.process.kill('SIGKILL');
    expect(await doomed.exit).toBe('SIGKILL');

    const next = await connectServer(place);
    try {
      expect(await next.value('memory_stats')).toMatchObject({ kind_counts: { fact: 0, entity: 0, session: 0 } });
      const store = await openSqlite(join(place.home, '.svc', 'memory.db'));
      expect(
        await store.all(
          `SELECT (SELECT count(*) FROM mem_fts) AS terms, (SELECT count(*) FROM mem_flags WHERE name LIKE 'reserved%') AS reserved`,
        ),
      ).toEqual([{ terms: 0, reserved: 0 }]);
      await store.close();
      expect(await next.value('memory_import', { nodes: nodes.slice(0, 10) })).toMatchObject({ imported: 10 });
    } finally {
      await next.close();
    }
  }));
