import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import { invalidInput, unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import { replaceFile } from './client-config';
import { appendItem, removeValue, setValue } from './edit-json';
import { lastingFolders, resolveCommand } from './resolve-command';

/**
 * Hooks are commands that an agent's host runs at fixed moments, with JSON on standard input and on standard output.
 * Where they are configured, as of November 2026:
 * - VS Code, the Copilot CLI and Copilot's cloud agent read `.github/hooks/*.json`: `{ version: 1, hooks: { <Event>:
 *   [{ type: 'command', … }] } }`. VS Code runs `command` and stops it after `timeout` seconds; the others run `bash` or
 *   `powershell` and know `timeoutSec`. Event names in PascalCase mean the same fields in all of them.
 * - Claude Code reads `.claude/settings.json`: `{ hooks: { <Event>: [{ matcher?, hooks: [{ type: 'command', command,
 *   timeout }] }] } }`.
 * What the command answers stands in cli/commands/hook.
 */
const GITHUB = join('.github', 'hooks', 'svc-memory.json');
const CLAUDE = join('.claude', 'settings.json');

const EVENTS = { SessionStart: 'session-start', Stop: 'stop' } as const;
const TIMEOUT_SECONDS = 10;
/** How an entry of ours is known again, whatever installation wrote it. */
const OURS = /\bsvc-memory(?:\.js)?["']? hook (?:session-start|stop)\b/;

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

/**
 * Merges our hooks into both files. Entries of others, comments and order stay; ours are brought up to date.
 * @throws SvcError invalid_input when a file is malformed (both are left as they are), unavailable when one cannot be
 * written
 */
export async function installHooks(program: HookProgram): Promise<AgentFile[]> {
  const github = await readConfig(join(program.root, GITHUB));
  const claude = await readConfig(join(program.root, CLAUDE));
  const call = commandOf(program);
  let [githubText, claudeText] = [textOf(github), textOf(claude)];
  if (!isObject(github.value) || !('version' in github.value)) githubText = setValue(githubText, ['version'], 1);
  for (const [event, argument] of Object.entries(EVENTS)) {
    const command = `${call.command} hook ${argument}`;
    githubText = withEntry(githubText, event, {
      type: 'command',
      ...{ command, bash: command, powershell: call.quoted ? `& ${command}` : command },
      ...(call.env ? { env: call.env } : {}),
      ...{ timeout: TIMEOUT_SECONDS, timeoutSec: TIMEOUT_SECONDS },
    });
    const variables = Object.entries(call.env ?? {}).map(([name, value]) => `${name}=${value} `);
    claudeText = withEntry(claudeText, event, {
      hooks: [{ type: 'command', command: `${variables.join('')}${command}`, timeout: TIMEOUT_SECONDS }],
    });
  }
  return [await write(github, githubText), await write(claude, claudeText)];
}

/** Takes our entries out of both files, and a file away that held nothing else. @throws SvcError as installHooks */
export async function removeHooks(root: string): Promise<AgentFile[]> {
  const configs = [await readConfig(join(root, GITHUB)), await readConfig(join(root, CLAUDE))];
  const done: AgentFile[] = [];
  for (const config of configs) {
    let text = config.text;
    for (const event of Object.keys(EVENTS)) text = withoutEntries(text, event);
    if (text === config.text) done.push({ path: config.path, outcome: config.text === '' ? 'missing' : 'kept' });
    else if (holdsNothing(text)) done.push(await takeAway(config.path));
    else done.push({ ...(await write(config, text)), outcome: 'removed' });
  }
  return done;
}

interface Call {
  readonly command: string;
  readonly quoted: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** By the bare command where it is found on PATH, else by Node and the file of this installation. */
function commandOf({ root, programs, node, searchPath }: HookProgram): Call {
  const lasting = lastingFolders(searchPath);
  if (resolveCommand('svc-memory', root, lasting) !== undefined) return { command: 'svc-memory', quoted: false };
  const program = `"${join(programs, 'svc-memory.js')}"`;
  if (resolveCommand('node', root, lasting) !== undefined) return { command: `node ${program}`, quoted: false };
  // An editor's own executable is a Node only when it is told so.
  return { command: `"${node}" ${program}`, quoted: true, env: { ELECTRON_RUN_AS_NODE: '1' } };
}

interface Config {
  readonly path: string;
  /** The byte order mark that it begins with, if it does. */
  readonly mark: string;
  /** '' when there is no file. */
  readonly text: string;
  readonly value: unknown;
}

async function readConfig(path: string): Promise<Config> {
  if (!existsSync(path)) return { path, mark: '', text: '', value: undefined };
  const raw = await readFile(path, 'utf8').catch(() => {
    throw unavailable(`${shownPath(path)} cannot be read`, 'Give this user the right to read it');
  });
  const mark = raw.startsWith('\ufeff') ? '\ufeff' : '';
  const text = raw.slice(mark.length);
  if (text.trim() === '') return { path, mark, text, value: undefined };
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) throw malformed(path, `is not valid JSON (${printParseErrorCode(first.error)})`);
  if (!isObject(value)) throw malformed(path, 'is no JSON object');
  const hooks = value.hooks ?? {};
  if (!isObject(hooks)) throw malformed(path, 'has "hooks" that are no object');
  for (const event of Object.keys(EVENTS)) {
    if (hooks[event] !== undefined && !Array.isArray(hooks[event]))
      throw malformed(path, `has a "${event}" that is no list`);
  }
  return { path, mark, text, value };
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

/** An entry whose every command is ours; one that somebody added a command to is theirs, too. */
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

async function write(config: Config, text: string): Promise<AgentFile> {
  if (text === config.text) return { path: config.path, outcome: 'kept' };
  await mkdir(dirname(config.path), { recursive: true }).catch(() => undefined);
  await replaceFile(config.path, config.mark + text);
  return { path: config.path, outcome: 'written' };
}

/** With the folder, when it was the only file there. */
async function takeAway(path: string): Promise<AgentFile> {
  await rm(path).catch(() => {
    throw unavailable(`${shownPath(path)} cannot be removed`, 'Give this user the right to write its folder');
  });
  await rmdir(dirname(path)).catch(() => undefined);
  return { path, outcome: 'removed' };
}

function malformed(path: string, how: string): Error {
  return invalidInput(`${shownPath(path)} ${how}`, 'It was left untouched. Repair it and try again');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
