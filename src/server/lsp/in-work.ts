/** Knows whether the window waits for an answer, so that what nobody waits for can stand back. */
export class InWork {
  private running = 0;
  private waiting: (() => void)[] = [];

  async during<Result>(work: Promise<Result>): Promise<Result> {
    this.running++;
    try {
      return await work;
    } finally {
      this.running--;
      if (this.running === 0) for (const go of this.waiting.splice(0)) go();
    }
  }

  /** Resolves when the window waits for nothing, and after this many milliseconds at the latest. */
  async quiet(mostMs: number): Promise<void> {
    if (this.running === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
