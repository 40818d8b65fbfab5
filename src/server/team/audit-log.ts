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
  private lines: string[] = [];
  private writing: Promise<void> | undefined;

  constructor(
    private readonly file: string,
    private readonly log: Log,
  ) {}

  /** Lines stand in the order of the calls. A disk that is full fails no call; the log of the server tells of it. */
  note(entry: AuditEntry): void {
    this.lines.push(`${JSON.stringify(entry)}\n`);
    this.writing ??= this.write();
  }

  /** What comes while a line is written goes with the next ones. */
  private async write(): Promise<void> {
    while (this.lines.length > 0) {
      const text = this.lines.splice(0).join('');
      await appendFile(this.file, text, { mode: PRIVATE_FILE }).catch((error: unknown) =>
        this.log(`the audit log cannot be written: ${error instanceof Error ? error.message : ''}`),
      );
    }
    this.writing = undefined;
  }

  async close(): Promise<void> {
    await this.writing;
  }
}
