/** Writes the output of a command. */
import pc from 'picocolors';
import type { ProgramLine } from '../../protocol/program-lines';
import { unavailable } from '../base/errors';
import { escapeControls, oneLine, printable } from '../base/text';

const PLAIN_WIDTH = 80;
/** Longer lines are hard to read, however wide the terminal is. */
const WIDEST = 120;

export type Colours = ReturnType<typeof pc.createColors>;

/** Thrown when the reader of the output has gone (`| head`). The command ends, and this is not an error. */
export class ReaderGone extends Error {}

/** The streams of the command line, and what their readers can show. The only writer to standard output. */
export interface Output {
  readonly width: number;
  readonly colours: Colours;
  readonly errorColours: Colours;
  /** A person watches standard error: progress may be shown there. */
  readonly watched: boolean;
  /** Text for people: control characters in it never reach the terminal. @throws ReaderGone */
  text(text: string): Promise<void>;
  /** Our own words, which may be coloured. @throws ReaderGone */
  raw(text: string): Promise<void>;
  json(value: unknown): Promise<void>;
  /** One line on standard error. */
  note(line: string): void;
  error(code: string, message: string): void;
  /** A line on standard error that the next one replaces; '' takes it away. @param percent of the work that is done */
  transient(line: string, percent?: number): void;
}

export interface OutputStreams {
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  /** NO_COLOR is set, or the terminal knows none. */
  readonly noColour: boolean;
  /** A program watches in place of a person: everything on standard error is JSON, line by line (ProgramLine). */
  readonly progressLines?: boolean;
}

export function openOutput({ out, err, noColour, progressLines = false }: OutputStreams): Output {
  let gone = false;
  for (const stream of [out, err]) stream.on('error', () => {});
  const colours = pc.createColors(out.isTTY === true && !noColour);
  const errorColours = pc.createColors(err.isTTY === true && !noColour);
  const watched = err.isTTY === true || progressLines;
  let transient = false;

  function write(text: string): Promise<void> {
    if (gone) return Promise.reject(new ReaderGone());
    return new Promise((resolve, reject) => {
      out.write(text, (error) => {
        if (!error) return resolve();
        gone = true;
        reject(isPipe(error) ? new ReaderGone() : unwritable());
      });
    });
  }
  const tell = (line: ProgramLine): void => void err.write(`${escapeControls(JSON.stringify(line))}\n`);
  function clear(): void {
    if (transient) err.write('\r\u001b[K');
    transient = false;
  }
  return {
    width: Math.min(out.isTTY === true ? out.columns || PLAIN_WIDTH : PLAIN_WIDTH, WIDEST),
    colours,
    errorColours,
    watched,
    text: (text) => write(paint(endLine(printable(text)), colours)),
    raw: (text) => write(text),
    json: (value) => write(`${printableJson(value)}\n`),
    note(line) {
      if (progressLines) return tell({ type: 'note', text: oneLine(line) });
      clear();
      err.write(`${folded(oneLine(line), err)}\n`);
    },
    error(code, message) {
      if (progressLines) return tell({ type: 'error', code, message: oneLine(message) });
      clear();
      const [first = '', ...more] = folded(`${code}: ${oneLine(message)}`, err).split('\n');
      const rest = first.startsWith(`${code}:`) ? errorColours.red(`${code}:`) + first.slice(code.length + 1) : first;
      err.write(`${[rest, ...more].join('\n')}\n`);
    },
    transient(line, percent) {
      if (!watched) return;
      clear();
      if (line === '') return;
      if (progressLines) {
        return tell({ type: 'progress', text: oneLine(line), ...(percent === undefined ? {} : { percent }) });
      }
      err.write(errorColours.dim(oneLine(line)));
      transient = true;
    },
  };
}

/** Ends lines between words on a terminal; what a program reads stays one line. */
function folded(line: string, { isTTY, columns }: NodeJS.WriteStream): string {
  const width = Math.min((isTTY && columns) || Number.POSITIVE_INFINITY, WIDEST);
  if (!isTTY || line.length <= width) return line;
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
}

export function printableJson(value: unknown): string {
  return escapeControls(JSON.stringify(value, null, 2) ?? 'null');
}

/** Makes headings, ids and dates of our Markdown easier to find; bold stands in place of stars. */
function paint(text: string, colours: Colours): string {
  if (!colours.isColorSupported) return text;
  return text
    .replace(/^#{2,3} .*$/gm, (heading) => colours.bold(heading))
    .replace(/^- \[([a-z]{1,2}_[a-z2-7]+)\]/gm, (_, id: string) => `- [${colours.cyan(id)}]`)
    .replace(/^\*\*(.+)\*\*$/gm, (_, line: string) => colours.bold(line))
    .replace(/^\*\*([^*\n]+:)\*\*/gm, (_, label: string) => colours.bold(label));
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function isPipe(error: Error & { code?: string }): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
}

function unwritable(): Error {
  return unavailable(
    'Cannot write to standard output',
    'Check where it is redirected to, and that there is space left',
  );
}
