/** Shows the progress of a long command. */
import type { Output } from './output';

const REDRAW_MS = 100;

export interface Progress {
  /** @param share of the work that is done, where it is another than that of the count */
  step(done: number, total?: number, share?: number): void;
  end(): void;
}

/** Before this, an estimate of the remaining time is useless. */
const ESTIMATE_AFTER_MS = 3_000;

/** Shows the progress of long work and the remaining time, in one line on standard error of a terminal. */
export function showProgress(output: Output, verb: string): Progress {
  let drawn = Number.NEGATIVE_INFINITY;
  const start = performance.now();
  return {
    step(done, total, worked) {
      const now = performance.now();
      if (!output.watched || now - drawn < REDRAW_MS) return;
      drawn = now;
      const percent = total === undefined || total <= 0 ? undefined : Math.floor((100 * done) / total);
      const share = percent === undefined ? '' : ` of ${total} (${percent} %)`;
      output.transient(
        `${verb} ${done}${share}${total === undefined ? '' : left(now - start, worked ?? done / total)}`,
        percent,
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
