import { existsSync, realpathSync } from 'node:fs';
import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import { invalidInput, unavailable } from '../base/errors';
import { cut, oneLine, shownPath } from '../base/text';
import { setValue } from './edit-json';
import { gitRoot, type StorePlace, type Surroundings } from './locate';
import { resolveCommand } from './resolve-command';

/** `.mcp.json`: the file in a project's root that tells MCP clients which servers to start. */
export const CLIENT_CONFIG = '.mcp.json';

export interface ClientConfig {
  readonly path: string;
  /** As it lies on the disk, without a byte order mark; '' when there is no file. */
  readonly text: string;
  readonly mark: string;
  readonly servers: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** The folder whose `.mcp.json` belongs to the store. */
export function clientRoot(place: StorePlace, around: Surroundings): string {
  return place.root ?? gitRoot(around.cwd) ?? around.cwd;
}

/** @throws SvcError invalid_input when it is malformed, unavailable when it cannot be read */
export async function readClientConfig(root: string): Promise<ClientConfig> {
  const path = join(root, CLIENT_CONFIG);
  let raw = '';
  try {
    if (existsSync(path)) raw = await readFile(path, 'utf8');
  } catch {
    throw unavailable(`${shownPath(path)} cannot be read`, 'Give this user the right to read it');
  }
  const mark = raw.startsWith('\ufeff') ? '\ufeff' : '';
  const text = raw.slice(mark.length);
  return { path, text, mark, servers: serversOf(path, text) };
}

/** Writes the entries into the text, which keeps its comments, its order and its indentation. */
export async function writeServers(
  config: ClientConfig,
  entries: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): Promise<void> {
  let text = config.text.trim() === '' ? '{}\n' : config.text;
  for (const [name, fields] of entries) {
    const path = ['mcpServers', name];
    // Field by field, so that what else an entry holds stays as it is.
    if (config.servers.has(name)) {
      for (const [field, value] of Object.entries(fields)) text = setValue(text, [...path, field], value);
    } else text = setValue(text, path, fields);
  }
  await replaceFile(config.path, config.mark + text);
}

/** What is wrong with starting the server of this entry; undefined when nothing is, or when it is not started here. */
export function deadEntry(
  entry: Readonly<Record<string, unknown>>,
  root: string,
  searchPath: readonly string[],
): string | undefined {
  const { command, args } = entry;
  // Other entries name a URL; variables are the client's to fill in.
  if (typeof command !== 'string' || command.includes('${')) return undefined;
  if (resolveCommand(command, root, searchPath) === undefined) {
    return `its command ${cut(oneLine(command), 200)} is not found`;
  }
  const program: unknown = Array.isArray(args) ? args[0] : undefined;
  if (typeof program === 'string' && isAbsolute(program) && /\.[cm]?js$/.test(program) && !existsSync(program)) {
    return `its program ${cut(oneLine(program), 200)} does not exist`;
  }
  return undefined;
}

function serversOf(path: string, text: string): ClientConfig['servers'] {
  if (text.trim() === '') return new Map();
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw malformed(path, `is not valid JSON (${printParseErrorCode(first.error)} in line ${line})`);
  }
  if (!isObject(value)) throw malformed(path, 'is no JSON object');
  const servers = value.mcpServers ?? {};
  if (!isObject(servers)) throw malformed(path, 'has a "mcpServers" that is no object');
  return new Map(
    Object.entries(servers).map(([name, entry]) => {
      if (!isObject(entry)) throw malformed(path, `has a server ${cut(oneLine(name), 60)} that is no object`);
      return [name, entry];
    }),
  );
}

function malformed(path: string, how: string): Error {
  return invalidInput(`${shownPath(path)} ${how}`, 'It was left untouched. Repair it and try again');
}

/** All of the new text or all of the old, through a file beside it; a link stays a link, the rights stay. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const target = existsSync(path) ? realpathSync(path) : path;
  const draft = `${target}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text);
    if (existsSync(target)) await chmod(draft, (await stat(target)).mode);
    await rename(draft, target);
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
    throw unavailable(`${shownPath(path)} cannot be written`, 'Give this user the right to write it and its folder');
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
