/** Cuts the input of a server into lines. */

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** What a line took is given back when it was longer; in bytes. */
const KEPT_ROOM = 1024 * 1024;

export interface LineReaderOptions {
  /** In bytes, without the line break. */
  readonly maxLine: number;
  readonly onLine: (line: string) => void;
  /** A line that was too long; its content is gone. Called once, when its limit is passed. */
  readonly onTooLong: () => void;
}

/**
 * Cuts a stream of bytes into lines of UTF-8. Each byte is looked at once, however many chunks a line arrives in. They are
 * put together in memory that grows in place and is given back at once: a long line is there twice at the most.
 */
export class LineReader {
  private readonly room: ArrayBuffer;
  private size = 0;
  /** The rest of a line that was too long is being passed over. */
  private skipping = false;

  constructor(private readonly options: LineReaderOptions) {
    this.room = new ArrayBuffer(0, { maxByteLength: options.maxLine });
  }

  /** What it holds of the line that is arriving, and keeps for the next one. */
  get keptBytes(): number {
    return this.room.byteLength;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.keep(chunk.subarray(start, end));
      this.finish();
      start = end + 1;
    }
    if (start < chunk.length) this.keep(chunk.subarray(start));
  }

  /** The stream has ended: what is left is its last line. */
  end(): void {
    if (this.size > 0 || this.skipping) this.finish();
  }

  private keep(piece: Buffer): void {
    if (this.skipping || piece.length === 0) return;
    const size = this.size + piece.length;
    if (size > this.options.maxLine) {
      this.clear();
      this.skipping = true;
      this.options.onTooLong();
      return;
    }
    if (size > this.room.byteLength) this.room.resize(size);
    new Uint8Array(this.room, this.size).set(piece);
    this.size = size;
  }

  private finish(): void {
    const bytes = Buffer.from(this.room, 0, this.size);
    const length = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    const line = bytes.toString('utf8', 0, length);
    this.clear();
    this.skipping = false;
    if (line !== '') this.options.onLine(line);
  }

  private clear(): void {
    this.size = 0;
    if (this.room.byteLength > KEPT_ROOM) this.room.resize(0);
  }
}
