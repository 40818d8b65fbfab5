/** A connection to SQLite, on any of the drivers. */
import { asSvcError, type DriverError } from './driver-errors';
import { chosenDriver, type Handle, type OpenMode } from './drivers';
import type { SqlParameters, Statement, Writer } from './sql';

/**
 * The longest text that a row may hold, and the longest list that a statement is given, in bytes. A file that claims more
 * would end the process. Reading meets nothing that is nearly as long, where writing is handed whole batches.
 */
const MAX_VALUE_BYTES = 256 * 1024 * 1024;
export const MAX_READ_BYTES = 32 * 1024 * 1024;

/**
 * What a file says of itself is data: no function runs because a schema names it, and pages that contradict themselves
 * are damage. The file is read, not mapped: one that is cut off meanwhile is an error then, and no crash.
 */
const CAREFUL = 'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;';

export interface ConnectionOptions {
  readonly maxValueBytes?: number | undefined;
  /** What messages call the file, where that is not its path. */
  readonly shownAs?: string | undefined;
}

/**
 * One SQLite connection as promises, on whichever driver this process has; nothing but `db/` sees this class.
 * Calls on one connection run in the order in which they were made.
 */
export class Connection implements Writer {
  private constructor(
    private readonly handle: Handle,
    readonly path: string,
    /** What messages call the file: a copy is called like its original. */
    readonly shownAs: string,
  ) {}

  /** @throws SvcError unavailable when there is no SQLite, or the file cannot be opened or is not a database */
  static async open(
    path: string,
    mode: OpenMode = 'read-write',
    { maxValueBytes = MAX_VALUE_BYTES, shownAs = path }: ConnectionOptions = {},
  ): Promise<Connection> {
    const driver = await chosenDriver();
    const handle = await driver.open({ path, mode, maxValueBytes }).catch((error: DriverError) => {
      throw asSvcError(error, shownAs);
    });
    const connection = new Connection(handle, path, shownAs);
    try {
      await connection.script(CAREFUL);
      return connection;
    } catch (error) {
      await connection.close().catch(() => undefined);
      throw error;
    }
  }

  /** Ends the statement that runs now, where it is this owner's: its caller gets an error. Others still run. */
  interrupt(owner?: unknown): void {
    this.handle.interrupt(owner);
  }

  /** @param owner by which it may be interrupted */
  all<Row>(sql: string, parameters: SqlParameters = {}, owner?: unknown): Promise<Row[]> {
    // The rows are as the statement selects them; `Reader` says that this is not checked.
    return this.told(this.handle.all(sql, parameters, owner) as Promise<Row[]>);
  }

  get<Row>(sql: string, parameters?: SqlParameters): Promise<Row | undefined> {
    return this.all<Row>(sql, parameters).then((rows) => rows[0]);
  }

  run(sql: string, parameters: SqlParameters = {}): Promise<number> {
    return this.told(this.handle.run(sql, parameters));
  }

  batch(statements: readonly Statement[]): Promise<number[]> {
    return statements.length === 0 ? Promise.resolve([]) : this.told(this.handle.batch(statements));
  }

  /** Runs several statements that take no parameters, for schemas and settings. */
  script(sql: string): Promise<void> {
    return this.told(this.handle.script(sql));
  }

  close(): Promise<void> {
    return this.told(this.handle.close());
  }

  private told<Result>(result: Promise<Result>): Promise<Result> {
    return result.catch((error: DriverError) => {
      throw asSvcError(error, this.shownAs);
    });
  }
}
