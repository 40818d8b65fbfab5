/** Reads `.mcp.json`. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import { invalidInput } from '../base/errors';
import { resolveCommand } from '../base/executables';
import { gitRoot } from '../base/paths';
import { readIfThere } from '../base/regular-file';
import { replaceFile } from '../base/replace-file';
import { cut, oneLine, shownPath } from '../base/text';
import { setValue } from './edit-json';

/** `.mcp.json`: the file in a project's root that tells MCP clients which servers to start. */
export const CLIENT_CONFIG = '.mcp.json';

/** Of a file of settings, and of a text that people write for agents. */
export const MAX_AGENT_FILE_BYTES = 1_000_000;

export interface ClientConfig {
  readonly root: string;
  readonly path: string;
  /** The text of the file, without a byte order mark; '' when there is no file. */
  readonly text: string;
  readonly mark: string;
  readonly servers: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** The folder whose `.mcp.json` belongs to the store. */
export function clientRoot(root: string | undefined, cwd: string): string {
  return root ?? gitRoot(cwd) ?? cwd;
}

/** @throws SvcError invalid_input when it is malformed or no file of the project, unavailable when it cannot be read */
export function readClientConfig(root: string): ClientConfig {
  const path = join(root, CLIENT_CONFIG);
  const bytes = readIfThere(path, { max: MAX_AGENT_FILE_BYTES, links: { inside: root } });
  const raw = bytes?.toString('utf8') ?? '';
  const mark = raw.startsWith('\ufeff') ? '\ufeff' : '';
  const text = raw.slice(mark.length);
  return { root, path, text, mark, servers: serversOf(path, text) };
}

/**
 * Writes the entries into the text, which keeps its comments, its order and its indentation.
 * @throws SvcError as replaceFile
 */
export function writeServers(
  config: ClientConfig,
  entries: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): void {
  let text = config.text.trim() === '' ? '{}\n' : config.text;
  for (const [name, fields] of entries) {
    const path = ['mcpServers', name];
    // Field by field, so that what else an entry holds stays as it is.
    if (config.servers.has(name)) {
      for (const [field, value] of Object.entries(fields)) text = setValue(text, [...path, field], value);
    } else text = setValue(text, path, fields);
  }
  replaceFile(config.root, config.path, config.mark + text);
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
  if (!isObject(value)) throw malformed(path, 'is not a JSON object');
  const servers = value.mcpServers ?? {};
  if (!isObject(servers)) throw malformed(path, 'has a "mcpServers" that is not an object');
  return new Map(
    Object.entries(servers).map(([name, entry]) => {
      if (!isObject(entry)) throw malformed(path, `has a server ${cut(oneLine(name), 60)} that is not an object`);
      return [name, entry];
    }),
  );
}

function malformed(path: string, how: string): Error {
  return invalidInput(`${shownPath(path)} ${how}`, 'It was left untouched. Repair it and try again');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
