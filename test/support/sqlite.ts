import sqlite3 from '@vscode/sqlite3';

/** A connection that knows nothing of our driver: another program, or a test that looks into a file. */
export interface Sqlite {
  all<Row = Record<string, unknown>>(sql: string): Promise<Row[]>;
  close(): Promise<void>;
}

export async function openSqlite(path: string): Promise<Sqlite> {
  const handle = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(path, (error) => (error ? reject(error) : resolve(opened)));
  });
  return {
    all: <Row>(sql: string) =>
      new Promise<Row[]>((resolve, reject) => {
        handle.all(sql, (error: Error | null, rows: Row[]) => (error ? reject(error) : resolve(rows)));
      }),
    close: () => new Promise((resolve, reject) => handle.close((error) => (error ? reject(error) : resolve()))),
  };
}
