/** Who changed what, when and how: one line of JSON for each writing call, without what memories say. */
import { appendFile } from 'node:fs/promises';
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

export class AuditLog {
  private written: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly file: string,
    private readonly log: Log,
  ) {}

  /** Lines stand in the order of the calls. A disk that is full fails no call; the log of the server tells of it. */
  note(entry: AuditEntry): void {
    const line = `${JSON.stringify(entry)}\n`;
    this.written = this.written.then(() =>
      appendFile(this.file, line, { mode: PRIVATE_FILE }).catch((error: unknown) =>
        this.log(`the audit log cannot be written: ${error instanceof Error ? error.message : ''}`),
      ),
    );
  }

  async close(): Promise<void> {
    await this.written;
  }
}
