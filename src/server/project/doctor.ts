/** Examines an installation for `svc-memory doctor`. */

import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { locateStore, type Surroundings } from '../../store-place/locate';
import { fileOf, type StorePlace } from '../../store-place/store-place';
import { CLIENT_CONFIG, type ClientConfig, clientRoot, deadEntry, readClientConfig } from '../agents/client-config';
import { MEMORY_SERVER } from '../agents/register-servers';
import { counted } from '../base/counted';
import { endSentence, SvcError } from '../base/errors';
import { lastingFolders } from '../base/executables';
import { realPlace } from '../base/paths';
import { isLogWithoutFile, unlessInCircle } from '../base/store-at';
import { oneLine, shownPath } from '../base/text';
import { backupsOf } from '../db/copies-beside';
import { StoreDamaged } from '../db/driver-errors';
import { chosenDriver, type DriverName, missingSqlite } from '../db/drivers';
import { countJobs, type JobCounts } from '../memory/consolidation/jobs';
import { MEMORY_MIGRATIONS } from '../memory/migrations/index';
import { listNamespaces, namespaceNumber } from '../memory/namespaces';
import { type KindCounts, kindCounts } from '../memory/stats';
import { sharedWithoutStore } from './absent-store';
import { accountOfBackup, type BackupAccount } from './back-up';
import { backupsFor, newestOf } from './backups';
import { isEmptied } from './emptied-store';
import { erasePending } from './erase';
import { missingStore } from './lost-store';
import { type OpenProject, openProject, type Project } from './open';
import { leftOutByGit } from './shared-commits';
import { BACKUP_FAILED } from './store-backups';

const OLDEST_NODE = 20;

export interface Examined {
  readonly around: Surroundings;
  readonly version: string;
  readonly searchPath: readonly string[];
  readonly open: Omit<OpenProject, 'place' | 'home'>;
}

/** What `svc-memory doctor` finds. `problems` is what keeps something from working, `notes` is good to know. */
export interface Diagnosis {
  readonly versions: {
    readonly program: string;
    readonly node: string;
    sqlite: string | null;
    /** The module that was compiled on this machine, or the one that Node brings; null when there is none. */
    readonly sqlite_driver: DriverName | null;
  };
  readonly store: {
    readonly path: string;
    readonly reason: string;
    readonly root: string | null;
    readonly exists: boolean;
    readonly size_bytes: number;
    readonly log_bytes: number;
    /** Of older schemas, beside the store. */
    readonly backups: readonly string[];
    /** In the home directory. */
    readonly newest_backup: BackupAccount | null;
    schema: number | null;
    readonly known_schema: number;
    /** null when it could not be checked. */
    integrity: 'ok' | 'damaged' | null;
  };
  /** By namespace. */
  readonly memories: Record<string, KindCounts>;
  jobs: JobCounts | null;
  erase_pending: boolean | null;
  readonly client_config: { readonly path: string; readonly servers: readonly RegisteredServer[] };
  readonly problems: string[];
  readonly notes: string[];
}

export interface RegisteredServer {
  readonly name: string;
  readonly command: string | null;
  /** null when nothing keeps it from starting, as far as can be seen from here. */
  readonly problem: string | null;
}

/** Looks at everything the memory needs, changes nothing, and makes no store. */
export async function diagnose(examined: Examined): Promise<Diagnosis> {
  const { around, version } = examined;
  const place = locateStore(around);
  const path = fileOf(place);
  const exists = sizeOf(path) > 0;
  const missing = await missingSqlite();
  const driver = missing ? undefined : await chosenDriver();
  const problems: string[] = [];
  const notes: string[] = [];
  const client_config = examineClients(clientRoot(place.root, around.cwd), examined.searchPath, problems, notes);
  const diagnosis: Diagnosis = {
    versions: { program: version, node: process.versions.node, sqlite: null, sqlite_driver: driver?.name ?? null },
    store: {
      path,
      reason: place.reason,
      root: place.root ?? null,
      exists,
      size_bytes: sizeOf(path),
      log_bytes: sizeOf(`${path}-wal`),
      backups: existsSync(dirname(path)) ? await backupsOf(path).catch(() => []) : [],
      newest_backup: await examineBackups(path, around.home, notes),
      schema: null,
      known_schema: MEMORY_MIGRATIONS.length,
      integrity: null,
    },
    memories: {},
    jobs: null,
    erase_pending: null,
    client_config,
    problems,
    notes,
  };
  examineProgram(examined, problems);
  const found = unlessInCircle(() => statSync(path, { throwIfNoEntry: false }));
  const lost = place.kind === 'home' ? missingStore(around) : undefined;
  if (missing) problems.push(saidHere(missing));
  else if (found && !found.isFile()) problems.push(`${oneLine(path)} is no file; set SVC_MEMORY_DB to another path`);
  else if (exists || isLogWithoutFile(path) || isEmptied(path, around.home)) {
    await examineStore(diagnosis, place, examined);
  } else if (lost === undefined) notes.push('The store is not there yet; the first command that needs it makes it');
  if (lost !== undefined) {
    problems.push(
      `The store ${oneLine(lost)} is not there any more; "svc-memory restore-backup" brings it back, "svc-memory init" begins a new one`,
    );
  } else if (place.kind === 'home')
    notes.push('The home store is in use; "svc-memory init" makes one for this project');
  const shared = sharedWithoutStore(around);
  if (shared > 0)
    problems.push(
      `${counted(shared, 'shared memory')} in .svc/memories cannot be read without a store; run "svc-memory init"`,
    );
  return diagnosis;
}

