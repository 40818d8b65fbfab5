import { expect, it } from 'vitest';
import { Connection } from '../../../src/server/db/driver';
import { readSchema, schemaFingerprint } from '../../../src/server/db/schema';
import { GRAPH_MIGRATIONS } from '../../../src/server/graph/migrations';
import { MEMORY_MIGRATIONS } from '../../../src/server/memory/migrations';
import { OUTBOX_MIGRATIONS } from '../../../src/server/project/outbox-schema';

it.each([
  ['memory', MEMORY_MIGRATIONS],
  ['graph', GRAPH_MIGRATIONS],
  ['outbox', OUTBOX_MIGRATIONS],
] as const)('every migration of %s says what the schema is after it', async (_, migrations) => {
  const store = await Connection.open(':memory:', 'create');
  try {
    const right: Record<string, string> = {};
    for (const { name, sql } of migrations) {
      await store.script(sql);
      right[name] = schemaFingerprint((await readSchema(store)).objects);
    }
    expect(Object.fromEntries(migrations.map(({ name, schema }) => [name, schema]))).toEqual(right);
  } finally {
    await store.close();
  }
});
