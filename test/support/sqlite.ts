import type { DatabaseSync } from 'node:sqlite';
import sqlite3 from '@vscode/sqlite3';

/** A connection that knows nothing of our driver: another program, or a test that looks into a file. */
export interface Sqlite {
  all<Row = Record<string, unknown>>(sql: string): Promise<Row[]>;
  /** Several statements. */
  script(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** On the SQLite that is tested: two copies of it in one process would take each other's locks away. */
export async function openSqlite(path: string): Promise<Sqlite> {
  return process.env.SVC_SQLITE === 'node' ? openNodes(path) : openNative(path);
}

async function openNodes(path: string): Promise<Sqlite> {
  const { DatabaseSync } = await import('node:sqlite');
  // Tests write what an attacker would.
  const options: object = { enableForeignKeyConstraints: false, defensive: false };
  const opened: DatabaseSync = new DatabaseSync(path, options);
  return {
    // The test states the shape that it selects.
    all: async <Row>(sql: string) =>
      opened
        .prepare(sql)
        .all()
        .map((row) => ({ ...row })) as Row[],
    script: async (sql) => opened.exec(sql),
    close: async () => opened.close(),
  };
}

async function openNative(path: string): Promise<Sqlite> {
  const handle = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(path, (error) => (error ? reject(error) : resolve(opened)));
  });
  return {
    all: <Row>(sql: string) =>
      new Promise<Row[]>((resolve, reject) => {
        handle.all(sql, (error: Error | null, rows: Row[]) => (error ? reject(error) : resolve(rows)));
      }),
    script: (sql) => new Promise((resolve, reject) => handle.exec(sql, (error) => (error ? reject(error) : resolve()))),
    close: () => new Promise((resolve, reject) => handle.close((error) => (error ? reject(error) : resolve()))),
  };
}
