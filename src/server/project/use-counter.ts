/** Counts the uses of memories, and writes them down later. */
import type { Log } from '../base/log';
import type { Database } from '../db/sql';
import { type NodeUse, noteUses } from '../memory/use-counts';

/**
 * Each writing makes other readers load their pages again, so it is done now and then; others who write may make it wait,
 * and it is promised within five seconds.
 */
const FLUSH_AFTER_MS = 4_000;

interface PrintedRow {
  readonly seq: number;
  readonly id: string;
}

/**
 * Collects which memories were given out and how large their lines are, and writes it down a moment after the answer
 * is out. Losing some of it is no error: it only breaks ties and saves measuring again.
 */
export class UseCounter {
  private noted = new Map<string, NodeUse>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** @param counted false for a reading that changes no counter (`as_of`, another namespace) */
  note(
    printed: readonly PrintedRow[],
    measured: readonly (PrintedRow & { readonly size: number })[],
    counted: boolean,
  ): void {
    for (const { seq, id, size } of measured) this.noted.set(id, { ...this.known(seq, id), size });
    for (const { seq, id } of counted ? printed : []) {
      const known = this.known(seq, id);
      this.noted.set(id, { ...known, uses: known.uses + 1 });
    }
    if (this.noted.size > 0) this.timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const noted = [...this.noted.values()];
    if (noted.length === 0) return;
    this.noted = new Map();
    try {
      await this.database.transact((sql) => noteUses(sql, noted));
    } catch (error) {
      this.log(`use counters were not written: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private known(seq: number, id: string): NodeUse {
    return this.noted.get(id) ?? { seq, id, uses: 0, size: null };
  }
}
