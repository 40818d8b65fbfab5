/** What everything above `db/` knows of a database: SQL with named parameters (`$name`), in few round trips. */
export type SqlValue = string | number | null;
export type SqlParameters = Readonly<Record<string, SqlValue>>;

export interface Reader {
  /** The schemas that hold rows of the store: `main` alone where this is missing; see `Store.layOver`. */
  readonly layers?: readonly string[];
  /** All rows. `Row` states the columns that the statement selects; it is not checked. */
  all<Row>(sql: string, parameters?: SqlParameters): Promise<Row[]>;
  /** The first row, if there is one. */
  get<Row>(sql: string, parameters?: SqlParameters): Promise<Row | undefined>;
}

/** A statement that is run for what it changes. */
export interface Statement {
  readonly sql: string;
  readonly parameters?: SqlParameters;
}

export interface Writer extends Reader {
  /** Runs one statement and returns how many rows it changed. */
  run(sql: string, parameters?: SqlParameters): Promise<number>;
  /**
   * Runs statements that need nothing of each other's answers, in their order and in one round trip. None is run after
   * one that fails. Like all writing, it belongs in a transaction.
   * @returns how many rows each changed
   */
  batch(statements: readonly Statement[]): Promise<number[]>;
}

export interface Database extends Reader {
  /**
   * Runs `work` in one `BEGIN IMMEDIATE` transaction: all of it is kept, or, when it throws, nothing. Transactions of
   * one process go one at a time; those of other processes are waited for.
   */
  transact<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result>;
  /** Whether `aside` is possible. */
  readonly hasTemporaryTables: boolean;
  /** Runs `work` on the connection that writes, without a transaction of the file: for temporary tables of this process. */
  aside<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result>;
  /** Runs `work` on one moment of the store, while others go on writing. For reading much at leisure. */
  snapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
}
