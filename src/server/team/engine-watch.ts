/** Watches whether an engine takes writes, tells it, and has the engine started again where it does not. */
import { SvcError } from '../base/errors';
import type { Log } from '../base/log';
import type { StoreOnEngine } from '../engine/store-on-engine';

type Watched = Pick<StoreOnEngine, 'isAway' | 'probe' | 'replicaProblem' | 'waitedMs'>;

interface EngineWatchOptions {
  /** By the name of their project. */
  readonly stores: ReadonlyMap<string, Watched>;
  /** Opens the database that has taken the place of another one, before that is written to. @throws SvcError */
  readonly renew: (project: string) => Promise<unknown>;
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
  /** Why a project cannot be written to, or its replica not be read, as it was told. */
  private readonly refused = new Map<string, string>();
  private readonly unread = new Map<string, string>();
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
    return [...new Set([...this.stuck, ...this.refused.keys()])].sort();
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
    for (const [project, { waitedMs, isAway }] of stores) {
      // A write that was given up waits no more, and was not taken for that.
      const isStuck = waitedMs > STUCK_AFTER_MS || (isAway && this.stuck.has(project));
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

  /** Tells of replicas that cannot be read, before they are needed. */
  askReplicas(): void {
    for (const [project, store] of this.options.stores) this.askReplica(project, store);
  }

  private askReplica(project: string, store: Watched): void {
    const changed = (problem: string | undefined): string =>
      problem === undefined
        ? `the replica of the project ${project} can be read again`
        : `the replica of the project ${project} cannot be read, so nothing can be read while the engine is away: ${problem}`;
    store.replicaProblem().then(
      (problem) => this.note(this.unread, project, problem, changed),
      () => undefined,
    );
  }

  private probeNext(): void {
    const all = [...this.options.stores.keys()];
    const project = all[this.probed++ % Math.max(all.length, 1)];
    // One that is at work tells as much.
    if (project === undefined || this.options.stores.get(project)?.waitedMs !== 0) return;
    const changed = (problem: string | undefined): string =>
      problem === undefined
        ? `the project ${project} can be written to again`
        : `the project ${project} cannot be written to: ${problem}`;
    this.probe(project).then(
      () => this.note(this.refused, project, undefined, changed),
      (error: unknown) =>
        this.note(this.refused, project, error instanceof SvcError ? error.said : String(error), changed),
    );
  }

  private async probe(project: string): Promise<void> {
    await this.options.renew(project);
    const store = this.options.stores.get(project);
    if (!store) return;
    this.askReplica(project, store);
    await store.probe();
  }

  /** What is told once is not told again until it changes. */
  private note(
    told: Map<string, string>,
    project: string,
    problem: string | undefined,
    changed: (problem: string | undefined) => string,
  ): void {
    if (told.get(project) === problem) return;
    if (problem === undefined) told.delete(project);
    else told.set(project, problem);
    this.options.log(changed(problem));
  }
}
