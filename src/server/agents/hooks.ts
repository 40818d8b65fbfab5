/** Writes our hooks into the configuration of agents, and removes them. */
import { existsSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import { invalidInput } from '../base/errors';
import { lastingFolders, resolveCommand } from '../base/executables';
import { readIfThere } from '../base/regular-file';
import { refuseLinks, removeFile, replaceFile } from '../base/replace-file';
import { shownPath } from '../base/text';
import { MAX_AGENT_FILE_BYTES } from './client-config';
import { appendItem, removeValue, setValue } from './edit-json';
import { HOOK_HOSTS, HOST_FILES, type HookCall, type HookHost, type HostFile } from './hook-hosts';

/** How an entry of ours is known again, whatever installation wrote it. */
const OURS = /\bsvc-memory(?:\.js)?["']? hook [a-z-]+\b/;

export interface HookProgram {
  readonly root: string;
  /** The folder of the built programs. */
  readonly programs: string;
  readonly node: string;
  readonly searchPath: readonly string[];
}

export interface AgentFile {
  readonly path: string;
  readonly outcome: 'written' | 'kept' | 'removed' | 'missing';
}

/** Both of these are read by many, so they are written where no host is named. */
const USUAL: readonly HookHost[] = ['vscode', 'claude'];

/** The hosts whose hooks are installed where none is named: the usual ones, and those that the project has a folder of. */
function hostsOf(root: string): HookHost[] {
  return HOOK_HOSTS.filter((host) => USUAL.includes(host) || existsSync(join(root, dirname(HOST_FILES[host].path))));
}

/**
 * Merges our hooks into the files of these hosts. Entries of others, comments and order stay; ours are brought up to date.
 * @throws SvcError invalid_input when a file is malformed or a link (all are left as they are), unavailable when one
 * cannot be written
 */
export function installHooks(program: HookProgram, hosts: readonly HookHost[] = hostsOf(program.root)): AgentFile[] {
  const call = commandOf(program);
  const changes = hosts.map((host) => {
    const file = HOST_FILES[host];
    const config = readConfig(program.root, file);
    let text = textOf(config);
    if (file.version && (!isObject(config.value) || !('version' in config.value))) {
      text = setValue(text, ['version'], file.version);
    }
    for (const hook of file.hooks) text = withEntry(text, hook.on, file.entry(call, hook));
    return { config, text };
  });
  return writeAll(changes);
}

/** Takes our entries out of all files, and a file away that held nothing else. @throws SvcError as installHooks */
export function removeHooks(root: string, hosts: readonly HookHost[] = hostsOf(root)): AgentFile[] {
  const changes = hosts.map((host) => {
    const config = readConfig(root, HOST_FILES[host]);
    let text = config.text;
    for (const { on } of HOST_FILES[host].hooks) text = withoutEntries(text, on);
    return { config, text };
  });
  return writeAll(changes).map((file, i) => {
    if (file.outcome === 'written') return { ...file, outcome: 'removed' };
    return changes[i]?.text === '' ? { ...file, outcome: 'missing' } : file;
  });
}

/** By the bare command where it is found on PATH, else by Node and the file of this installation. */
function commandOf({ root, programs, node, searchPath }: HookProgram): HookCall {
  const lasting = lastingFolders(searchPath);
  if (resolveCommand('svc-memory', root, lasting) !== undefined) return { command: 'svc-memory', quoted: false };
  const program = `"${join(programs, 'svc-memory.js')}"`;
  if (resolveCommand('node', root, lasting) !== undefined) return { command: `node ${program}`, quoted: false };
  // An editor's executable acts as Node only with ELECTRON_RUN_AS_NODE.
  return { command: `"${node}" ${program}`, quoted: true, env: { ELECTRON_RUN_AS_NODE: '1' } };
}

interface Config {
  readonly root: string;
  readonly path: string;
  /** The byte order mark that it begins with, if it does. */
  readonly mark: string;
  /** '' when there is no file. */
  readonly text: string;
  readonly value: unknown;
}

function readConfig(root: string, file: HostFile): Config {
  const path = join(root, file.path);
  const raw = readIfThere(path, { max: MAX_AGENT_FILE_BYTES, links: { inside: root } })?.toString('utf8') ?? '';
  const mark = raw.startsWith('\ufeff') ? '\ufeff' : '';
  const text = raw.slice(mark.length);
  if (text.trim() === '') return { root, path, mark, text, value: undefined };
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) throw malformed(path, `is not valid JSON (${printParseErrorCode(first.error)})`);
  if (!isObject(value)) throw malformed(path, 'is not a JSON object');
  const hooks = value.hooks ?? {};
  if (!isObject(hooks)) throw malformed(path, 'has "hooks" that are no object');
  for (const { on: event } of file.hooks) {
    if (hooks[event] !== undefined && !Array.isArray(hooks[event]))
      throw malformed(path, `has a "${event}" that is not a list`);
  }
  return { root, path, mark, text, value };
}

function textOf({ text }: Config): string {
  return text.trim() === '' ? '{}\n' : text;
}

/** The text with our entry for the event: kept, replaced where it is another one, or added as the last. */
function withEntry(text: string, event: string, entry: object): string {
  const list = entriesOf(text, event);
  if (!list) return setValue(text, ['hooks', event], [entry]);
  const own = list.filter(isOurs);
  if (own.length === 1 && JSON.stringify(own[0]) === JSON.stringify(entry)) return text;
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

function hooksOf(text: string): Record<string, unknown> | undefined {
  const value: unknown = text.trim() === '' ? undefined : parse(text, [], { allowTrailingComma: true });
  return isObject(value) && isObject(value.hooks) ? value.hooks : undefined;
}

/** Whether every command of an entry is ours. If a user added one, the entry is theirs as well. */
function isOurs(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  if (Array.isArray(entry.hooks)) return entry.hooks.length > 0 && entry.hooks.every(isOurs);
  return typeof entry.command === 'string' && OURS.test(entry.command);
}

/** Nothing but what an installation writes, and no comment. */
function holdsNothing(text: string): boolean {
  const compact = text.replaceAll(/\s+/g, '');
  return compact === '{}' || compact === '{"version":1}';
}

interface Change {
  readonly config: Config;
  readonly text: string;
}

/** All of them or, where one is a link, none. A file that holds nothing any more is taken away. */
function writeAll(changes: readonly Change[]): AgentFile[] {
  for (const { config, text } of changes) if (text !== config.text) refuseLinks(config.root, config.path);
  return changes.map(({ config, text }) => {
    const { root, path, mark } = config;
    if (text === config.text) return { path, outcome: 'kept' };
    if (holdsNothing(text)) takeAway(root, path);
    else replaceFile(root, path, mark + text);
    return { path, outcome: 'written' };
  });
}

/** With the folder, when it was the only file there. */
function takeAway(root: string, path: string): void {
  removeFile(root, path);
  try {
    rmdirSync(dirname(path));
  } catch {
    // Others have files in it.
  }
}

function malformed(path: string, how: string): Error {
  return invalidInput(`${shownPath(path)} ${how}`, 'It was left untouched. Repair it and try again');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
