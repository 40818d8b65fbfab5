/** Consolidation, from the first job to the report. */
import { SvcError } from '../../base/errors';
import type { Log } from '../../base/log';
import { type IsAlive, processIsAlive } from '../../base/process-is-alive';
import { closeSupersededNodes } from '../close-superseded-nodes';
import { insertEdges } from '../edges';
import type { Memory, WritableMemory } from '../memory';
import { takeReasons } from '../similar/take-reasons';
import { entityVariants, mergeVariants, type VariantPair } from './entity-variants';
import {
  type ClaimedJobs,
  claimJobs,
  countJobs,
  endAttempt,
  finishJobs,
  jobsToDo,
  putBackJobs,
  queueConsolidation,
} from './jobs';
import { closeSessions, type LeftSession, leftSessions } from './left-sessions';
import { type DuplicatePair, isKeptInFile, nearDuplicates } from './near-duplicates';

/** How many pairs are written in one transaction: other processes wait for it a moment at most. */
const PAIRS_PER_TRANSACTION = 200;
/** Merging rewrites what search knows of all memories of an entity. */
const MERGES_PER_TRANSACTION = 20;

/** What consolidation needs of a project. */
export interface ConsolidatedStore {
  readonly memory: Memory;
  readonly log: Log;
  write<Result>(work: (memory: WritableMemory) => Promise<Result>): Promise<Result>;
}

export interface ConsolidateOptions {
  /** Writes nothing, claims nothing, and reports what would be done. */
  readonly dryRun?: boolean;
  /** Looks at every namespace, not only at those with a waiting job. */
  readonly everything?: boolean;
  readonly isAlive?: IsAlive;
  readonly onProgress?: (namespace: string, done: number, total: number) => void;
  /** Keeps what is done; the job that it was at waits again. */
  readonly signal?: AbortSignal;
}

export interface ShownMemory {
  readonly id: string;
  readonly content: string;
}

export interface ShownName {
  readonly id: string;
  readonly name: string;
}

export interface ConsolidatedNamespace {
  readonly namespace: string;
  /** `variant` became an alias of `kept`. */
  readonly merged: readonly { readonly kept: ShownName; readonly variant: ShownName }[];
  /** `newer` superseded `older`. */
  readonly closed: readonly ShownPair[];
  /** Left alone, because one of them stands in a file of the repository. */
  readonly in_files: readonly ShownPair[];
}

export interface ShownPair {
  readonly newer: ShownMemory;
  readonly older: ShownMemory;
  readonly similarity: number;
}

export interface ConsolidationReport {
  readonly dry_run: boolean;
  readonly namespaces: readonly ConsolidatedNamespace[];
  /** Sessions that were left behind and closed. */
  readonly sessions: readonly (ShownName & { readonly namespace: string; readonly last_write_at: string })[];
  /** No job waited, and none was asked for: it looked at this namespace. */
  readonly unasked?: string;
  /** How many jobs ended so; of a dry run, how many there are to do. */
  readonly jobs: { readonly done: number; readonly failed: number };
  /** Why attempts did not succeed. */
  readonly problems: readonly { readonly namespace: string; readonly problem: string }[];
}

/**
 * Closes sessions that were left behind, then does the waiting jobs: merges entities that are spelling variants and
 * closes near-duplicates. Reading and comparing hold no lock; what is written is checked again in short transactions,
 * so several processes may run it at once while others go on storing.
 */
