/** Who changed what, when and how: one line of JSON for each writing call, without what memories say. */
import { closeSync, fstatSync, openSync, statSync, writeFileSync } from 'node:fs';
import type { Log } from '../base/log';

export interface AuditEntry {
  readonly at: string;
  readonly project: string;
  readonly person: string;
  readonly role: string;
  /** As it calls itself. */
  readonly client: string;
  readonly tool: string;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  /** What `undo` takes. */
  readonly operation?: number;
}

const PRIVATE_FILE = 0o600;
/** A file that was moved away, to begin another one, is left within this time. */
const LOOK_EVERY_MS = 1_000;

export class AuditLog {
  private opened: number | undefined;
  private lookedAt = 0;

  constructor(
    private readonly file: string,
    private readonly log: Log,
  ) {}

  /**
   * Lines stand in the order of the calls, each before its call is answered. It is kept open, because opening it costs
   * more than a line. A disk that is full fails no call; the log of the server tells of it.
   */
  note(entry: AuditEntry): void {
    try {
      writeFileSync(this.open(), `${JSON.stringify(entry)}\n`);
    } catch (error) {
      this.log(`the audit log cannot be written: ${error instanceof Error ? error.message : ''}`);
      this.close();
    }
  }

  close(): void {
    const { opened } = this;
    this.opened = undefined;
    if (opened === undefined) return;
    try {
      closeSync(opened);
    } catch (error) {
      // A disk in the network may tell only now that it is full.
      this.log(`the audit log cannot be written: ${error instanceof Error ? error.message : ''}`);
    }
  }

  private open(): number {
    const now = performance.now();
    if (now - this.lookedAt > LOOK_EVERY_MS) {
      this.lookedAt = now;
      if (this.opened !== undefined && !this.isAtPlace(this.opened)) this.close();
    }
    this.opened ??= openSync(this.file, 'a', PRIVATE_FILE);
    return this.opened;
  }

  private isAtPlace(opened: number): boolean {
    return statSync(this.file, { throwIfNoEntry: false })?.ino === fstatSync(opened).ino;
  }
}
