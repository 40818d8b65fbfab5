/**
 * A long import in three steps, so that no other writer waits for it: its rows get their numbers (reserved-rows), what
 * costs is written piece by piece where nobody looks (search terms without rows, and rows in temporary tables of this
 * connection), and one short transaction shows all of it.
 */
import { invalidInput, type SvcError } from '../../base/errors';
import type { Database } from '../../db/sql';
import { readId } from '../../db/store-id';
import { acceptedBeside, insertTouches, type MatchedNames } from '../code/touches';
import { insertEdges } from '../edges';
import { type Entity, findEntities } from '../entities';
import { IMPORT_BATCH } from '../limits';
import type { Memory, WritableMemory } from '../memory';
import { claimNamespace } from '../namespaces';
import { insertRows, insertTerms, lastSeq, numberNodes } from '../nodes';
import { claimOrigin, type Origin } from '../origins';
import { refreshContexts } from '../refresh-contexts';
import type { MatchedEntities } from '../remember';
import { dropReserved, isReserved, type ReservedRows, reserveRows } from '../reserved-rows';
import { currentSession, sessionForWriting } from '../sessions/sessions';
import {
  type ImportResult,
  importNodes,
  leftOut,
  nameImported,
  resultOf,
  settleGroup,
  type WrittenNodes,
} from './import';
import { closesWaiting, importArrival } from './import-arrival';
import { isImportObject } from './import-entities';
import {
  type Arrivals,
  checkNotAborted,
  edgesOf,
  type GroupPlan,
  type ImportOptions,
  type ImportPlan,
  matchObjects,
  type NumberedGroup,
  newNode,
  numberGroup,
  originKey,
  originsOf,
  planImport,
  type ReadObjects,
  readObjects,
  touchesOf,
} from './import-plan';
import { sharedAlready, storedNodes } from './import-references';
import {
  OWN_SESSION,
  STAGED_EDGES,
  STAGED_NODES,
  STAGED_TABLES,
  STAGED_TEXTS,
  STAGED_TOUCHES,
  showRows,
  TEXT_COLUMNS,
} from './staged-rows';

/** An import of fewer objects is one short transaction as it is. */
const STAGED_FROM = 2_000;
/** Of a store that cannot keep rows aside: all of it is one transaction, in which nobody else writes. */
const MOST_AT_ONCE = 5_000;
/** Search terms that one transaction writes: about a tenth of a second. */
const TERMS_AT_ONCE = 2_500;
/** The file is left to others for this share of the time that it was held. */
const SHARE_FOR_OTHERS = 0.5;
export interface StagedImport {
  readonly plan: ImportPlan;
  readonly groups: readonly StagedGroup[];
  /** A staged row has -1 for the first of them, -2 for the second, and so on. */
  readonly origins: readonly Origin[];
}

interface StagedGroup {
  readonly group: NumberedGroup;
  readonly rows: ReservedRows;
  written: WrittenNodes;
  /** Row number of the session that was open. */
  readonly session: number | undefined;
}

/** What an import knows when its transaction begins. */
export interface PreparedImport extends MatchedEntities {
  /** Undefined for one that is short enough to be written at once. */
  readonly staged: StagedImport | undefined;
  readonly shared: ReadonlySet<number>;
}

/**
 * Looks for the code that an import's memories are about, and writes a long one where nobody sees it.
 * @throws SvcError unavailable when `signal` is aborted, or the store cannot be written; then nothing is left behind
 */
export async function prepareImport(
  memory: Memory,
  database: Database,
  values: readonly unknown[],
  options: ImportOptions,
): Promise<PreparedImport> {
  const read = await readObjects(values, options);
  const found = await matchObjects(memory, read.objects, options.signal);
  const shared = await sharedAlready(memory, read.objects);
  const known = { ...options, ...read, matched: found.matched, shared };
  return { ...found, shared, staged: await stageImport(memory, database, values, known) };
}

