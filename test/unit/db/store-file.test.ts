import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SvcError } from '../../../src/server/base/errors';
import { backupsOf } from '../../../src/server/db/copies-beside';
import { integrityProblems } from '../../../src/server/db/integrity';
import type { Migration } from '../../../src/server/db/migrate';
import { StoreFile } from '../../../src/server/db/store-file';
import { openSqlite } from '../../support/sqlite';

// Without a fingerprint the schema is compared with what SQLite makes of the migrations.
const FIRST: Migration = {
  name: 'first',
  schema: '',
  sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;',
};
const SECOND: Migration = {
  name: 'second',
  schema: '',
  sql: `ALTER TABLE notes ADD COLUMN tag TEXT; UPDATE notes SET tag = 'old';`,
};
const BROKEN: Migration = { name: 'broken', schema: '', sql: 'CREATE TABLE half (x); INSERT INTO nowhere VALUES (1);' };

let folder: string;
let path: string;
const opened: StoreFile[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-db-'));
  path = join(folder, 'memory.db');
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  rmSync(folder, { recursive: true });
});

async function open(...migrations: Migration[]): Promise<StoreFile> {
  const store = await StoreFile.open({ path, migrations, create: true });
  opened.push(store);
  return store;
}

async function refusal(...migrations: Migration[]): Promise<string> {
  try {
    await open(...migrations);
  } catch (error) {
    expect(error).toBeInstanceOf(SvcError);
    return (error as SvcError).message.replaceAll(folder, '');
  }
  throw new Error('the file was opened');
}

/** A store that a program with these migrations has made, and closed. */
async function made(...migrations: Migration[]): Promise<void> {
  const store = await open(...migrations);
  await store.transact((sql) => sql.run(`INSERT INTO notes (text) VALUES ('kept')`));
  await store.close();
}

const add = (store: StoreFile, text: string) =>
  store.transact((sql) => sql.run('INSERT INTO notes (text) VALUES ($text)', { text }));
const texts = async (store: StoreFile) =>
  (await store.all<{ text: string }>('SELECT text FROM notes ORDER BY id')).map((row) => row.text);

