/** The code of a thread that runs Node's own SQLite. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { OpenHandle } from './drivers';
import type { SqlParameters, Statement } from './sql';

/** The requests to a thread that holds a connection, and its answers, in the same order. */
export type Request =
  | ({ readonly do: 'open' } & OpenHandle & { readonly busyTimeoutMs: number })
  | { readonly do: 'all' | 'run'; readonly sql: string; readonly parameters: SqlParameters }
  | { readonly do: 'batch'; readonly statements: readonly Statement[] }
  | { readonly do: 'script'; readonly sql: string }
  | { readonly do: 'close' };
export type Answer =
  | { readonly value: unknown }
  /** `number` is SQLite's code, where it is SQLite that refused. */
  | { readonly problem: string; readonly number: number | undefined };

/**
 * The thread: one connection of Node's own SQLite, which blocks its caller. It is started from this function's
 * text (driver-node), so that there is no file to find: nothing from outside of it may be used here.
 */
export function serveConnection(): void {
  const TOO_BIG = 18;
  const MISUSE = 21;
  const MAX_CACHED_STATEMENTS = 200;
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const sqlite = process.getBuiltinModule('node:sqlite');
  const statements = new Map<string, StatementSync>();
  let opened: DatabaseSync | undefined;
  let maxValueBytes = 0;
  let countsItself = false;

  function open({ path, mode, maxValueBytes: most, busyTimeoutMs }: OpenHandle & { busyTimeoutMs: number }): void {
    const { pathToFileURL } = process.getBuiltinModule('node:url');
    const asUri = (query: string): string => `${pathToFileURL(path).href}?${query}`;
    const name = mode === 'create' ? path : asUri(mode === 'at rest' ? 'immutable=1' : 'mode=rw');
    const database: DatabaseSync & { limits?: { length: number }; enableDefensive?: (on: boolean) => void } =
      new sqlite.DatabaseSync(name, { readOnly: mode === 'at rest', enableForeignKeyConstraints: false });
    opened = database;
    maxValueBytes = most;
    // Newer versions of Node have both.
    countsItself = database.limits !== undefined;
    if (database.limits) database.limits.length = most;
    database.enableDefensive?.(true);
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }

  function prepared(database: DatabaseSync, sql: string): StatementSync {
    const kept = statements.get(sql);
    if (kept) return kept;
    const statement = database.prepare(sql);
    // A file may hold whole numbers that JavaScript cannot; as big ones they are no error.
    statement.setReadBigInts(true);
    const oldest = statements.keys().next().value;
    if (statements.size >= MAX_CACHED_STATEMENTS && oldest !== undefined) statements.delete(oldest);
    statements.set(sql, statement);
    return statement;
  }

  /** Numbers are bound as reals, which the full-text index ignores as bounds of row numbers. */
  function bound(parameters: SqlParameters): Record<string, SQLInputValue> {
    const values: Record<string, SQLInputValue> = {};
    for (const name in parameters) {
      const value = parameters[name] ?? null;
      refuseTooBig(value);
      values[name] = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
    }
    return values;
  }

  function plain(rows: Record<string, unknown>[]): unknown[] {
    for (const row of rows) {
      for (const name in row) {
        const value = row[name];
        if (typeof value === 'bigint') row[name] = Number(value);
        else refuseTooBig(value);
      }
    }
    return rows;
  }

  function refuseTooBig(value: unknown): void {
    if (countsItself || typeof value !== 'string' || value.length * 3 <= maxValueBytes) return;
    if (Buffer.byteLength(value) > maxValueBytes) throw Object.assign(new Error('too big'), { errcode: TOO_BIG });
  }

  function run(database: DatabaseSync, { sql, parameters = {} }: Statement): number {
    return Number(prepared(database, sql).run(bound(parameters)).changes);
  }

  function answer(request: Request): unknown {
    if (request.do === 'open') return open(request);
    if (!opened) throw Object.assign(new Error('not open'), { errcode: MISUSE });
    switch (request.do) {
      case 'all':
        return plain(prepared(opened, request.sql).all(bound(request.parameters)));
      case 'run':
        return run(opened, request);
      case 'batch': {
        const database = opened;
        return request.statements.map((statement) => run(database, statement));
      }
      case 'script':
        return opened.exec(request.sql);
      case 'close':
        statements.clear();
        opened.close();
        opened = undefined;
    }
  }

  parentPort?.on('message', (request: Request) => {
    let told: Answer;
    try {
      told = { value: answer(request) };
    } catch (error) {
      const { message, errcode } = error as { message?: string; errcode?: number };
      told = { problem: message ?? String(error), number: errcode };
    }
    parentPort.postMessage(told);
  });
}
