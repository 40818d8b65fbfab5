import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../../src/server/db/driver';

let folder: string;
let connection: Connection;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-driver-'));
  connection = await Connection.open(join(folder, 'test.db'), 'create');
});
afterEach(async () => {
  await connection.close();
  rmSync(folder, { recursive: true });
});

describe('a connection', () => {
  it('binds by name and hands back rows, the first row, and how many rows changed', async () => {
    await connection.script('CREATE TABLE t (a INTEGER, b TEXT)');
    expect(await connection.run('INSERT INTO t VALUES ($a, $b), (2, NULL)', { a: 1, b: 'x' })).toBe(2);
    expect(await connection.all('SELECT a, b FROM t ORDER BY a')).toEqual([
      { a: 1, b: 'x' },
      { a: 2, b: null },
    ]);
    expect(await connection.get('SELECT a FROM t WHERE b = $b', { b: 'x' })).toEqual({ a: 1 });
    expect(await connection.get('SELECT a FROM t WHERE b = $b', { b: 'y' })).toBeUndefined();
  });

  it('does not carry a parameter over to the next call of the same statement', async () => {
    const sql = 'SELECT $a AS a, $b AS b';
    expect(await connection.get(sql, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 });
    expect(await connection.get(sql, { a: 1 })).toEqual({ a: 1, b: null });
  });

  it('shares a statement between calls that begin at the same time, and can be closed after them', async () => {
    const other = await Connection.open(join(folder, 'test.db'));
    const rows = await Promise.all(Array.from({ length: 20 }, (_, n) => other.get('SELECT $n AS n', { n })));
    expect(rows).toEqual(Array.from({ length: 20 }, (_, n) => ({ n })));
    await other.close();
  });

  it('runs more different statements than it keeps', async () => {
    const rows = await Promise.all(Array.from({ length: 500 }, (_, n) => connection.get(`SELECT ${n} AS n`)));
    expect(rows).toEqual(Array.from({ length: 500 }, (_, n) => ({ n })));
    expect(await connection.get('SELECT 0 AS n')).toEqual({ n: 0 });
  });

  it('goes on after a statement that cannot be prepared', async () => {
    await expect(connection.all('SELECT * FROM nowhere')).rejects.toThrow();
    await connection.script('CREATE TABLE nowhere (x)');
    expect(await connection.all('SELECT * FROM nowhere')).toEqual([]);
  });

  it('does not make a file that is to be there', async () => {
    await expect(Connection.open(join(folder, 'missing.db'))).rejects.toThrow(
      /^unavailable: The store .* cannot be opened\. /,
    );
  });
});