function examineProgram({ open }: Examined, problems: string[]): void {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    problems.push(`Node ${process.versions.node} is too old; install Node ${OLDEST_NODE} or newer`);
  }
  try {
    open.tokenizer();
  } catch {
    problems.push('The token table of this installation is missing or damaged; install svc-memory again');
  }
}

async function examineBackups(path: string, home: string, notes: string[]): Promise<BackupAccount | null> {
  const backups = backupsFor(home, realPlace(path));
  for (const { name, kind } of backups) {
    if (kind !== 'rescued') continue;
    notes.push(
      `The backup ${name} is of a store that was deleted while it was open; "svc-memory restore-backup ${name}" brings it back, and keeps what lies in its place`,
    );
  }
  const newest = newestOf(backups);
  return newest ? accountOfBackup(newest) : null;
}

async function examineStore(diagnosis: Diagnosis, place: StorePlace, { open, around }: Examined): Promise<void> {
  const { problems, notes, store } = diagnosis;
  let project: Project | undefined;
  try {
    project = await openProject({ ...open, home: around.home, place });
    await examineOpened(diagnosis, project);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    problems.push(saidHere(error));
    if (project) store.integrity = 'damaged';
  } finally {
    await project?.close().catch(() => undefined);
  }
  if (store.backups.length > 0) notes.push(`${store.backups.length} backup(s) of older schemas lie beside the store`);
}

async function examineOpened(diagnosis: Diagnosis, project: Project): Promise<void> {
  await project.shared.refresh();
  for (const { path, line, reason } of project.shared.unread) {
    diagnosis.problems.push(`${shownPath(path)}, line ${line}: ${reason}; nothing is known from this file`);
  }
  const { problems, notes, store, versions, memories } = diagnosis;
  const leftOut = await leftOutByGit(project, project.shared.files, new AbortController().signal);
  if (leftOut[0]) {
    problems.push(
      `Git leaves ${leftOut.length} of ${counted(project.shared.count, 'shared memory')} out by "${leftOut[0].rule}", so nobody else gets ${leftOut.length === 1 ? 'it' : 'them'}; take that rule out, .svc/.gitignore keeps the store out of Git by itself`,
    );
  }
  const { memory } = project;
  const row = await memory.sql.get<{ sqlite: string; schema: number }>(
    'SELECT sqlite_version() AS sqlite, (SELECT user_version FROM pragma_user_version) AS schema',
  );
  versions.sqlite = row?.sqlite ?? null;
  store.schema = row?.schema ?? null;
  const damage = await project.store.problems();
  store.integrity = damage.length === 0 ? 'ok' : 'damaged';
  if (damage.length > 0) {
    problems.push(
      `The store is damaged (${damage.length} finding(s), the first: ${oneLine(damage[0] ?? '')}); save what is there with "svc-memory export", move the file away and import it again`,
    );
  }
  for (const namespace of await listNamespaces(memory.sql)) {
    memories[namespace] = await kindCounts(memory.sql, await namespaceNumber(memory.sql, namespace));
  }
  diagnosis.jobs = await countJobs(memory.sql);
  if (diagnosis.jobs.queued > 0) {
    notes.push(
      `${counted(diagnosis.jobs.queued, 'consolidation job')} ${diagnosis.jobs.queued === 1 ? 'waits' : 'wait'}; "svc-memory consolidate" does ${diagnosis.jobs.queued === 1 ? 'it' : 'them'}`,
    );
  }
  if (diagnosis.jobs.failed > 0)
    problems.push(`${counted(diagnosis.jobs.failed, 'consolidation job')} failed for good`);
  const failed = await memory.sql.get<{ value: string }>('SELECT value FROM mem_flags WHERE name = $name', {
    name: BACKUP_FAILED,
  });
  if (failed) problems.push(`The last daily backup could not be made: ${oneLine(failed.value)}`);
  diagnosis.erase_pending = await erasePending(project.store);
  if (diagnosis.erase_pending) {
    problems.push(
      'A purge is not finished: other processes keep the log busy or hold a backup; end them, and the next command finishes it',
    );
  }
}

function examineClients(
  root: string,
  searchPath: readonly string[],
  problems: string[],
  notes: string[],
): Diagnosis['client_config'] {
  let config: ClientConfig;
  try {
    config = readClientConfig(root);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    problems.push(saidHere(error));
    return { path: join(root, CLIENT_CONFIG), servers: [] };
  }
  const folders = lastingFolders(searchPath);
  const servers = [...config.servers].map(([name, entry]) => ({
    name,
    command: typeof entry.command === 'string' ? [entry.command, ...argumentsOf(entry)].join(' ') : null,
    problem: deadEntry(entry, root, folders) ?? null,
  }));
  for (const { name, problem } of servers) {
    if (problem !== null) problems.push(`The server "${oneLine(name)}" in ${config.path} cannot start: ${problem}`);
  }
  if (!config.servers.has(MEMORY_SERVER)) {
    notes.push(`No "${MEMORY_SERVER}" in ${config.path}; "svc-memory init --register" adds it`);
  }
  return { path: config.path, servers };
}

function argumentsOf({ args }: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(args) ? args.map(String) : [];
}

/** Nobody is sent here again. */
function saidHere(error: SvcError): string {
  return error instanceof StoreDamaged
    ? `${endSentence(error.problem)} ${endSentence(error.remedyOfDoctor)}`
    : error.said;
}

function sizeOf(path: string): number {
  return unlessInCircle(() => statSync(path, { throwIfNoEntry: false }))?.size ?? 0;
}
