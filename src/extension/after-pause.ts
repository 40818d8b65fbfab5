/** Changes come in bursts: many of one burst are answered with one refresh. */
const PAUSE_MS = 100;

export interface Paused {
  (): void;
  dispose(): void;
}

/** Runs `work` a moment after the last of several calls, never twice at the same time. `work` reports its failures. */
export function afterPause(work: () => Promise<void>, pause = PAUSE_MS): Paused {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let disposed = false;
  const call = (): void => {
    if (disposed) return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (running) {
        await running;
        call();
        return;
      }
      running = work();
      await running.finally(() => {
        running = undefined;
      });
    }, pause);
  };
  const dispose = (): void => {
    disposed = true;
    clearTimeout(timer);
  };
  return Object.assign(call, { dispose });
}
