/** Tells a client how far long work has come. */
import { setImmediate } from 'node:timers/promises';

/** A reader shows no more steps than this; each costs a message. */
const INTERVAL_MS = 100;

export interface Progress {
  /** Never throws and never waits. */
  readonly report: (done: number, total: number) => void;
  /**
   * Sends what was held back. To be awaited before the result is sent: a client that finds both in one piece of input
   * may drop the progress, because the request is over for it.
   */
  readonly finish: () => Promise<void>;
}

/** Steps of long work as notifications, at most one each tenth of a second, always going up. */
export function reportProgress(send: (done: number, total: number) => Promise<void>, now = Date.now): Progress {
  let sentAt = Number.NEGATIVE_INFINITY;
  let sent = Number.NEGATIVE_INFINITY;
  let held: readonly [number, number] | undefined;
  let sending: Promise<unknown> | undefined;

  const deliver = (done: number, total: number): void => {
    held = undefined;
    sent = done;
    sentAt = now();
    sending = send(done, total).catch(() => undefined);
  };
  return {
    report: (done, total) => {
      if (done <= sent) return;
      if (now() - sentAt >= INTERVAL_MS) deliver(done, total);
      else held = [done, total];
    },
    finish: async () => {
      if (held) deliver(...held);
      if (!sending) return;
      await sending;
      await setImmediate();
    },
  };
}
