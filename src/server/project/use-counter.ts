import type { Log } from '../base/log';
import type { Database } from '../db/sql';
import { noteUses } from '../memory/uses';

const FLUSH_AFTER_MS = 1_000;

/**
 * Collects which memories were given out and how large their lines are, and writes it down a moment after the answer
 * is out. Losing some of it is no error: it only breaks ties and saves measuring again.
 */
export class UseCounter {
  private uses = new Map<number, number>();
  private sizes = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** @param counted false for a reading that changes no counter (`as_of`, another namespace) */
  note(printed: readonly number[], measured: readonly (readonly [number, number])[], counted: boolean): void {
    for (const [seq, size] of measured) this.sizes.set(seq, size);
    if (counted) for (const seq of printed) this.uses.set(seq, (this.uses.get(seq) ?? 0) + 1);
    if (this.uses.size + this.sizes.size === 0) return;
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { uses, sizes } = this;
    if (uses.size + sizes.size === 0) return;
    this.uses = new Map();
    this.sizes = new Map();
    try {
      await this.database.transact((sql) => noteUses(sql, [...uses], [...sizes]));
    } catch (error) {
      this.log(`use counters were not written: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
