import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** Where and when was measured. Load is the average of the last minute: processes that wanted to run. */
export interface Machine {
  readonly date: string;
  readonly node: string;
  readonly cores: number;
  readonly processor: string;
  readonly memoryBytes: number;
  readonly load: number;
  readonly loadAfter?: number;
}

export function machine(): Machine {
  return {
    date: new Date().toISOString(),
    node: process.version,
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    memoryBytes: totalmem(),
    load: loadavg()[0] ?? 0,
  };
}
