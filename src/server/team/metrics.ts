/** What an operator watches, as OpenMetrics: counts and times, never contents. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EngineWatch } from './engine-watch';

/** Seconds. A recall in a small store takes a millisecond, an import minutes. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

export class Metrics {
  private readonly registry = new Registry();
  private readonly calls: Counter<'project' | 'tool' | 'outcome'>;
  private readonly seconds: Histogram<'project' | 'effect'>;
  private readonly refused: Counter<'status'>;
  private readonly told: Counter<'project'>;

  /**
   * @param connections how many clients this process knows at the moment
   * @param listening how many of them listen for changes, by project
   * @param watch of an engine
   */
  constructor(
    connections: () => number,
    listening: () => ReadonlyMap<string, number>,
    watch?: Pick<EngineWatch, 'restarts' | 'waits'>,
  ) {
    this.registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
    const registers = [this.registry];
    this.calls = new Counter({
      ...{ name: 'svc_memory_calls', help: 'Calls of tools', registers },
      labelNames: ['project', 'tool', 'outcome'],
    });
    this.seconds = new Histogram({
      ...{ name: 'svc_memory_call_seconds', help: 'Time of a call, waiting for its turn included', registers },
      ...{ labelNames: ['project', 'effect'], buckets: BUCKETS },
    });
    this.refused = new Counter({
      ...{ name: 'svc_memory_refused_requests', help: 'Requests that were refused before any tool', registers },
      labelNames: ['status'],
    });
    new Gauge({
      ...{ name: 'svc_memory_connections', help: 'Clients that this process knows', registers },
      collect() {
        this.set(connections());
      },
    });
    this.told = new Counter({
      ...{ name: 'svc_memory_changes_told', help: 'Events of changes that were sent', registers },
      labelNames: ['project'],
    });
    new Gauge({
      ...{ name: 'svc_memory_change_streams', help: 'Clients that listen for changes', registers },
      labelNames: ['project'],
      collect() {
        this.reset();
        for (const [project, count] of listening()) this.set({ project }, count);
      },
    });
    if (!watch) return;
    new Gauge({
      name: 'svc_memory_write_wait_seconds',
      help: 'How long the write that waits for the engine has waited, 0 for none',
      ...{ labelNames: ['project'], registers },
      collect() {
        for (const [project, seconds] of watch.waits()) this.set({ project }, seconds);
      },
    });
    new Gauge({
      name: 'svc_memory_engine_restarts',
      help: 'How often this process has had the engine started again',
      registers,
      collect() {
        this.set(watch.restarts);
      },
    });
  }

  called(call: { project: string; tool: string; effect: string; outcome: string; ms: number }): void {
    const { project, tool, effect, outcome, ms } = call;
    this.calls.inc({ project, tool, outcome });
    this.seconds.observe({ project, effect }, ms / 1_000);
  }

  refusedWith(status: number): void {
    this.refused.inc({ status: String(status) });
  }

  toldOfChange(project: string): void {
    this.told.inc({ project });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
