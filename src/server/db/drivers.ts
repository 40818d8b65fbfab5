/** The interface of a driver, and the choice between the two. */
import { isBuiltin } from 'node:module';
import { SvcError, unavailable } from '../base/errors';
import { quoted } from '../base/text';
import type { SqlParameters, Statement } from './sql';

/** How a SQLite is asked, and which one this process has: the module compiled on the machine, else the one in Node. */

/**
 * `at rest` reads a file that no process writes, without a lock, a log or any file beside it. It does not see the
 * contents of an existing log.
 */
export type OpenMode = 'read-write' | 'create' | 'at rest';

export interface OpenHandle {
  readonly path: string;
  readonly mode: OpenMode;
  readonly maxValueBytes: number;
}

/**
 * A connection as a driver gives it. Calls run in the order in which they were made. What fails, fails with SQLite's own
 * name of it as `code` (`DriverError`).
 */
export interface Handle {
  /** @param owner by which it may be interrupted */
  all(sql: string, parameters: SqlParameters, owner?: unknown): Promise<unknown[]>;
  run(sql: string, parameters: SqlParameters): Promise<number>;
  /** In their order, and none after one that fails. */
  batch(statements: readonly Statement[]): Promise<number[]>;
  script(sql: string): Promise<void>;
  /** Ends the statement that runs now, where it is this owner's. */
  interrupt(owner?: unknown): void;
  close(): Promise<void>;
}

export type DriverName = 'native' | 'node';

export interface Driver {
  readonly name: DriverName;
  open(options: OpenHandle): Promise<Handle>;
}

let wanted: string | undefined;
let leave: (() => void) | undefined;
let chosen: Promise<Driver> | undefined;

/**
 * Takes this driver and no other; undefined takes what is there.
 * @param leaveFolder goes to another working folder, where that of the process was deleted: no thread starts in such a one
 */
export function wantDriver(name: string | undefined, leaveFolder?: () => void): void {
  wanted = name;
  leave = leaveFolder;
  chosen = undefined;
}

/**
 * The driver of this process. All files use the same one: two copies of SQLite in one process would drop each other's
 * locks.
 * @throws SvcError unavailable when this process has no SQLite
 */
export function chosenDriver(): Promise<Driver> {
  chosen ??= choose();
  return chosen;
}

/** Why no store can be opened on this machine; undefined where one can. */
export function missingSqlite(): Promise<SvcError | undefined> {
  return chosenDriver().then(
    () => undefined,
    (error: SvcError) => error,
  );
}

async function choose(): Promise<Driver> {
  if (wanted !== undefined && wanted !== 'native' && wanted !== 'node') {
    throw unavailable(`SVC_SQLITE is ${quoted(wanted)}`, 'Set it to "native" or "node", or do not set it');
  }
  if (wanted !== 'node') {
    // It is missing where nothing was compiled, and fails to load where it was for another machine.
    const native = await import('./driver-native').catch(() => undefined);
    if (native) return native.nativeDriver;
  }
  if (wanted !== 'native' && nodeHasSearch(process.versions.node))
    return (await import('./driver-node')).nodeDriver(leave);
  throw noSqlite();
}

/** Node's own SQLite has full-text search since 22.16; of 23 there is nothing that is kept up. */
function nodeHasSearch(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major >= 24 || (major === 22 && minor >= 16)) && isBuiltin('node:sqlite');
}

function noSqlite(): SvcError {
  return new SvcError(
    'unavailable',
    `There is no SQLite: the module @vscode/sqlite3 was not compiled on this machine, and Node ${process.versions.node} has none with full-text search`,
    'Use Node 22.16 or later, or compile the module, which needs python3, make and a C++ compiler:',
    'npm install-scripts approve @vscode/sqlite3 && npm rebuild @vscode/sqlite3 (npm 12), npm rebuild @vscode/sqlite3 (before), pnpm approve-builds && pnpm install --force (pnpm)',
  );
}
