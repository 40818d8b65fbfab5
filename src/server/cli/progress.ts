import type { Output } from './output';

const REDRAW_MS = 100;

export interface Progress {
  step(done: number, total?: number): void;
  end(): void;
}

/** A line on standard error that tells how far long work has come, while a person watches. */
export function showProgress(output: Output, verb: string): Progress {
  let drawn = Number.NEGATIVE_INFINITY;
  return {
    step(done, total) {
      const now = performance.now();
      if (!output.watched || now - drawn < REDRAW_MS) return;
      drawn = now;
      const share = total === undefined || total <= 0 ? '' : ` of ${total} (${Math.floor((100 * done) / total)} %)`;
      output.transient(`${verb} ${done}${share}`);
    },
    end: () => output.transient(''),
  };
}
