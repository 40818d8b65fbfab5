/** Gives out copies of projects, to read while the server does not answer. */
import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../base/clock';
import { makeSnapshot, type Snapshot, snapshotTag } from '../project/make-snapshot';
import type { Metrics } from './metrics';
import type { ServedProjects } from './served-projects';

/** Of a project one is made at a time, and after each one there is a rest: who asks all the time gets no more. */
const REST_MS = 1_000;
/** Who takes nothing for so long is cut off: the file is kept for them. */
const IDLE_MS = 60_000;

interface SnapshotsOptions {
  readonly projects: ServedProjects;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** A file for all who ask before it is begun, or while it holds what there is. It is deleted after the last of them. */
interface Copy {
  readers: number;
  /** Undefined until it is begun. */
  tag: string | undefined;
  readonly file: Promise<Snapshot>;
}

interface Copies {
  current: Copy | undefined;
  next: Copy | undefined;
  /** Until the next one may be begun. */
  rest: Promise<unknown>;
}

export class Snapshots {
  private readonly copies = new Map<string, Copies>();
  private readonly answering = new Set<Promise<void>>();

  constructor(private readonly options: SnapshotsOptions) {}

  /**
   * Answers with the project's file, or that it is the one that the caller has.
   * @param known what the caller says of it (`If-None-Match`)
   * @throws SvcError unavailable where the file cannot be made
   */
  answer(project: string, known: string | undefined, response: ServerResponse): Promise<void> {
    const answering = this.answerNow(project, known, response).finally(() => this.answering.delete(answering));
    this.answering.add(answering);
    return answering;
  }

  /** Once all connections are closed. */
  async close(): Promise<void> {
    await Promise.allSettled(this.answering);
  }

  private async answerNow(project: string, known: string | undefined, response: ServerResponse): Promise<void> {
    const { projects, metrics, clock } = this.options;
    const began = clock();
    let outcome = 'unavailable';
    try {
      const { store } = await projects.store(project);
      const tag = await snapshotTag(store);
      if (known === etagOf(tag)) response.writeHead(304, headersOf(tag)).end();
      else await this.give(project, tag, response);
      outcome = 'ok';
    } catch (error) {
      if (!response.headersSent) throw error;
      // Who went away in the middle is no defect.
      response.destroy();
    } finally {
      metrics.called({ project, tool: 'snapshot', effect: 'read', outcome, ms: clock() - began });
    }
  }

  private async give(project: string, tag: string, response: ServerResponse): Promise<void> {
    const copies = this.copies.get(project) ?? { current: undefined, next: undefined, rest: Promise.resolve() };
    this.copies.set(project, copies);
    const { current } = copies;
    const copy = current?.tag === tag ? current : (copies.next ?? this.begin(project, copies));
    copy.readers++;
    try {
      const { path, size, tag: made } = await copy.file;
      response.setTimeout(IDLE_MS, () => response.destroy());
      const headers = { 'content-type': 'application/vnd.sqlite3', 'content-length': size };
      response.writeHead(200, { ...headersOf(made), ...headers });
      await pipeline(createReadStream(path), response);
    } finally {
      copy.readers--;
      if (copy.readers === 0) {
        if (copies.current === copy) copies.current = undefined;
        // A purge takes a memory away for good: no file outlives those who get it.
        await copy.file.then(({ remove }) => remove()).catch(() => undefined);
      }
    }
  }

  private begin(project: string, copies: Copies): Copy {
    const make = async (): Promise<Snapshot> => {
      const { store } = await this.options.projects.store(project);
      // First: what is written meanwhile is in the file, and is asked for once more.
      copy.tag = await snapshotTag(store);
      copies.current = copy;
      copies.next = undefined;
      return makeSnapshot(store, copy.tag);
    };
    const file = copies.rest.then(make);
    const copy: Copy = { readers: 0, tag: undefined, file };
    copies.next = copy;
    const rest = (): Promise<void> => setTimeout(REST_MS, undefined, { ref: false });
    copies.rest = file.then(rest, () => {
      if (copies.next === copy) copies.next = undefined;
      return rest();
    });
    return copy;
  }
}

const etagOf = (tag: string): string => `"${tag}"`;

function headersOf(tag: string): Record<string, string> {
  return { etag: etagOf(tag), 'cache-control': 'private, no-store' };
}