/** @returns undefined for an import that is short enough to be written at once */
async function stageImport(
  memory: Memory,
  database: Database,
  values: readonly unknown[],
  {
    namespaces,
    file,
    shared,
    progress,
    signal,
    objects,
    problems,
    matched,
  }: ImportOptions & ReadObjects & { matched: MatchedNames },
): Promise<StagedImport | undefined> {
  if (values.length < STAGED_FROM) return undefined;
  if (!database.hasTemporaryTables) {
    if (values.length > MOST_AT_ONCE) throw tooManyAtOnce(values.length);
    return undefined;
  }
  const planned = await planImport(memory, objects, { namespaces, file, shared });
  if (values.length - leftOut(values, planned) < STAGED_FROM) return undefined;
  const plan = { ...planned, problems: [...problems, ...planned.problems], left: leftOut(values, planned) };
  const of = importArrival(memory, file, await readId(memory.sql, 'mem_flags'));
  const origins = originsOf(plan.groups, of);
  const places = new Map(origins.map((origin, i) => [originKey(origin), i]));
  // Their rows are written when all of it is shown.
  const arrivals: Arrivals = {
    ...{ of, closesWaiting: closesWaiting(file) },
    rowOf: (origin) => -1 - (places.get(originKey(origin)) ?? 0),
  };
  const groups: StagedGroup[] = [];
  let before = plan.left;
  try {
    for (const one of plan.groups.filter(({ fresh }) => fresh.length > 0)) {
      const reserved = await reserve(memory, database, one);
      const ownSession = one.needsSession ? (reserved.session ?? OWN_SESSION) : undefined;
      const group = numberGroup(memory, one, plan.references, {
        first: reserved.rows.first,
        ownSession,
        arrivals,
      });
      const staged: StagedGroup = { ...reserved, group, written: new Map() };
      // From here on there is something to take away.
      groups.push(staged);
      const written = await stageGroup(memory, database, { group, matched }, (done) => {
        checkNotAborted(signal);
        progress(Math.min(values.length, before + done), values.length);
      });
      staged.written = written;
      before += one.fresh.length - one.entities.created.length;
    }
    checkNotAborted(signal);
    return { plan, groups, origins };
  } catch (error) {
    await dropStaged(database, { groups });
    throw error;
  }
}

/**
 * Writes an import, or shows a staged one; belongs in one transaction. Where the store has changed so that it does not fit any more, all of
 * it is written again, at once.
 */
export async function publishImport(
  memory: WritableMemory,
  { staged, matched, shared }: PreparedImport,
  values: readonly unknown[],
  options: ImportOptions,
): Promise<ImportResult> {
  const known = { ...options, shared };
  if (!staged) return importNodes(memory, values, matched, known);
  const { plan, groups, origins } = staged;
  const taken = await takenMeanwhile(memory, plan, groups);
  if (!taken) return importNodes(memory, values, matched, known);
  const originRows: number[] = [];
  for (const origin of origins) originRows.push(await claimOrigin(memory, origin));
  const shown: WrittenNodes[] = [];
  for (const { group, rows, written } of groups) {
    const { ns } = rows;
    const session = group.needsSession ? (await sessionForWriting(memory, ns)).seq : undefined;
    const others = taken.get(rows) ?? new Map<number, Entity>();
    await showRows(memory.sql, rows, { session, originRows, taken: others });
    await nameImported(memory, ns, group, others);
    // Aliases were not known when the terms were written.
    const renamed = [...others.values()].filter(({ names }) => names.length > 1);
    await refreshContexts(
      memory,
      ns,
      renamed.map(({ seq }) => seq),
    );
    await settleGroup(memory, ns, { ...group, ownSession: session });
    shown.push(new Map([...written].filter(([, { seq }]) => !others.has(seq))));
  }
  return resultOf(plan, shown);
}

function tooManyAtOnce(count: number): SvcError {
  return invalidInput(
    `${count} memories are too many for one import into this store`,
    `Nothing was changed. Send ${MOST_AT_ONCE} at once`,
  );
}

/** Takes away what staging has left: all of it, where it was not shown. */
export async function dropStaged(database: Database, { groups }: Pick<StagedImport, 'groups'>): Promise<void> {
  for (const { rows } of groups) {
    const { first, last } = rows;
    await database.aside(async (sql) => {
      for (const [table, , column] of STAGED_TABLES) {
        await sql.run(`DELETE FROM ${table} WHERE ${column} BETWEEN $first AND $last`, { first, last });
      }
    });
    await dropReserved(database, rows);
  }
}

