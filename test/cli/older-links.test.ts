import { expect, it } from 'vitest';
import { withCommandLine } from '../support/command-line';
import { beforeLeases } from '../support/older-store';
import { openSqlite } from '../support/sqlite';

/** Rows of the table that links were in: path, type, name, accepted text, text seen since, and where it was before. */
const ROWS = [
  `'src/kept.ts', 'function', 'kept', 'one', NULL, NULL, NULL, NULL`,
  `'src/doubted.ts', 'function', 'doubted', 'two', 'another', NULL, NULL, NULL`,
  `'src/new.ts', 'function', 'moved', 'three', NULL, 'src/old.ts', 'function', 'moved'`,
];

it('links of a store of before keep the text that was confirmed last, at the place that they had followed to', () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    const { node_id } = await line.json<{ node_id: string }>('store', 'mine', '--kind', 'fact');
    const path = line.path('.svc', 'memory.db');
    await beforeLeases(path);
    const before = await openSqlite(path);
    for (const row of ROWS) {
      await before.all(
        `INSERT INTO mem_touches (node, linked_at, file_path, code_type, name, hash, seen, was_path, was_type, was_name)
         SELECT seq, '2026-01-01T00:00:00.000Z', ${row} FROM mem_nodes WHERE id = '${node_id}'`,
      );
    }
    await before.all(
      `INSERT INTO mem_review_queue (node_id, file_path, reason, verdict, seen, queued_at)
       VALUES ('${node_id}', 'src/old.ts', 'missing', 'moved', 'x', '2026-01-02T00:00:00.000Z')`,
    );
    await before.close();
    expect(await line.ok('nodes')).toContain('mine');
    await line.ok('store', 'a write takes the schema of today', '--kind', 'fact');
    const after = await openSqlite(path);
    expect(await after.all('SELECT file_path, name, hash, linked_at, "commit" FROM mem_links ORDER BY hash')).toEqual([
      { file_path: 'src/kept.ts', name: 'kept', hash: 'one', linked_at: '2026-01-01T00:00:00.000Z', commit: null },
      { file_path: 'src/new.ts', name: 'moved', hash: 'three', linked_at: '2026-01-01T00:00:00.000Z', commit: null },
      // What nobody confirmed is no accepted text, so its doubt stays.
      {
        file_path: 'src/doubted.ts',
        name: 'doubted',
        hash: 'two',
        linked_at: '2026-01-01T00:00:00.000Z',
        commit: null,
      },
    ]);
    expect(await after.all('SELECT file_path, settled_at FROM mem_review_queue')).toEqual([
      { file_path: 'src/new.ts', settled_at: null },
    ]);
    await after.close();
  }));