export async function consolidate(
  store: ConsolidatedStore,
  options: ConsolidateOptions = {},
): Promise<ConsolidationReport> {
  const { dryRun = false, everything = false, isAlive = processIsAlive, onProgress = () => {}, signal } = options;
  const run: Run = {
    store,
    isAlive,
    onProgress(namespace, done, total) {
      signal?.throwIfAborted();
      onProgress(namespace, done, total);
    },
    signal,
  };
  if (dryRun) return rehearse(run, everything);
  const sessions = await closeLeftSessions(run);
  if (everything) {
    for (const { ns } of await namespaces(store.memory)) await store.write((memory) => queueConsolidation(memory, ns));
  }
  const done = new Map<string, ConsolidatedNamespace>();
  const problems: { namespace: string; problem: string }[] = [];
  const jobs = { done: 0, failed: 0 };
  const unasked = everything ? undefined : await namespaceWithoutJobs(store.memory);
  if (unasked) {
    done.set(unasked.name, await consolidateNamespace(run, { ns: unasked.ns, namespace: unasked.name }));
  }
  for (;;) {
    const claimed = unasked ? undefined : await store.write((memory) => claimJobs(memory, isAlive));
    if (!claimed) break;
    const { namespace, ids } = claimed;
    try {
      const outcome = await consolidateNamespace(run, claimed);
      await store.write((memory) => finishJobs(memory, ids));
      jobs.done += ids.length;
      const before = done.get(namespace);
      done.set(namespace, {
        namespace,
        merged: [...(before?.merged ?? []), ...outcome.merged],
        closed: [...(before?.closed ?? []), ...outcome.closed],
        in_files: outcome.in_files,
      });
    } catch (error) {
      if (signal?.aborted) {
        await store.write((memory) => putBackJobs(memory, ids));
        throw error;
      }
      // The job keeps the reason, and the report tells it; what is no error of ours is a defect, whose words are for the log.
      if (!(error instanceof SvcError))
        store.log(`internal error: ${error instanceof Error ? error.stack : String(error)}`);
      const problem = error instanceof SvcError ? error.message : `internal: ${nameOf(error)}`;
      jobs.failed += await store.write((memory) => endAttempt(memory, ids, problem));
      problems.push({ namespace, problem });
    }
  }
  return {
    ...{ dry_run: false, namespaces: [...done.values()], sessions, jobs, problems },
    ...(unasked ? { unasked: unasked.name } : {}),
  };
}

/** The one to look at where no job waits or runs: the active one. */
async function namespaceWithoutJobs({ sql, scope }: Memory): Promise<Namespace | undefined> {
  const { queued, running } = await countJobs(sql);
  if (queued + running > 0) return undefined;
  return sql.get<Namespace>('SELECT ns, name FROM mem_namespaces WHERE name = $name', { name: scope.namespace });
}

interface Run {
  readonly store: ConsolidatedStore;
  readonly isAlive: IsAlive;
  readonly onProgress: (namespace: string, done: number, total: number) => void;
  readonly signal: AbortSignal | undefined;
}

interface Namespace {
  readonly ns: number;
  readonly name: string;
}

interface Plan {
  readonly variants: readonly VariantPair[];
  readonly duplicates: readonly DuplicatePair[];
  /** Of which one stands in a file. */
  readonly inFiles: readonly DuplicatePair[];
}

/** What is to be done in a namespace; the duplicates are found as if the entities had been merged already. */
async function plan({ store, onProgress }: Run, { ns, name }: Namespace): Promise<Plan> {
  const variants = await entityVariants(store.memory, ns);
  const duplicates = await nearDuplicates(store.memory, ns, {
    sameEntity: new Map(variants.map(({ kept, variant }) => [variant.seq, kept.seq])),
    onProgress: (done, total) => onProgress(name, done, total),
  });
  const isInFile = ({ newer, older }: DuplicatePair): boolean =>
    [newer, older].some(({ id }) => store.memory.shared.has(id));
  return {
    variants,
    duplicates: duplicates.filter((pair) => !isInFile(pair)),
    inFiles: duplicates.filter(isInFile).filter((pair) => !isKeptInFile(store.memory, pair)),
  };
}

async function consolidateNamespace(
  run: Run,
  { ns, namespace }: Omit<ClaimedJobs, 'ids'>,
): Promise<ConsolidatedNamespace> {
  const { variants, duplicates, inFiles } = await plan(run, { ns, name: namespace });
  const merged: VariantPair[] = [];
  for (const batch of batches(variants, MERGES_PER_TRANSACTION)) {
    run.signal?.throwIfAborted();
    merged.push(...(await run.store.write((memory) => mergeVariants(memory, ns, batch))));
  }
  const closed: DuplicatePair[] = [];
  for (const batch of batches(duplicates, PAIRS_PER_TRANSACTION)) {
    run.signal?.throwIfAborted();
    closed.push(...(await run.store.write((memory) => closeDuplicates(memory, ns, batch))));
  }
  return shownNamespace(namespace, { variants: merged, duplicates: closed, inFiles });
}

