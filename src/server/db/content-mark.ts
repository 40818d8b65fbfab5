/** Notices when another program overwrites an open file. */
import { randomBytes } from 'node:crypto';
import { lookAtFile, type Sight } from './at-place';
import { StoreDamaged } from './driver-errors';
import { readAtRest } from './look-at-rest';
import type { Reader, Writer } from './sql';
import { type IdTable, readId } from './store-id';

/** Each time that something is written after the file had been brought up to date, it gets a number and a name. */
const FLAG = 'written';
/** How many names are kept: a process that did not look for longer cannot tell. */
const KEPT_NAMES = 30;
const NAME_BYTES = 4;

/** What the file itself says, without its log. */
interface Content {
  readonly id: string | undefined;
  readonly written: Written;
}

interface Written {
  readonly count: number;
  /** The newest first. */
  readonly names: readonly string[];
}

const NEVER: Written = { count: 0, names: [] };

/**
 * Notices when another program overwrites an open file (as `cp` does). SQLite does not notice: it would rely on the
 * pages that it remembers, and damage the new contents.
 */
export class ContentMark {
  private known: Content | undefined;
  /** What the file looked like from outside when it was known. */
  private seen = '';
  private isCounted = false;
  private isCounting = false;
  private before = 0;

  constructor(
    private readonly path: string,
    private readonly table: IdTable,
  ) {}

  /** Called inside of a transaction, before `count`. */
  async begin(sql: Writer): Promise<void> {
    if (!this.isCounted) this.before = await changesIn(sql);
  }

  /** At the end of one that changed something: others can tell from now on that what they have is older. */
  async count(sql: Writer): Promise<void> {
    if (this.isCounted || (await changesIn(sql)) === this.before) return;
    const { count, names } = await writtenIn(sql, this.table);
    const name = randomBytes(NAME_BYTES).toString('hex');
    const now: Written = { count: count + 1, names: [name, ...names].slice(0, KEPT_NAMES) };
    await sql.run(`INSERT OR REPLACE INTO ${this.table} (name, value) VALUES ($name, $value)`, {
      name: FLAG,
      value: JSON.stringify(now),
    });
    this.isCounting = true;
  }

  committed(): void {
    this.isCounted ||= this.isCounting;
    this.isCounting = false;
  }

  /** Called before the log is written into the file, and again afterwards with its own result. */
  read(sql: Reader): Promise<Content> {
    return contentOf(sql, this.table);
  }

  /** Called while others keep the log from being brought into the file: what the file alone says by then. */
  async begun(): Promise<void> {
    if (this.known) return;
    const seen = this.look();
    const content = await this.atRest();
    if (content === 'half' || seen !== this.look()) return;
    this.known = content;
    this.seen = seen;
  }

  settled(content: Content): void {
    this.known = content;
    this.seen = this.look();
    this.isCounted = false;
  }

  /** Whether something was written to the file since. @param now what a look at it has just told */
  isTouched(now: Sight): boolean {
    return this.known !== undefined && now.content !== this.seen;
  }

  async isWrittenOver(): Promise<boolean> {
    const { known } = this;
    const { content: seen = '', isEmpty } = lookAtFile(this.path) ?? {};
    if (!known || seen === this.seen) return false;
    // No process that has it open leaves it so.
    if (isEmpty) return true;
    const now = await this.atRest();
    if (now === 'half') return false;
    if (now.id !== known.id || !comesAfter(now.written, known.written)) return true;
    this.known = now;
    this.seen = seen;
    return false;
  }

  private look(): string {
    return lookAtFile(this.path)?.content ?? '';
  }

  /** `half`: it cannot be read, as while others bring their log into it; but they leave it a database. */
  private async atRest(): Promise<Content | 'half'> {
    try {
      return await readAtRest(this.path, (sql) => contentOf(sql, this.table));
    } catch (error) {
      return error instanceof StoreDamaged && error.isNoDatabase ? { id: undefined, written: NEVER } : 'half';
    }
  }
}

async function contentOf(sql: Reader, table: IdTable): Promise<Content> {
  return { id: await readId(sql, table), written: await writtenIn(sql, table) };
}

async function changesIn(sql: Reader): Promise<number> {
  return (await sql.get<{ n: number }>('SELECT total_changes() AS n'))?.n ?? 0;
}

async function writtenIn(sql: Reader, table: IdTable): Promise<Written> {
  const row = await sql.get<{ value: string }>(`SELECT value FROM ${table} WHERE name = $name`, { name: FLAG });
  try {
    const { count, names } = JSON.parse(row?.value ?? '') as Partial<Written>;
    return Number.isSafeInteger(count) && Array.isArray(names) ? { count: count ?? 0, names } : NEVER;
  } catch {
    return NEVER;
  }
}

function comesAfter(now: Written, known: Written): boolean {
  const [newest] = known.names;
  const later = now.count - known.count;
  return later >= 0 && (newest === undefined || later >= KEPT_NAMES || now.names.includes(newest));
}
