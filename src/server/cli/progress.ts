import type { Output } from './output';

const REDRAW_MS = 100;

export interface Progress {
  /** @param share of the work that is done, where it is another than that of the count */
  step(done: number, total?: number, share?: number): void;
  end(): void;
}

/** Before this an estimate of what is left says nothing. */
const ESTIMATE_AFTER_MS = 3_000;

/** A line on standard error that tells how far long work has come, and how long it will take, while a person watches. */
export function showProgress(output: Output, verb: string): Progress {
  let drawn = Number.NEGATIVE_INFINITY;
  const start = performance.now();
  return {
    step(done, total, worked) {
      const now = performance.now();
      if (!output.watched || now - drawn < REDRAW_MS) return;
      drawn = now;
      const share = total === undefined || total <= 0 ? '' : ` of ${total} (${Math.floor((100 * done) / total)} %)`;
      output.transient(
        `${verb} ${done}${share}${total === undefined ? '' : left(now - start, worked ?? done / total)}`,
      );
    },
    end: () => output.transient(''),
  };
}

function left(elapsedMs: number, share: number): string {
  if (elapsedMs < ESTIMATE_AFTER_MS || share <= 0 || share >= 1) return '';
  const seconds = Math.ceil(((elapsedMs / share) * (1 - share)) / 1000);
  return seconds < 90 ? `, about ${seconds} s left` : `, about ${Math.round(seconds / 60)} min left`;
}
