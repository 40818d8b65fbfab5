/** The queue of consolidations. */
import { HOUR_MS, timestamp } from '../../base/clock';
import type { IsAlive } from '../../base/process-is-alive';
import { cut, oneLine } from '../../base/text';
import type { Reader } from '../../db/sql';
import type { Holder, WritableMemory } from '../memory';

/** A job that failed this often stays failed. */
export const MAX_JOB_ATTEMPTS = 3;
/** A job that runs longer has been left behind, even where its process cannot be asked: another host, a used pid. */
const JOB_PATIENCE_MS = HOUR_MS;
const MAX_PROBLEM_LENGTH = 500;

/** Jobs of one namespace that are done in one go. */
export interface ClaimedJobs {
  readonly ns: number;
  readonly namespace: string;
  readonly ids: readonly number[];
}

export interface JobCounts {
  /** Waiting for `svc-memory consolidate`. */
  readonly queued: number;
  readonly running: number;
  readonly failed: number;
}

/** Queues a consolidation of the namespace: docs/behaviour.md, "Consolidation jobs". */
export async function queueConsolidation(memory: WritableMemory, ns: number): Promise<void> {
  await memory.sql.run('INSERT INTO mem_jobs (ns, queued_at) VALUES ($ns, $now)', {
    ns,
    now: timestamp(memory.clock()),
  });
}

/** How many jobs of the whole store wait, run, or failed for good. */
export async function countJobs(sql: Reader): Promise<JobCounts> {
  const row = await sql.get<JobCounts>(
    `SELECT count(*) FILTER (WHERE state = 'queued') AS queued, count(*) FILTER (WHERE state = 'running') AS running,
            count(*) FILTER (WHERE state = 'failed') AS failed
     FROM mem_jobs`,
  );
  return row ?? { queued: 0, running: 0, failed: 0 };
}

/** The jobs to do, oldest first: queued ones and those that their process left behind, where no living one is at work. */
export async function jobsToDo(
  sql: Reader,
  now: number,
  here: Holder,
  isAlive: IsAlive,
): Promise<readonly { readonly id: number; readonly ns: number }[]> {
  const jobs = await openJobs(sql);
  const held = new Set(jobs.filter((job) => isHeld(job, now, here, isAlive)).map((job) => job.ns));
  return jobs.filter((job) => !held.has(job.ns));
}

/**
 * Takes all waiting jobs of the first namespace that no living process is working on; undefined when none are left.
 * Jobs left behind are taken again, or marked failed after their last attempt.
 */
export async function claimJobs(memory: WritableMemory, isAlive: IsAlive): Promise<ClaimedJobs | undefined> {
  const here = memory.holder();
  const now = memory.clock();
  const jobs = await openJobs(memory.sql);
  const left = jobs.filter((job) => job.state === 'running' && !isHeld(job, now, here, isAlive));
  if (left.length > 0) {
    await endAttempt(
      memory,
      left.map((job) => job.id),
      'its process went away',
    );
  }
  const [first] = await jobsToDo(memory.sql, now, here, isAlive);
  if (!first) return undefined;
  const rows = await memory.sql.all<{ id: number }>(
    `UPDATE mem_jobs SET state = 'running', attempts = attempts + 1, pid = $pid, host = $host, started_at = $now
     WHERE ns = $ns AND state = 'queued' RETURNING id`,
    { ns: first.ns, pid: here.pid, host: here.host, now: timestamp(now) },
  );
  const named = await memory.sql.get<{ name: string }>('SELECT name FROM mem_namespaces WHERE ns = $ns', {
    ns: first.ns,
  });
  return { ns: first.ns, namespace: named?.name ?? '', ids: rows.map((row) => row.id) };
}

export async function finishJobs(memory: WritableMemory, ids: readonly number[]): Promise<void> {
  await memory.sql.run(
    `UPDATE mem_jobs SET state = 'done', ended_at = $now, problem = NULL
     WHERE id IN (SELECT value FROM json_each($ids)) AND state = 'running'`,
    { ids: JSON.stringify(ids), now: timestamp(memory.clock()) },
  );
}

/**
 * Ends an attempt that did not succeed: the job waits again, or is failed after the last attempt.
 * @returns how many are failed now
 */
export async function endAttempt(memory: WritableMemory, ids: readonly number[], problem: string): Promise<number> {
  const rows = await memory.sql.all<{ state: string }>(
    `UPDATE mem_jobs
     SET state = CASE WHEN attempts >= $max THEN 'failed' ELSE 'queued' END,
         ended_at = CASE WHEN attempts >= $max THEN $now END,
         problem = $problem, pid = NULL, host = NULL
     WHERE id IN (SELECT value FROM json_each($ids)) AND state = 'running' RETURNING state`,
    {
      ids: JSON.stringify(ids),
      max: MAX_JOB_ATTEMPTS,
      problem: cut(oneLine(problem), MAX_PROBLEM_LENGTH),
      now: timestamp(memory.clock()),
    },
  );
  return rows.filter(({ state }) => state === 'failed').length;
}

/** Jobs of a run that was interrupted wait again, as if nobody had begun. */
export async function putBackJobs(memory: WritableMemory, ids: readonly number[]): Promise<void> {
  await memory.sql.run(
    `UPDATE mem_jobs SET state = 'queued', attempts = attempts - 1, pid = NULL, host = NULL
     WHERE id IN (SELECT value FROM json_each($ids)) AND state = 'running'`,
    { ids: JSON.stringify(ids) },
  );
}

interface OpenJob {
  readonly id: number;
  readonly ns: number;
  readonly state: 'queued' | 'running';
  readonly pid: number | null;
  readonly host: string | null;
  readonly started_at: string | null;
}

function openJobs(sql: Reader): Promise<OpenJob[]> {
  return sql.all<OpenJob>(
    `SELECT id, ns, state, pid, host, started_at FROM mem_jobs WHERE state IN ('queued', 'running') ORDER BY id`,
  );
}

function isHeld(job: OpenJob, now: number, here: Holder, isAlive: IsAlive): boolean {
  if (job.state !== 'running') return false;
  if (now - Date.parse(job.started_at ?? '') > JOB_PATIENCE_MS) return false;
  return job.host !== here.host || job.pid === null || isAlive(job.pid);
}
