/** Watches whether an engine takes writes, tells it, and has the engine started again where it does not. */
import type { Log } from '../base/log';
import type { StoreOnEngine } from '../engine/store-on-engine';

type Watched = Pick<StoreOnEngine, 'probe' | 'waitedMs'>;

interface EngineWatchOptions {
  /** By the name of their project. */
  readonly stores: ReadonlyMap<string, Watched>;
  readonly log: Log;
  /** Starts the engine again; undefined where the operator of the server gave no command for it. */
  readonly restart: (() => Promise<void>) | undefined;
}

const LOOK_EVERY_MS = 1_000;
/** One project after another, so that many of them cost no more writes than few. */
const PROBE_EVERY_MS = 5_000;
/** A write that waits longer is taken as one that will never come to its turn. */
const STUCK_AFTER_MS = 10_000;
/** An engine that cannot be helped is not started again without end. */
const RESTARTS_APART_MS = 60_000;

export class EngineWatch {
  private readonly stuck = new Set<string>();
  private readonly timers: readonly NodeJS.Timeout[];
  private probed = 0;
  private restartedAt = Number.NEGATIVE_INFINITY;
  restarts = 0;

  constructor(private readonly options: EngineWatchOptions) {
    this.timers = [
      setInterval(() => this.look(), LOOK_EVERY_MS).unref(),
      setInterval(() => this.probeNext(), PROBE_EVERY_MS).unref(),
    ];
  }

  /** The projects that nothing can be written to, as far as is known. */
  get stuckProjects(): readonly string[] {
    return [...this.stuck].sort();
  }

  /** How long the write of each project that waits longest has waited, in seconds. */
  waits(): ReadonlyMap<string, number> {
    return new Map([...this.options.stores].map(([project, { waitedMs }]) => [project, waitedMs / 1_000]));
  }

  close(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  private look(): void {
    const { stores, log } = this.options;
    for (const [project, { waitedMs }] of stores) {
      const isStuck = waitedMs > STUCK_AFTER_MS;
      if (isStuck === this.stuck.has(project)) continue;
      if (isStuck) this.stuck.add(project);
      else this.stuck.delete(project);
      log(
        isStuck
          ? `the engine has taken no write to the project ${project} for ${STUCK_AFTER_MS / 1_000} seconds`
          : `the engine takes writes to the project ${project} again`,
      );
    }
    if (this.stuck.size > 0) this.restart();
  }

  private restart(): void {
    const { restart, log } = this.options;
    const now = performance.now();
    if (!restart || now - this.restartedAt < RESTARTS_APART_MS) return;
    this.restartedAt = now;
    this.restarts++;
    log('starting the engine again, by the command of --restart-engine');
    restart().catch((error: unknown) => log(`the command of --restart-engine failed: ${String(error)}`));
  }

  private probeNext(): void {
    const all = [...this.options.stores.values()];
    const next = all[this.probed++ % Math.max(all.length, 1)];
    // One that is at work tells as much.
    if (next && next.waitedMs === 0) next.probe().catch(() => undefined);
  }
}
