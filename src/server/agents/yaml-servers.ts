/** Our servers in a YAML file that a person keeps: a list `mcpServers`, in which each has a name. */
import { isMap, isScalar, isSeq, parseDocument, parse as parseYaml, type YAMLMap, type YAMLSeq } from 'yaml';
import { isObject, malformed } from './json-text';
import type { Entry, ServerForm } from './server-forms';

const LIST = 'mcpServers';
/** What such a file has to begin with. */
const HEAD = 'name: Agent Memory\nversion: 0.0.1\nschema: v1\n';

/** Only lines of ours are put in and taken out: comments, order and form of the rest stay. */
export const YAML_FORM: ServerForm = {
  language: 'yaml',
  read,
  write(path, before, entries) {
    const text = withEnd(without(path, before.trim() === '' ? HEAD : before, [...entries.keys()], 'its key stays'));
    const list = listIn(path, text);
    const indent = list?.indent ?? '  ';
    const lines = [...entries].flatMap(([name, entry]) => linesOf(name, entry, indent)).join('');
    const after = list ? text.slice(0, list.end) + lines + text.slice(list.end) : `${text}${LIST}:\n${lines}`;
    return checked(path, before.trim() === '' ? HEAD : before, after, [...entries.keys()]);
  },
  remove(path, before, names) {
    const after = checked(path, before, without(path, before, names), names);
    return after === HEAD ? '' : after;
  },
};

function read(path: string, text: string): ReadonlyMap<string, Entry> {
  const list = settingsIn(path, text)[LIST] ?? [];
  if (!Array.isArray(list)) throw malformed(path, `has "${LIST}" that are no list`);
  return new Map(
    list.map((entry: unknown) => {
      if (!isObject(entry) || typeof entry.name !== 'string') throw malformed(path, 'has a server without a name');
      return [entry.name, entry];
    }),
  );
}

function settingsIn(path: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseYaml(text, { maxAliasCount: 0 }) ?? {};
  } catch {
    throw malformed(path, 'is not valid YAML');
  }
  if (!isObject(value)) throw malformed(path, 'is no YAML of settings');
  return value;
}

interface List {
  readonly seq: YAMLSeq | undefined;
  /** Of the dashes. */
  readonly indent: string;
  /** Where the line of the key begins, and where the last line of the list ends. */
  readonly start: number;
  readonly end: number;
}

/** The list as it stands; undefined where there is none. */
function listIn(path: string, text: string): List | undefined {
  const { contents } = parseDocument(text, { logLevel: 'silent' });
  const pair = isMap(contents) ? contents.items.find(({ key }) => isScalar(key) && key.value === LIST) : undefined;
  if (!pair || !isScalar(pair.key)) return undefined;
  const start = lineStart(text, pair.key.range?.[0] ?? 0);
  const { value } = pair;
  if (value === null || (isScalar(value) && value.value === null)) {
    return { seq: undefined, indent: '  ', start, end: lineEnd(text, pair.key.range?.[1] ?? 0) };
  }
  const [first] = isSeq(value) && !value.flow ? value.items : [];
  const last = isSeq(value) ? value.items.at(-1) : undefined;
  if (!isSeq(value) || !isMap(first) || !isMap(last)) throw unchangeable(path);
  const dash = text.lastIndexOf('-', first.range?.[0] ?? 0);
  return {
    ...{ seq: value, indent: text.slice(lineStart(text, dash), dash), start },
    end: endOf(text, last),
  };
}

/** The end of the last line of an entry; comments and empty lines behind it are not its own. */
function endOf(text: string, { range }: YAMLMap): number {
  const end = range?.[1] ?? text.length;
  const written = text.slice(0, end).trimEnd().length;
  return lineEnd(text, written);
}

/** @param emptied what becomes of a list that holds nothing else */
function without(path: string, text: string, names: readonly string[], emptied?: 'its key stays'): string {
  const list = listIn(path, text);
  if (!list?.seq) return text;
  const ours = list.seq.items.filter((item) => isMap(item) && names.includes(String(item.get('name'))));
  if (ours.length === list.seq.items.length) {
    const [first] = ours;
    const start = emptied && isMap(first) ? lineStart(text, first.range?.[0] ?? 0) : list.start;
    return text.slice(0, start) + text.slice(list.end);
  }
  return ours.reduceRight((rest: string, item) => {
    if (!isMap(item)) return rest;
    const dash = lineStart(rest, item.range?.[0] ?? 0);
    return rest.slice(0, dash) + rest.slice(endOf(rest, item));
  }, text);
}

function linesOf(name: string, { name: _, ...entry }: Entry, indent: string): string[] {
  const fields = Object.entries(entry).map(([field, value]) => `${indent}  ${field}: ${yamlOf(value)}\n`);
  return [`${indent}- name: ${name}\n`, ...fields];
}

function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** Lines are moved about as text: what all others say must be the same as before. */
function checked(path: string, before: string, after: string, names: readonly string[]): string {
  const others = (text: string): string => {
    const { [LIST]: _, ...rest } = settingsIn(path, text);
    return JSON.stringify([rest, [...read(path, text)].filter(([name]) => !names.includes(name))]);
  };
  if (others(before) === others(after)) return after;
  throw unchangeable(path);
}

function unchangeable(path: string): Error {
  return malformed(path, `has its "${LIST}" in a form that cannot be changed without harm`);
}

/** A plain word, or a text in quotes, which YAML shares with JSON. */
function yamlOf(value: unknown): string {
  return typeof value === 'string' && /^[a-z][\w-]*$/.test(value) ? value : JSON.stringify(value);
}
