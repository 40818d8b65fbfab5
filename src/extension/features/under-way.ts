/** Knows what is being done to several rows. */

export interface UnderWay {
  /** Waits with what is to be taken back until this is done. */
  during<T>(step: Promise<T>): Promise<T>;
  /** Resolves when nothing is under way. */
  idle(): Promise<unknown>;
}

export function underWay(): UnderWay {
  const running = new Set<Promise<unknown>>();
  return {
    during(step) {
      running.add(step);
      return step.finally(() => running.delete(step));
    },
    idle: () => Promise.allSettled(running),
  };
}
