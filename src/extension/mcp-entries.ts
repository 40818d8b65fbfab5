/** Reads the MCP entries of a folder. */
import { accessSync, constants, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { parse } from 'jsonc-parser/lib/esm/main.js';
import { readRegularFile, whyUnread } from '../server/base/regular-file';

/** The files in which a folder tells MCP clients what to start, and where in them. */
export const MCP_FILES = [
  { file: '.mcp.json', key: 'mcpServers' },
  { file: '.vscode/mcp.json', key: 'servers' },
] as const;

/** A longer one was not written for an editor, which would be kept waiting. */
const MAX_FILE_BYTES = 1_000_000;

/** An entry of such a file that stands for one of our servers. */
export interface McpEntry {
  readonly file: string;
  readonly name: string;
  /** Why nothing could start it; undefined when something can. */
  readonly problem: McpProblem | undefined;
}

export type McpProblem =
  | { readonly what: 'no object' | 'no command' }
  /** `path`: of the command, or of the program that it is to run, as the entry says it. */
  | { readonly what: 'command not found' | 'program not found'; readonly path: string };

/**
 * The entries for a program of ours, under its own name or another. A file that is not JSON has none; whoever reads it
 * next reports that. This runs before the user has trusted the folder.
 * @param server what clients call it, such as `svc-memory`
 * @param program what starts it, such as `svc-memory-mcp`
 * @param refused gets a sentence for a file that exists and was not read
 */
export function mcpEntries(
  folder: string,
  server: string,
  program: string,
  searchPath: readonly string[],
  refused: (sentence: string) => void,
): McpEntry[] {
  return MCP_FILES.flatMap(({ file, key }) =>
    Object.entries(serversIn(folder, file, key, refused))
      .filter(([name, entry]) => name === server || starts(entry, program))
      .map(([name, entry]) => ({ file, name, problem: problemOf(entry, folder, searchPath) })),
  );
}

function serversIn(
  folder: string,
  file: string,
  key: string,
  refused: (sentence: string) => void,
): Readonly<Record<string, unknown>> {
  const path = join(folder, file);
  const read = readRegularFile(path, { max: MAX_FILE_BYTES, links: { inside: folder } });
  if (!read.bytes) {
    if (read.why !== 'missing') refused(`${whyUnread(path, read)}. It was not read.`);
    return {};
  }
  try {
    const value: unknown = parse(read.bytes.toString('utf8').replace(/^\ufeff/, ''), [], { allowTrailingComma: true });
    const servers = isObject(value) ? value[key] : undefined;
    return isObject(servers) ? servers : {};
  } catch {
    return {};
  }
}

function starts(entry: unknown, program: string): boolean {
  if (!isObject(entry)) return false;
  const { command, args } = entry;
  const words = [command, ...(Array.isArray(args) ? args : [])];
  return words.some((word) => typeof word === 'string' && nameOf(word) === program);
}

function nameOf(word: string): string {
  return basename(word.replaceAll('\\', '/')).replace(/\.(?:js|cmd|exe)$/, '');
}

function problemOf(entry: unknown, folder: string, searchPath: readonly string[]): McpProblem | undefined {
  if (!isObject(entry)) return { what: 'no object' };
  const { command, args, url } = entry;
  if (typeof command !== 'string') return typeof url === 'string' ? undefined : { what: 'no command' };
  // Variables are the client's to fill in.
  if (command.includes('${')) return undefined;
  if (!isFound(command, folder, searchPath)) return { what: 'command not found', path: command };
  const program: unknown = Array.isArray(args) ? args[0] : undefined;
  if (typeof program === 'string' && isAbsolute(program) && /\.[cm]?js$/.test(program) && !isFile(program)) {
    return { what: 'program not found', path: program };
  }
  return undefined;
}

function isFound(command: string, folder: string, searchPath: readonly string[]): boolean {
  const paths = /[\\/]/.test(command) ? [resolve(folder, command)] : searchPath.map((each) => join(each, command));
  const endings = process.platform === 'win32' ? ['', '.cmd', '.exe', '.bat'] : [''];
  return paths.some((path) => endings.some((ending) => isExecutable(path + ending)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
