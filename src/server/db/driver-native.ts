/** The driver on the compiled SQLite module. */
import { pathToFileURL } from 'node:url';
import sqlite3 from '@vscode/sqlite3';
import { BUSY_TIMEOUT_MS } from './driver-errors';
import type { Driver, Handle, OpenHandle, OpenMode } from './drivers';
import type { SqlParameters, Statement } from './sql';

/** The SQLite module that was compiled on this machine. The only import of it. */

const MAX_CACHED_STATEMENTS = 200;

const FLAGS: Readonly<Record<OpenMode, number>> = {
  'read-write': sqlite3.OPEN_READWRITE,
  create: sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE,
  'at rest': sqlite3.OPEN_READONLY | sqlite3.OPEN_URI,
};

export const nativeDriver: Driver = {
  name: 'native',
  async open({ path, mode, maxValueBytes }: OpenHandle): Promise<Handle> {
    const name = mode === 'at rest' ? `${pathToFileURL(path).href}?immutable=1` : path;
    const database = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opened = new sqlite3.Database(name, FLAGS[mode], (error) => (error ? reject(error) : resolve(opened)));
    });
    database.serialize();
    database.configure('busyTimeout', BUSY_TIMEOUT_MS);
    database.configure('limit', sqlite3.LIMIT_LENGTH, maxValueBytes);
    return new NativeHandle(database);
  },
};

/** Statements are prepared once and kept. */
class NativeHandle implements Handle {
  /** Promises, so that two calls at the same time share one statement: one left unfinalised would forbid closing. */
  private readonly statements = new Map<string, Promise<sqlite3.Statement>>();
  /** On whose behalf each statement runs that was handed to SQLite, the one that runs now first. */
  private readonly running: unknown[] = [];

  constructor(private readonly database: sqlite3.Database) {}

  interrupt(owner?: unknown): void {
    if (this.running[0] !== owner) return;
    try {
      this.database.interrupt();
    } catch {
      // It is being closed: then nothing runs.
    }
  }

  all(sql: string, parameters: SqlParameters, owner?: unknown): Promise<unknown[]> {
    return this.call<unknown[]>(sql, (statement, done) => statement.all(bind(parameters), done), owner);
  }

  run(sql: string, parameters: SqlParameters): Promise<number> {
    return this.call<number>(sql, (statement, done) =>
      statement.run(bind(parameters), function (this: sqlite3.RunResult, error: Error | null) {
        done(error, this?.changes ?? 0);
      }),
    );
  }

  /**
   * One by one: SQLite may have rolled the transaction back where a statement fails, and what was handed over already
   * would be kept.
   */
  async batch(statements: readonly Statement[]): Promise<number[]> {
    const changed: number[] = [];
    for (const { sql, parameters = {} } of statements) changed.push(await this.run(sql, parameters));
    return changed;
  }

  script(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.database.exec(sql, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    // A call may still prepare one while these end.
    while (this.statements.size > 0) {
      const all = [...this.statements.values()];
      this.statements.clear();
      await Promise.all(all.map((statement) => statement.then(finalize, () => undefined)));
    }
    await new Promise<void>((resolve, reject) => {
      this.database.close((error) => (error ? reject(error) : resolve()));
    });
  }

  private async call<Result>(
    sql: string,
    start: (statement: sqlite3.Statement, done: (error: Error | null, result: Result) => void) => void,
    owner?: unknown,
  ): Promise<Result> {
    const statement = await (this.statements.get(sql) ?? this.prepare(sql));
    return new Promise<Result>((resolve, reject) => {
      this.running.push(owner);
      start(statement, (error, result) => {
        this.running.shift();
        if (error) reject(error);
        else resolve(result);
      });
    });
  }

  private prepare(sql: string): Promise<sqlite3.Statement> {
    const [oldest, evicted] = this.statements.entries().next().value ?? [];
    if (this.statements.size >= MAX_CACHED_STATEMENTS && oldest !== undefined && evicted) {
      this.statements.delete(oldest);
      // Behind the calls that have it already.
      void evicted.then(finalize, () => undefined);
    }
    const preparing = new Promise<sqlite3.Statement>((resolve, reject) => {
      const prepared: sqlite3.Statement = this.database.prepare(sql, (error: Error | null) =>
        error ? reject(error) : resolve(prepared),
      );
    });
    this.statements.set(sql, preparing);
    preparing.catch(() => {
      if (this.statements.get(sql) === preparing) this.statements.delete(sql);
    });
    return preparing;
  }
}

function finalize(statement: sqlite3.Statement): Promise<void> {
  return new Promise((resolve) => statement.finalize(() => resolve()));
}

function bind(parameters: SqlParameters): Record<string, unknown> {
  const bound: Record<string, unknown> = {};
  for (const name in parameters) bound[`$${name}`] = parameters[name];
  return bound;
}
