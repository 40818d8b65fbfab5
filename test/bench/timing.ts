/** Of a series of durations in milliseconds. */
export interface Timing {
  readonly p50: number;
  readonly p95: number;
}

export function timing(durations: readonly number[]): Timing {
  const sorted = [...durations].sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}

/** The lowest of each figure: what other work on the machine adds is never negative. */
export function best(runs: readonly Timing[]): Timing {
  return { p50: Math.min(...runs.map((run) => run.p50)), p95: Math.min(...runs.map((run) => run.p95)) };
}

/** Runs `work` and returns how long it took, in milliseconds, and what it gave. */
export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly ms: number; readonly result: Result }> {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