describe('opening a store', () => {
  it('makes it, in write-ahead mode, and opens it again', async () => {
    await made(FIRST);
    const store = await open(FIRST);
    expect(await texts(store)).toEqual(['kept']);
    expect(await store.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
    expect(readdirSync(folder).filter((name) => name.includes('backup'))).toEqual([]);
  });

  // Three, because each that waits for a lock holds one of the four threads of this process.
  it('is safe when several race to make it', async () => {
    for (let round = 0; round < 10; round++) {
      path = join(folder, `raced-${round}.db`);
      const stores = await Promise.all([1, 2, 3].map(() => open(FIRST, SECOND)));
      await Promise.all(stores.map((store, i) => add(store, `from ${i}`)));
      for (const store of stores) expect(await texts(store)).toHaveLength(3);
    }
  });

  it('waits while another process that is making it holds the file', async () => {
    const other = await openSqlite(path);
    await other.all('BEGIN IMMEDIATE');
    await other.all('CREATE TABLE soon (x)');
    const opening = open(FIRST);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await other.all('ROLLBACK');
    await other.close();
    expect(await texts(await opening)).toEqual([]);
  });

  it('migrates an older one after a backup of it', async () => {
    await made(FIRST);
    const store = await open(FIRST, SECOND);
    expect(await store.all('SELECT text, tag FROM notes')).toEqual([{ text: 'kept', tag: 'old' }]);
    const [backup = ''] = await backupsOf(path);
    expect(backup).toMatch(/memory\.db\.backup-v1-\d{4}-\d\d-\d\dT[\d-]+Z-\d+$/);
    const before = await openSqlite(backup);
    expect(await before.all('SELECT * FROM notes')).toEqual([{ id: 1, text: 'kept' }]);
    expect(await before.all('PRAGMA user_version')).toEqual([{ user_version: 1 }]);
    await before.close();
  });

  it('leaves an older one as it was when its migration fails', async () => {
    await made(FIRST);
    await expect(open(FIRST, BROKEN)).rejects.toThrow();
    const store = await open(FIRST);
    expect(await texts(store)).toEqual(['kept']);
    expect(await store.all(`SELECT name FROM sqlite_schema WHERE name = 'half'`)).toEqual([]);
  });

  it('refuses one of a newer program and leaves it untouched', async () => {
    await made(FIRST, SECOND);
    const before = readFileSync(path);
    expect(await refusal(FIRST)).toBe(
      'unavailable: The store /memory.db has schema version 2, newer than the 1 that this program knows. It was left untouched. Update svc-memory (or the extension) and start it again.',
    );
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual(['memory.db']);
  });

  it.each(['', 'PRAGMA user_version = 1;'])(
    'refuses one of another program and leaves it untouched (%j)',
    async (version) => {
      const other = await openSqlite(path);
      await other.all('CREATE TABLE theirs (x)');
      if (version !== '') await other.all(version);
      await other.close();
      const before = readFileSync(path);
      expect(await refusal(FIRST)).toBe(
        'unavailable: /memory.db is a SQLite database of another program. It was left untouched. Set SVC_MEMORY_DB to another file.',
      );
      expect(readFileSync(path).equals(before)).toBe(true);
      expect(readdirSync(folder)).toEqual(['memory.db']);
    },
  );

  it('refuses what is no database and leaves it untouched', async () => {
    writeFileSync(path, 'Dear diary,\n'.repeat(400));
    expect(await refusal(FIRST)).toMatch(
      /^unavailable: \/memory\.db is damaged or is not a SQLite database\. Nothing was changed\. /,
    );
    expect(readFileSync(path, 'utf8')).toBe('Dear diary,\n'.repeat(400));
  });

  it('takes an empty file for a new store', async () => {
    writeFileSync(path, '');
    expect(await texts(await open(FIRST))).toEqual([]);
  });

  it('says what to do when the file cannot be opened', async () => {
    path = join(folder, 'missing', 'memory.db');
    expect(await refusal(FIRST)).toMatch(
      /^unavailable: The store \/missing\/memory\.db cannot be opened\. Check that /,
    );
    path = folder;
    expect(await refusal(FIRST)).toMatch(/^unavailable: /);
  });
});

describe('a transaction', () => {
  it('is all or nothing', async () => {
    const store = await open(FIRST);
    const failing = store.transact(async (sql) => {
      await sql.run(`INSERT INTO notes (text) VALUES ('half')`);
      throw new RangeError('stop');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await texts(store)).toEqual([]);
    await add(store, 'after');
    expect(await texts(store)).toEqual(['after']);
  });

  it('is seen by nobody before it ends, also not by this process', async () => {
    const store = await open(FIRST);
    await store.transact(async (sql) => {
      await sql.run(`INSERT INTO notes (text) VALUES ('soon')`);
      expect(await sql.all('SELECT text FROM notes')).toHaveLength(1);
      expect(await texts(store)).toEqual([]);
    });
    expect(await texts(store)).toEqual(['soon']);
  });

  it('waits for those of this process and of others, and nothing is lost', async () => {
    const stores = await Promise.all([open(FIRST), open(FIRST), open(FIRST)]);
    await add(stores[0] as StoreFile, '0');
    const increment = (store: StoreFile) =>
      store.transact(async (sql) => {
        const row = await sql.get<{ text: string }>('SELECT text FROM notes');
        await sql.run('UPDATE notes SET text = $text', { text: String(Number(row?.text) + 1) });
      });
    await Promise.all(Array.from({ length: 90 }, (_, i) => increment(stores[i % 3] as StoreFile)));
    for (const store of stores) expect(await texts(store)).toEqual(['90']);
  });

  it('is refused once a newer program has migrated the file', async () => {
    const old = await open(FIRST);
    await open(FIRST, SECOND);
    await expect(add(old, 'x')).rejects.toThrow(/^unavailable: .* has schema version 2, newer than the 1 /);
  });

  it('cannot be got around by the reading connection', async () => {
    const store = await open(FIRST);
    await expect(store.all(`INSERT INTO notes (text) VALUES ('x') RETURNING id`)).rejects.toThrow();
    expect(await texts(store)).toEqual([]);
  });
});

describe('erasing', () => {
  it('empties the write-ahead log and removes backups', async () => {
    await made(FIRST);
    const store = await open(FIRST, SECOND);
    await add(store, 'x');
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    expect(await store.erase()).toBe(true);
    expect(statSync(`${path}-wal`).size).toBe(0);
    expect(await backupsOf(path)).toEqual([]);
  });

  it('gives up in the time it is given while a reader is there', async () => {
    const store = await open(FIRST);
    const reader = await openSqlite(path);
    await reader.all('BEGIN');
    await reader.all('SELECT * FROM notes');
    await add(store, 'x');
    expect(await store.erase(100)).toBe(false);
    await reader.all('COMMIT');
    await reader.close();
    expect(await store.erase(100)).toBe(true);
  });
});

it('closing waits for what is under way, and may be asked for twice', async () => {
  const store = await open(FIRST);
  const adding = [add(store, 'a'), add(store, 'b')];
  await Promise.all([...adding, store.close(), store.close()]);
  expect(await texts(await open(FIRST))).toEqual(['a', 'b']);
});

it('a sound file has no problems', async () => {
  expect(await integrityProblems(await open(FIRST))).toEqual([]);
});
