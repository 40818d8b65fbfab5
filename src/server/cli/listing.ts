/** Prints an object or a list as aligned text. */
import stringWidth from 'string-width';
import { oneLine } from '../base/text';
import { shownSize } from './shown-size';

const GAP = '  ';
/** A table is only worth it while its text column keeps this many characters. */
const NARROWEST_TEXT = 24;
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}\.\d{3}Z$/;
/** Columns of ids, times and paths, which are never cut: they are for the next command. */
const NO_TEXT = /(^|_)(id|at|until|date|mtime)$|^path$/;

/** A tool's object or list as aligned text for people, no line wider than `width` unless a single word is. */
export function listing(value: unknown, width: number): string {
  if (Array.isArray(value)) return isTable(value) ? table(value, width) : bullets(value, width);
  if (isObject(value)) return fields(value, width).join('\n');
  return scalar(value);
}

type Row = Readonly<Record<string, unknown>>;

function fields(value: Row, width: number): string[] {
  // Names come from files too: the servers of a .mcp.json.
  const entries = Object.entries(value).map(([name, field]) => readable(oneLine(name), field));
  const label = Math.max(0, ...entries.map(([name]) => stringWidth(name)));
  const indent = ' '.repeat(label) + GAP;
  return entries.flatMap(([name, field]) => {
    const head = padEnd(name, label) + GAP;
    if (isTable(field) && field.length > 0) return [name, ...inset(table(field, width - GAP.length))];
    if (isObject(field) && Object.keys(field).length > 0) return [name, ...inset(fields(field, width - GAP.length))];
    const text = Array.isArray(field) ? field.map(scalar).join(', ') || 'none' : scalar(field);
    return wrap(text, width - indent.length).map((line, i) => (i === 0 ? head : indent) + line);
  });
}

/** Sizes of files are for people. */
function readable(name: string, field: unknown): readonly [string, unknown] {
  if (typeof field !== 'number' || !name.endsWith('_bytes')) return [name, field];
  return [name.slice(0, -'_bytes'.length), shownSize(field)];
}

function inset(lines: string | readonly string[]): string[] {
  return (typeof lines === 'string' ? lines.split('\n') : [...lines]).map((line) => GAP + line);
}

/**
 * Columns side by side, the one with the longest text last and cut where the line ends; when that would leave it
 * nothing, it gets a line of its own under each row.
 */
function table(rows: readonly Row[], width: number): string {
  if (rows.length === 0) return 'none';
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => new Map(names.map((name) => [name, cell(row[name])])));
  const widths = new Map(
    names.map((name) => [name, Math.max(stringWidth(name), ...cells.map((row) => stringWidth(row.get(name) ?? '')))]),
  );
  const widthOf = (name: string): number => widths.get(name) ?? 0;
  const numeric = (name: string): boolean => rows.every((row) => typeof row[name] === 'number');
  const texts = names.filter((name) => !numeric(name) && !NO_TEXT.test(name));
  const long = (texts.length > 0 ? texts : names).reduce((a, b) => (widthOf(b) > widthOf(a) ? b : a));
  const others = names.filter((name) => name !== long);
  const taken = others.reduce((sum, name) => sum + widthOf(name) + GAP.length, 0);
  if (taken > width) return rows.map((row) => fields(row, width).join('\n')).join('\n\n');

  const fitted = (text: string, room: number): string => (texts.length > 0 ? fit(text, room) : text);
  const beside = width - taken >= Math.min(widthOf(long), texts.length > 0 ? NARROWEST_TEXT : Infinity);
  const line = (of: (name: string) => string): string =>
    others.map((name) => (numeric(name) ? padStart : padEnd)(of(name), widthOf(name))).join(GAP);
  const gap = others.length === 0 ? '' : GAP;
  const lines = [beside ? `${line((name) => name)}${gap}${long}` : line((name) => name)];
  for (const row of cells) {
    const text = row.get(long) ?? '';
    const head = line((name) => row.get(name) ?? '');
    if (beside) lines.push(`${head}${gap}${fitted(text, width - taken)}`);
    else lines.push(head, `${GAP}${fitted(text, width - GAP.length)}`);
  }
  return lines.map((one) => one.trimEnd()).join('\n');
}

function bullets(values: readonly unknown[], width: number): string {
  if (values.length === 0) return 'none';
  return values
    .map((value) => {
      const text = isObject(value) ? fields(value, width - GAP.length) : wrap(scalar(value), width - GAP.length);
      return text.map((line, i) => (i === 0 ? '- ' : GAP) + line).join('\n');
    })
    .join('\n');
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.map(scalar).join(', ');
  const text = scalar(value);
  const time = TIMESTAMP.exec(text);
  return time ? `${time[1]} ${time[2]}` : text;
}

function scalar(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return oneLine(value);
  return typeof value === 'number' ? String(value) : oneLine(JSON.stringify(value) ?? '');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && stringWidth(line) + 1 + stringWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** As people count them: an emoji of many code points is one. */
const CHARACTERS = new Intl.Segmenter();

function fit(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let end = 0;
  let left = width - 1; // for the ellipsis
  for (const { segment } of CHARACTERS.segment(text)) {
    left -= stringWidth(segment);
    if (left < 0) break;
    end += segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - stringWidth(text))) + text;
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTable(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every(isObject);
}
