/** Our entries in the text of a file of hooks: put in, brought up to date, taken out. */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'jsonc-parser/lib/esm/main.js';
import { appendItem, removeValue, setValue } from './edit-json';
import { HOST_FILES, type HookCall, type HookHost } from './hook-hosts';
import { isObject, malformed, readObject } from './json-text';

/** How an entry of ours is known again, whatever installation wrote it. */
const OURS = /\bsvc-memory(?:\.js)?["']? hook [a-z-]+\b/;

/** Entries of others, comments and order stay. @throws SvcError invalid_input when the text is no file of hooks */
export function withHooks(host: HookHost, path: string, before: string, call: HookCall): string {
  const file = HOST_FILES[host];
  const value = readHooks(host, path, before);
  let text = before.trim() === '' ? '{}\n' : before;
  if (file.version && !('version' in value)) text = setValue(text, ['version'], file.version);
  for (const hook of file.hooks) text = withEntry(text, hook.on, file.entry(call, hook));
  return text;
}

/** @throws SvcError as withHooks */
export function withoutHooks(host: HookHost, path: string, before: string): string {
  readHooks(host, path, before);
  return HOST_FILES[host].hooks.reduce((text, { on }) => withoutEntries(text, on), before);
}

function readHooks(host: HookHost, path: string, text: string): Readonly<Record<string, unknown>> {
  const value = readObject(path, text);
  const hooks = value.hooks ?? {};
  if (!isObject(hooks)) throw malformed(path, 'has "hooks" that are no object');
  for (const { on: event } of HOST_FILES[host].hooks) {
    if (hooks[event] !== undefined && !Array.isArray(hooks[event]))
      throw malformed(path, `has a "${event}" that is not a list`);
  }
  return value;
}

/** The text with our entry for the event: kept, replaced where it is another one, or added as the last. */
function withEntry(text: string, event: string, entry: object): string {
  const list = entriesOf(text, event);
  if (!list) return setValue(text, ['hooks', event], [entry]);
  const own = list.filter(isOurs);
  if (own.length === 1 && isDeepStrictEqual(own[0], entry)) return text;
  const others = withoutEntries(text, event);
  return entriesOf(others, event)
    ? appendItem(others, ['hooks', event], entry)
    : setValue(others, ['hooks', event], [entry]);
}

function withoutEntries(text: string, event: string): string {
  let rest = text;
  for (;;) {
    const list = entriesOf(rest, event);
    const at = list?.findIndex(isOurs) ?? -1;
    if (!list || at < 0) return rest;
    const path = list.length > 1 ? ['hooks', event, at] : ['hooks', event];
    rest = removeValue(rest, path);
    const hooks = hooksOf(rest);
    if (hooks && Object.keys(hooks).length === 0) rest = removeValue(rest, ['hooks']);
  }
}

function entriesOf(text: string, event: string): readonly unknown[] | undefined {
  const list = hooksOf(text)?.[event];
  return Array.isArray(list) ? list : undefined;
}

function hooksOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const value: unknown = text.trim() === '' ? undefined : parse(text, [], { allowTrailingComma: true });
  return isObject(value) && isObject(value.hooks) ? value.hooks : undefined;
}

/** Whether every command of an entry is ours. If a user added one, the entry is theirs as well. */
function isOurs(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  if (Array.isArray(entry.hooks)) return entry.hooks.length > 0 && entry.hooks.every(isOurs);
  return typeof entry.command === 'string' && OURS.test(entry.command);
}
