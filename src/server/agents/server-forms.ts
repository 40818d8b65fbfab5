/** The forms in which hosts of agents keep their servers. */
import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import { cut, oneLine } from '../base/text';
import { removeValue, setValue } from './edit-json';
import { isObject, malformed, readObject } from './json-text';
import { tableOf, withoutTable } from './toml-tables';

export type Entry = Readonly<Record<string, unknown>>;
/** By the name of the server. */
export type Entries = ReadonlyMap<string, Entry>;

export interface ServerForm {
  readonly language: 'json' | 'toml' | 'yaml';
  /** @throws SvcError invalid_input when the text has another form */
  read(path: string, text: string): Entries;
  /** Everything else in the text stays as it is. @param text that `read` has read @throws SvcError as `read` */
  write(path: string, text: string, entries: Entries): string;
  /** Takes these servers out. @throws SvcError as `read` */
  remove(path: string, text: string, names: readonly string[]): string;
}

/** An object of servers, at this path of a JSON object with comments. */
export function jsonForm(...at: readonly string[]): ServerForm {
  const read = (path: string, text: string): Entries => {
    let found = readObject(path, text);
    for (const key of at) {
      const inner = found[key] ?? {};
      if (!isObject(inner)) throw malformed(path, `has a "${key}" that is not an object`);
      found = inner;
    }
    return entriesOf(path, found);
  };
  return {
    language: 'json',
    read,
    write(path, before, entries) {
      const present = read(path, before);
      let text = before.trim() === '' ? '{}\n' : before;
      for (const [name, fields] of entries) {
        const there = present.get(name);
        if (!there) text = setValue(text, [...at, name], fields);
        // Field by field, so that what else an entry holds stays as it is.
        for (const [field, value] of Object.entries(there ? fields : {})) {
          if (!isDeepStrictEqual(there?.[field], value)) text = setValue(text, [...at, name, field], value);
        }
      }
      return text;
    },
    remove(path, before, names) {
      let text = before;
      for (const name of names) text = removeValue(text, [...at, name]);
      for (let depth = at.length; depth > 0 && text !== before; depth--) {
        if (jsonForm(...at.slice(0, depth)).read(path, text).size > 0) break;
        text = removeValue(text, at.slice(0, depth));
      }
      return text;
    },
  };
}

/** A table for each server, below this one. */
export function tomlForm(at: string): ServerForm {
  const read = (path: string, text: string): Entries => {
    const found = readToml(path, text)[at] ?? {};
    if (!isObject(found)) throw malformed(path, `has a "${at}" that is no table`);
    return entriesOf(path, found);
  };
  const remove: ServerForm['remove'] = (path, text, names) => {
    const rest = names.reduce((left, name) => withoutTable(left, `${at}.${name}`), text);
    return checked(path, text, rest, at, names);
  };
  return {
    language: 'toml',
    read,
    remove,
    write(path, before, entries) {
      const names = [...entries.keys()];
      const present = read(path, before);
      let text = remove(
        path,
        before,
        names.filter((name) => present.has(name)),
      );
      const eol = text.includes('\r\n') ? '\r\n' : '\n';
      for (const [name, entry] of entries) {
        const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
        text += gap + tableOf(`${at}.${name}`, entry).join(eol) + eol;
      }
      return checked(path, before, text, at, names);
    },
  };
}

function entriesOf(path: string, servers: Readonly<Record<string, unknown>>): Entries {
  return new Map(
    Object.entries(servers).map(([name, entry]) => {
      if (!isObject(entry)) throw malformed(path, `has a server ${cut(oneLine(name), 60)} that is not an object`);
      return [name, entry];
    }),
  );
}

function readToml(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return parseToml(text);
  } catch {
    throw malformed(path, 'is not valid TOML');
  }
}

/** Tables are moved about as text: what all others say must be the same as before. */
function checked(path: string, before: string, after: string, at: string, names: readonly string[]): string {
  const others = (text: string): string => {
    const { [at]: tables, ...rest } = readToml(path, text);
    const left = Object.entries(isObject(tables) ? tables : {}).filter(([name]) => !names.includes(name));
    return JSON.stringify([rest, left]);
  };
  if (others(before) === others(after)) return after;
  throw malformed(path, `has its "${at}" in a form that cannot be changed without harm`);
}