/** Closes the pairs whose both ends are still open. */
async function closeDuplicates(
  memory: WritableMemory,
  ns: number,
  pairs: readonly DuplicatePair[],
): Promise<DuplicatePair[]> {
  // The plus keeps SQLite from walking an index of the whole namespace instead of the list.
  const rows = await memory.sql.all<{ seq: number }>(
    `SELECT seq FROM mem_nodes
     WHERE seq IN (SELECT value FROM json_each($seqs)) AND +(seq >> 32) = $ns AND valid_until IS NULL AND tombstoned = 0`,
    { ns, seqs: JSON.stringify(pairs.flatMap(({ newer, older }) => [newer.seq, older.seq])) },
  );
  const open = new Set(rows.map(({ seq }) => seq));
  const standing = pairs.filter(({ newer, older }) => open.has(newer.seq) && open.has(older.seq));
  await takeReasons(
    memory,
    ns,
    standing.map(({ newer, older }) => ({ newer: newer.seq, older: older.seq })),
  );
  await insertEdges(
    memory.sql,
    standing.map(({ newer, older }) => ({ type: 'SUPERSEDES' as const, src: newer.seq, dst: older.seq })),
  );
  await closeSupersededNodes(
    memory,
    ns,
    standing.map(({ newer, older }) => ({ seq: older.seq, by: newer.seq, validFrom: newer.valid_from })),
  );
  return standing;
}

/** A session that is closed here ends like any other: with a job for its namespace. */
async function closeLeftSessions({ store }: Run): Promise<ConsolidationReport['sessions'][number][]> {
  const closed: ConsolidationReport['sessions'][number][] = [];
  for (const { ns, name } of await namespaces(store.memory)) {
    if ((await leftSessions(store.memory, ns)).length === 0) continue;
    const sessions = await store.write(async (memory) => {
      const left = await leftSessions(memory, ns);
      if (left.length > 0) {
        await closeSessions(memory, ns, left);
        await queueConsolidation(memory, ns);
      }
      return left;
    });
    closed.push(...sessions.map((session) => shownSession(name, session)));
  }
  return closed;
}

/** A real run would queue a job for each namespace that it closes sessions of, and for each one when asked for all. */
async function rehearse(run: Run, everything: boolean): Promise<ConsolidationReport> {
  const { memory } = run.store;
  const waiting = await jobsToDo(memory.sql, memory.clock(), memory.holder(), run.isAlive);
  const unasked = everything ? undefined : await namespaceWithoutJobs(memory);
  const report: ConsolidatedNamespace[] = [];
  const sessions: ConsolidationReport['sessions'][number][] = [];
  let done = 0;
  for (const namespace of await namespaces(memory)) {
    const left = await leftSessions(memory, namespace.ns);
    sessions.push(...left.map((session) => shownSession(namespace.name, session)));
    const jobs =
      waiting.filter((job) => job.ns === namespace.ns).length + (left.length > 0 ? 1 : 0) + (everything ? 1 : 0);
    if (jobs === 0 && namespace.ns !== unasked?.ns) continue;
    done += jobs;
    report.push(shownNamespace(namespace.name, await plan(run, namespace)));
  }
  return {
    ...{ dry_run: true, namespaces: report, sessions, jobs: { done, failed: 0 }, problems: [] },
    ...(unasked && done === 0 ? { unasked: unasked.name } : {}),
  };
}

function namespaces({ sql }: Memory): Promise<Namespace[]> {
  return sql.all<Namespace>('SELECT ns, name FROM mem_namespaces ORDER BY ns');
}

function* batches<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

function shownNamespace(namespace: string, { variants, duplicates, inFiles }: Plan): ConsolidatedNamespace {
  const shown = ({ newer, older, similarity }: DuplicatePair): ShownPair => ({
    newer: { id: newer.id, content: newer.content },
    older: { id: older.id, content: older.content },
    similarity,
  });
  return {
    namespace,
    merged: variants.map(({ kept, variant }) => ({
      kept: { id: kept.id, name: kept.name },
      variant: { id: variant.id, name: variant.name },
    })),
    closed: duplicates.map(shown),
    in_files: inFiles.map(shown),
  };
}

function shownSession(namespace: string, { id, name, last_write_at }: LeftSession) {
  return { namespace, id, name, last_write_at };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error';
}