async function reserve(
  memory: Memory,
  database: Database,
  { namespace, needsSession, fresh }: GroupPlan,
): Promise<Pick<StagedGroup, 'rows' | 'session'>> {
  const { pid, host } = memory.holder();
  const rows = await database.transact(async (sql) => {
    const ns = await claimNamespace(sql, namespace);
    const first = (await lastSeq(sql, ns)) + 1;
    const reserved = { ns, first, last: first + fresh.length - 1 };
    await reserveRows(sql, { ...reserved, pid, host });
    return reserved;
  });
  return { rows, session: needsSession ? (await currentSession(memory, rows.ns))?.seq : undefined };
}

async function stageGroup(
  memory: Memory,
  database: Database,
  { group, matched }: { readonly group: NumberedGroup; readonly matched: MatchedNames },
  onBatch: (done: number) => void,
): Promise<WrittenNodes> {
  const { fresh } = group;
  await database.aside(async (sql) => {
    for (const [table, columns] of STAGED_TABLES) {
      await sql.run(`CREATE TEMP TABLE IF NOT EXISTS ${table.slice('temp.'.length)} (${columns})`);
    }
  });
  const inserted = await numberNodes(
    memory,
    () => group.first,
    fresh.map((object) => newNode(group, object)),
    {
      termsAtOnce: TERMS_AT_ONCE,
      writeRows: (rows) => database.aside((sql) => insertRows(sql, STAGED_NODES, rows)),
      writeTerms: (terms) => leavingRoom(() => database.transact((sql) => insertTerms(sql, terms))),
      onBatch,
    },
  );
  const now = group.now;
  for (let start = 0; start < fresh.length; start += IMPORT_BATCH) {
    const batch = fresh.slice(start, start + IMPORT_BATCH);
    const touches = touchesOf(matched, group, batch);
    await database.aside(async (sql) => {
      await insertEdges(sql, edgesOf(group, batch), STAGED_EDGES);
      await insertTouches(sql, touches, now, STAGED_TOUCHES);
      await sql.run(
        `INSERT INTO ${STAGED_TEXTS} SELECT ${TEXT_COLUMNS.map((_, i) => `value ->> ${i}`).join()} FROM json_each($texts)`,
        { texts: JSON.stringify(acceptedBeside(touches)) },
      );
    });
    onBatch(fresh.length);
  }
  return new Map(fresh.map((object, i) => [object, inserted[i] ?? { seq: 0, id: '' }]));
}

/** A process that waits for the file asks again and again, and gets it only while nobody has it. */
async function leavingRoom<Result>(work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  const took = performance.now() - start;
  await new Promise((resolve) => setTimeout(resolve, took * SHARE_FOR_OTHERS));
  return result;
}

/**
 * Entities that were to be made and that others have made since, by the row number that they were to get.
 * @returns undefined where anything else that the plan rests on has changed
 */
async function takenMeanwhile(
  memory: WritableMemory,
  { active, references }: ImportPlan,
  groups: readonly StagedGroup[],
): Promise<ReadonlyMap<ReservedRows, ReadonlyMap<number, Entity>> | undefined> {
  if (memory.scope.namespace !== active) return undefined;
  const stored = await storedNodes(memory.sql, references.asked);
  if (!isSame([...stored], [...references.everywhere])) return undefined;
  const taken = new Map<ReservedRows, Map<number, Entity>>();
  for (const { group, rows, session } of groups) {
    const { entities } = group;
    if (!(await isReserved(memory.sql, rows))) return undefined;
    if (session !== undefined && (await currentSession(memory, rows.ns))?.seq !== session) return undefined;
    const now = await findEntities(memory.sql, rows.ns, entities.asked, 'exactly');
    if ([...entities.inStore.keys()].some((name) => !now.has(name))) return undefined;
    const others = new Map<number, Entity>();
    for (const [name, entity] of now) {
      const known = entities.inStore.get(name);
      if (known && isSame(known, entity)) continue;
      const target = entities.targetOf(name);
      if (known || !target || !isImportObject(target) || !entities.created.includes(target)) return undefined;
      others.set(group.seqOfEntity(target), entity);
    }
    taken.set(rows, others);
  }
  return taken;
}

/** Of what the same statement has read. */
function isSame(before: unknown, now: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}
