import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../../src/server/db/driver';
import { StoreBusy, TookTooLong } from '../../../src/server/db/driver-errors';
import { chosenDriver, wantDriver } from '../../../src/server/db/drivers';

let folder: string;
let path: string;
let connection: Connection;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-driver-'));
  path = join(folder, 'test.db');
  connection = await Connection.open(path, 'create');
});
afterEach(async () => {
  await connection.close();
  rmSync(folder, { recursive: true });
});
afterAll(() => wantDriver(process.env.SVC_SQLITE));

/** Runs for a second or two, and then ends: a thread of the second driver can only be left to it. */
const LONG =
  'WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r LIMIT 5000000) SELECT count(*) AS n FROM r';

describe.each(['native', 'node'])('a connection on the driver "%s"', (name) => {
  beforeAll(async () => {
    wantDriver(name);
    expect((await chosenDriver()).name).toBe(name);
  });

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

  it('runs a batch in its order, and nothing of it behind a statement that fails', async () => {
    await connection.script('CREATE TABLE t (a INTEGER UNIQUE)');
    const insert = (a: number) => ({ sql: 'INSERT INTO t VALUES ($a)', parameters: { a } });
    expect(await connection.batch([])).toEqual([]);
    expect(await connection.batch([insert(1), insert(2), { sql: 'UPDATE t SET a = a + 10' }])).toEqual([1, 1, 2]);
    await expect(connection.batch([insert(3), insert(3), insert(4)])).rejects.toThrow();
    expect(await connection.all('SELECT a FROM t ORDER BY a')).toEqual([{ a: 3 }, { a: 11 }, { a: 12 }]);
  });

  it('does not carry a parameter over to the next call of the same statement', async () => {
    const sql = 'SELECT $a AS a, $b AS b';
    expect(await connection.get(sql, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 });
    expect(await connection.get(sql, { a: 1 })).toEqual({ a: 1, b: null });
  });

  it('binds whole numbers as such, and reads those that JavaScript cannot hold', async () => {
    const types = 'SELECT typeof($whole) AS whole, typeof($real) AS "real", typeof($text) AS text';
    expect(await connection.get(types, { whole: 7, real: 0.5, text: '7' })).toEqual({
      whole: 'integer',
      real: 'real',
      text: 'text',
    });
    expect(await connection.get('SELECT 9223372036854775807 AS n, 1 AS one')).toEqual({ n: 2 ** 63, one: 1 });
  });

  it('shares a statement between calls that begin at the same time, and can be closed after them', async () => {
    const other = await Connection.open(path);
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

  it('searches text', async () => {
    await connection.script(`CREATE VIRTUAL TABLE f USING fts5 (words, tokenize = 'ascii')`);
    await connection.run('INSERT INTO f (rowid, words) VALUES ($row, $words)', { row: 2 ** 33, words: 'cold cache' });
    const found = 'SELECT rowid FROM f WHERE f MATCH $term AND rowid BETWEEN 1 << 33 AND (1 << 33) + $more';
    expect(await connection.all(found, { term: 'cache', more: 5 })).toEqual([{ rowid: 2 ** 33 }]);
  });

  it('leaves the process free while a statement runs', async () => {
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    expect(await connection.get(LONG)).toEqual({ n: 5_000_000 });
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(3);
  });

  it('makes no file that is to be there, and none beside one that is read at rest', async () => {
    await expect(Connection.open(join(folder, 'missing.db'))).rejects.toThrow(
      /^unavailable: The store .* cannot be opened\. /,
    );
    await connection.script('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    await connection.close();
    expect(readdirSync(folder)).toEqual(['test.db']);
    connection = await Connection.open(path, 'at rest');
    expect(await connection.all('SELECT a FROM t')).toEqual([{ a: 1 }]);
    await expect(connection.run('INSERT INTO t VALUES (2)')).rejects.toThrow(/^unavailable: .* may not be written\. /);
    expect(readdirSync(folder)).toEqual(['test.db']);
  });

  it('says in our words what keeps a statement from its file', async () => {
    await connection.script('CREATE TABLE t (a TEXT)');
    const other = await Connection.open(path);
    await other.all('PRAGMA busy_timeout = 10');
    await connection.run('BEGIN IMMEDIATE');
    await expect(other.run('BEGIN IMMEDIATE')).rejects.toBeInstanceOf(StoreBusy);
    await connection.run('ROLLBACK');
    await other.close();
    await expect(other.all('SELECT 1')).rejects.toThrow(/^unavailable: .* was closed in the meantime\. /);

    await connection.all('PRAGMA max_page_count = 10');
    await expect(connection.run('INSERT INTO t VALUES (hex(zeroblob(100000)))')).rejects.toThrow(/no space left/);
    await expect(connection.all(`SELECT value FROM json_each('{')`)).rejects.toThrow(/that svc-memory did not write/);

    const garbage = join(folder, 'garbage.db');
    writeFileSync(garbage, 'no database of any kind, but long enough to be looked at'.repeat(100));
    await expect(Connection.open(garbage).then((opened) => opened.all('SELECT * FROM sqlite_schema'))).rejects.toThrow(
      /^unavailable: .* is damaged or is not a SQLite database\. /,
    );
  });

  it('neither takes nor gives a text that is longer than it was told', async () => {
    await connection.script('CREATE TABLE t (a TEXT)');
    const text = 'x'.repeat(20_000);
    await connection.run('INSERT INTO t VALUES ($text)', { text });
    const small = await Connection.open(path, 'read-write', { maxValueBytes: 10_000 });
    const longer = /^unavailable: .* holds a text that is longer than any that svc-memory writes\. /;
    await expect(small.all('SELECT a FROM t')).rejects.toThrow(longer);
    await expect(small.get('SELECT $text AS a', { text })).rejects.toThrow(longer);
    expect(await small.get('SELECT $text AS a', { text: 'short' })).toEqual({ a: 'short' });
    await small.close();
  });

  it('ends the statement of its owner alone, and those behind it run', async () => {
    const [one, another] = [{}, {}];
    await connection.script('PRAGMA query_only = ON');
    const slow = expect(connection.all(LONG, {}, one)).rejects.toBeInstanceOf(TookTooLong);
    const behind = Promise.all([connection.get('SELECT 2 AS n', {}), connection.get('PRAGMA query_only')]);
    connection.interrupt(another);
    // It may not have begun yet.
    const ending = setInterval(() => connection.interrupt(one), 10);
    await slow;
    clearInterval(ending);
    expect(await behind).toEqual([{ n: 2 }, { query_only: 1 }]);
    connection.interrupt(one);
    connection.interrupt();
    expect(await connection.get(LONG)).toEqual({ n: 5_000_000 });
  });

  it('closes, although somebody begins to read just then', async () => {
    const other = await Connection.open(path);
    await other.get('SELECT 1');
    const closing = other.close();
    // It may be answered or refused, and must not hinder.
    await Promise.allSettled([other.get('SELECT 2'), other.get('SELECT 3'), closing]);
    await expect(closing).resolves.toBeUndefined();
  });

  it('ends a statement that has no owner', async () => {
    const other = await Connection.open(path);
    const slow = expect(other.all(LONG)).rejects.toBeInstanceOf(TookTooLong);
    const ending = setInterval(() => other.interrupt(), 10);
    await slow;
    clearInterval(ending);
    await other.close();
    expect(await connection.get(LONG)).toEqual({ n: 5_000_000 });
  });
});
