const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

export interface LineReaderOptions {
  /** In bytes, without the line break. */
  readonly maxLine: number;
  readonly onLine: (line: string) => void;
  /** A line that was too long; its content is gone. Called once, when its limit is passed. */
  readonly onTooLong: () => void;
}

/**
 * Cuts a stream of bytes into lines of UTF-8. Each byte is looked at once and copied at most once, however many chunks
 * a line arrives in: a line of 40 MB costs what 40 MB of short lines cost.
 */
export class LineReader {
  private pieces: Buffer[] = [];
  private size = 0;
  /** The rest of a line that was too long is being passed over. */
  private skipping = false;

  constructor(private readonly options: LineReaderOptions) {}

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
    this.size += piece.length;
    if (this.size > this.options.maxLine) {
      this.pieces = [];
      this.size = 0;
      this.skipping = true;
      this.options.onTooLong();
      return;
    }
    this.pieces.push(piece);
  }

  private finish(): void {
    const { pieces, skipping } = this;
    this.pieces = [];
    this.size = 0;
    this.skipping = false;
    if (skipping) return;
    const [only] = pieces;
    const bytes = pieces.length === 1 && only ? only : Buffer.concat(pieces);
    const length = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    if (length > 0) this.options.onLine(bytes.toString('utf8', 0, length));
  }
}
