/** Tells those who listen that a project has changed: a stream of events for each of them. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock';
import type { Store } from '../db/store';
import { lastOperation, stateOfMemory } from '../memory/team/snapshot';
import type { Metrics } from './metrics';
import type { ServedProjects } from './served-projects';

/** How often a project is looked at while anybody listens: other processes write to it, too. */
const LOOK_MS = 250;
/** Proxies cut what is silent, and a client takes a longer silence for a dead line. */
const HEARTBEAT_MS = 15_000;
/** Until a token that was taken back ends its streams. */
const ASK_AGAIN_MS = 2_000;
/** Windows of one person on one project. */
const MOST_OF_PERSON = 20;
const MOST = 1_000;

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Or nginx would keep events back until there are many.
  'x-accel-buffering': 'no',
};

interface Listener {
  readonly project: string;
  readonly person: string;
}

interface Stream extends Listener {
  readonly response: ServerResponse;
  /** Whether the token that it was begun with lets in. */
  readonly mayListen: () => Promise<boolean>;
  /** The state that it was told last. */
  told: string | undefined;
  wroteAt: number;
  askedAt: number;
}

interface Known {
  readonly store: Store;
  /** Of the file. */
  readonly commits: number;
  /** Of what it holds. */
  readonly state: string;
  readonly version: number;
}

interface ChangesOptions {
  readonly projects: ServedProjects;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

export class Changes {
  private readonly streams = new Set<Stream>();
  private readonly known = new Map<string, Known>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private closed = false;

  constructor(private readonly options: ChangesOptions) {}

  /** By project. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { project } of this.streams) counts.set(project, (counts.get(project) ?? 0) + 1);
    return counts;
  }

  /** Why nobody is let in any more: `closing`, or because there are as many as there may be of this person, or of all. */
  fullFor({ project, person }: Listener): 'closing' | 'person' | 'server' | undefined {
    if (this.closed) return 'closing';
    if (this.streams.size >= MOST) return 'server';
    const own = [...this.streams].filter((one) => one.project === project && one.person === person);
    return own.length >= MOST_OF_PERSON ? 'person' : undefined;
  }

  /**
   * Says at once which version there is, and then each time that it is another one, until the caller goes away, may not
   * listen any more, or the server closes.
   */
  async tell({ project, person }: Listener, mayListen: Stream['mayListen'], response: ServerResponse): Promise<void> {
    const now = this.options.clock();
    const stream: Stream = { project, person, response, mayListen, told: undefined, wroteAt: now, askedAt: now };
    const ended = new Promise<void>((resolve) => response.on('close', resolve));
    this.streams.add(stream);
    try {
      const known = await this.look(project);
      response.writeHead(200, HEADERS);
      this.write(stream, known);
      this.timer ??= setInterval(() => this.lookAtAll(), LOOK_MS).unref();
      if (this.closed) response.end();
      await ended;
    } finally {
      this.streams.delete(stream);
      if (this.streams.size === 0) this.rest();
    }
  }

  /** Ends all streams: their clients come back to another process, or to this one started again. */
  close(): void {
    this.closed = true;
    this.rest();
    for (const { response } of this.streams) if (response.headersSent) response.end();
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.known.clear();
  }

  /** A look that takes longer than the pause is not begun a second time. */
  private lookAtAll(): void {
    this.looking ??= this.lookNow().finally(() => {
      this.looking = undefined;
    });
  }

  private async lookNow(): Promise<void> {
    for (const project of this.counts().keys()) {
      // A project that cannot be read now gets its event when it can.
      const known = await this.look(project).catch(() => undefined);
      for (const stream of this.streams) {
        if (stream.project === project && known) this.write(stream, known);
      }
    }
    await Promise.all([...this.streams].map((stream) => this.keepUp(stream)));
  }

  private async look(project: string): Promise<Known> {
    const { store } = await this.options.projects.store(project);
    const commits = await store.changes();
    const before = this.known.get(project);
    if (before?.store === store && before.commits === commits) return before;
    const [state, version] = [await stateOfMemory(store), await lastOperation(store)];
    const known = { store, commits, state, version };
    this.known.set(project, known);
    return known;
  }

  private write(stream: Stream, { state, version }: Known): void {
    if (stream.told === state) return;
    stream.told = state;
    this.send(stream, `event: changed\ndata: ${JSON.stringify({ version })}\n\n`);
    this.options.metrics.toldOfChange(stream.project);
  }

  private async keepUp(stream: Stream): Promise<void> {
    const now = this.options.clock();
    if (now - stream.askedAt >= ASK_AGAIN_MS) {
      stream.askedAt = now;
      if (!(await stream.mayListen())) stream.response.end();
    }
    if (now - stream.wroteAt >= HEARTBEAT_MS) this.send(stream, ':\n\n');
  }

  private send(stream: Stream, text: string): void {
    const { response } = stream;
    if (!response.headersSent || response.writableEnded) return;
    stream.wroteAt = this.options.clock();
    // Who does not take what was sent before is gone, or is no client of ours.
    if (response.writableNeedDrain) response.destroy();
    else response.write(text);
  }
}
