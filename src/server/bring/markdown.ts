/** Takes the Markdown of notes apart. Pure, and quick whatever the text: it is a stranger's. */

import { oneLine } from '../base/text';

/** Loaded when there is a page with fields: a hook that reads none is waited for. */
type Yaml = typeof import('yaml');

/** What stands under a heading, without what stands under the headings in it. */
export interface Part {
  /** 1 to 6; 0 for what stands before the first heading. */
  readonly depth: number;
  readonly title: string;
  /** The titles above it, the outermost first. */
  readonly above: readonly string[];
  readonly body: string;
}

export interface Page {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A longer one is no list of fields, and is left as text. */
const MAX_FRONT_MATTER = 10_000;
const MAX_TITLE = 300;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const FENCE = /^ {0,3}(```+|~~~+)/;

/** Parts the fields at the top of a page from what follows. */
export function pageOf(text: string): Page {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const whole = text.slice(start);
  if (!whole.startsWith('---\n')) return { fields: {}, body: whole };
  const end = whole.slice(0, MAX_FRONT_MATTER).search(/\n(?:---|\.\.\.)[ \t]*(?:\n|$)/);
  if (end < 0) return { fields: {}, body: whole };
  const body = whole.slice(whole.indexOf('\n', end + 1) + 1 || whole.length);
  return { fields: fieldsOf(whole.slice(4, Math.max(4, end + 1))), body };
}

/** Aliases could make a short text very large, so that there are none. */
function fieldsOf(yaml: string): Readonly<Record<string, unknown>> {
  try {
    const { parseDocument } = require('yaml') as Yaml;
    const value: unknown = parseDocument(yaml, { schema: 'core', logLevel: 'silent' }).toJS({ maxAliasCount: 0 });
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : plainFields(yaml);
  } catch {
    return plainFields(yaml);
  }
}

/** `globs: *.ts` is no YAML, and common. */
function plainFields(yaml: string): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const line of yaml.split('\n')) {
    const [, name, value] = /^([A-Za-z][\w-]*):[ \t]*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields[name] = value.trim();
  }
  return fields;
}

/** A field as text; undefined where it is none. Dates stay as they are written. */
export function fieldText({ fields }: Page, name: string): string | undefined {
  const value = fields[name];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}

/** A field as a list: of texts, or of what stands between commas. */
export function fieldList({ fields }: Page, name: string): string[] {
  const value = fields[name];
  const list: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return list.flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []));
}

/** Cuts a page at its headings; those in code are none. */
export function partsOf(body: string): Part[] {
  const lines = body.split('\n');
  const code = linesOfCode(lines);
  const parts: { depth: number; title: string; above: string[]; lines: string[] }[] = [];
  let open: { depth: number; title: string }[] = [];
  let last = { depth: 0, title: '', above: [] as string[], lines: [] as string[] };
  parts.push(last);
  for (const [i, line] of lines.entries()) {
    const [, marks, words] = code.has(i) ? [] : (HEADING.exec(line) ?? []);
    if (marks === undefined) {
      last.lines.push(line);
      continue;
    }
    const title = oneLine((words ?? '').slice(0, MAX_TITLE).replace(/[ \t]+#+[ \t]*$/, ''));
    open = open.filter(({ depth }) => depth < marks.length);
    last = { depth: marks.length, title, above: open.map((one) => one.title), lines: [] };
    open.push({ depth: marks.length, title });
    parts.push(last);
  }
  return parts.map(({ lines: own, ...part }) => ({ ...part, body: trimLines(own.join('\n')) }));
}

/** The numbers of the lines between two fences. A fence that nothing closes is text. */
export function linesOfCode(lines: readonly string[]): Set<number> {
  const inside = new Set<number>();
  let opened: { mark: string; at: number } | undefined;
  for (const [i, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (mark === undefined) continue;
    if (!opened) opened = { mark, at: i };
    else if (mark[0] === opened.mark[0] && mark.length >= opened.mark.length) {
      for (let at = opened.at; at <= i; at++) inside.add(at);
      opened = undefined;
    }
  }
  return inside;
}

/** Without blank lines around it. */
export function trimLines(text: string): string {
  const lines = text.split('\n');
  let start = 0;
  let end = lines.length;
  while (start < end && (lines[start] ?? '').trim() === '') start++;
  while (end > start && (lines[end - 1] ?? '').trim() === '') end--;
  return lines.slice(start, end).join('\n');
}

/** What people do not see: comments, which are also where somebody could hide what an agent is to obey. */
export function withoutComments(text: string): string {
  const pieces: string[] = [];
  for (let at = 0; ; ) {
    const start = text.indexOf('<!--', at);
    if (start < 0) return pieces.join('') + text.slice(at);
    pieces.push(text.slice(at, start));
    const end = text.indexOf('-->', start);
    if (end < 0) return pieces.join('');
    at = end + 3;
  }
}

const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/;

/** Where a link leads to, which is no statement. */
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]/;

/** The statements of a text: each item of a list with what is indented under it, each paragraph, with the code after it. */
export function statementsOf(text: string): string[] {
  const lines = withoutComments(text).split('\n');
  const code = linesOfCode(lines);
  const found: string[] = [];
  let open: string[] = [];
  const close = (): void => {
    const statement = trimLines(open.join('\n'));
    if (statement !== '') found.push(statement);
    open = [];
  };
  let afterBlank = false;
  for (const [i, line] of lines.entries()) {
    if (!code.has(i) && DEFINITION.test(line)) continue;
    const item = code.has(i) ? undefined : ITEM.exec(line)?.[1];
    const isBlank = line.trim() === '';
    const belongs = code.has(i) || /^[ \t]/.test(line);
    if (item !== undefined) close();
    else if (afterBlank && !isBlank && !belongs) close();
    open.push(item ?? line);
    afterBlank = isBlank && !code.has(i);
  }
  close();
  return found;
}

/** What stands in backticks and looks like code or a path. */
export function codeIn(text: string): string[] {
  const found = new Set<string>();
  for (const [, code = ''] of text.matchAll(/`([^`\n]+)`/g)) {
    if (code.length <= LONGEST_NAME && MEANS_CODE.test(code)) found.add(code);
  }
  return [...found];
}

const LONGEST_NAME = 100;

/**
 * A path, `name()`, `some.thing`, or a name that no sentence has: with an underscore or with a capital behind another
 * letter. A single word in small letters may be a value or a command as well.
 */
const MEANS_CODE = new RegExp(
  `^(?:${[
    /[\w@.-]+(?:\/[\w@.-]+)+(?:#[\w.]+)?/,
    /[\w-]+\.[a-z]{1,4}/,
    /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+(?:\(\))?/,
    /[A-Za-z_$][\w$]*\(\)/,
    /_*[a-z]+[A-Z]\w*/,
    // Not `URLs`.
    /_*[A-Z](?:[a-z]+[A-Z]|[A-Z]+[a-z]\w)\w*/,
    /_+[A-Za-z]\w+/,
    // Not `NODE_ENV`.
    /(?=[A-Z0-9_]*[a-z])[A-Za-z][A-Za-z0-9]*_\w+/,
  ]
    .map(({ source }) => source)
    .join('|')})$`,
);
