/** The page's connection to the extension. */
import type { Answer, Answers, FromExplorer, ToExplorer } from '../protocol/explorer';

/** What the editor gives to a webview. */
interface EditorApi {
  postMessage(message: FromExplorer): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** Whose memory is asked. */
export interface Whose {
  readonly folder: string;
  /** Empty for the one that the editor is in. */
  readonly namespace: string;
}

export interface Connection {
  /** Never fails: what went wrong is an answer, too. */
  ask<What extends keyof Answers>(
    what: What,
    of: Whose,
    input?: Readonly<Record<string, unknown>>,
  ): Promise<Answer<Answers[What]>>;
  send(message: FromExplorer): void;
  readonly kept: unknown;
  keep(state: unknown): void;
}

/** @param receive gets every message that is no answer */
export function connect(receive: (message: Exclude<ToExplorer, { type: 'answer' }>) => void): Connection {
  const api = acquireVsCodeApi();
  const waiting = new Map<number, (answer: Answer<never>) => void>();
  let last = 0;
  window.addEventListener('message', ({ data }: MessageEvent<ToExplorer>) => {
    if (data.type !== 'answer') return receive(data);
    // The extension answers a question with what belongs to it (Answers).
    waiting.get(data.number)?.(data.answer as Answer<never>);
    waiting.delete(data.number);
  });
  return {
    ask: (what, { folder, namespace }, input = {}) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        api.postMessage({ type: 'ask', number: last, what, folder, namespace, input });
      }),
    send: (message) => api.postMessage(message),
    kept: api.getState(),
    keep: (state) => api.setState(state),
  };
}

/** Runs the newest of overlapping calls to its end and lets the others fall: their answers are out of date. */
export function latest(): (work: (isLatest: () => boolean) => Promise<void>) => Promise<void> {
  let newest = 0;
  return (work) => {
    newest += 1;
    const own = newest;
    return work(() => own === newest);
  };
}

/** Waits until nothing was asked for during `ms`, then does the last thing. */
export function debounced(ms: number): (work: () => void) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (work) => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
}
