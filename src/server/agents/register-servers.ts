/** Registers our servers in `.mcp.json`. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lastingFolders, resolveCommand } from '../base/executables';
import { type ClientConfig, deadEntry, readClientConfig, writeServers } from './client-config';

/** What clients call the server of this memory. */
export const MEMORY_SERVER = 'svc-memory';

/** Both servers, with the fields that an entry of theirs has. */
export const SERVERS = [
  {
    name: 'svc',
    command: 'svc-mcp',
    description: 'Code graph of this project: symbols, their callers and callees, bound documents',
  },
  {
    name: MEMORY_SERVER,
    command: 'svc-memory-mcp',
    description: 'Memory of this project: decisions, facts and outcomes that outlive a conversation',
  },
] as const;

export interface Registering {
  readonly root: string;
  /** The folder of the built programs. */
  readonly programs: string;
  readonly node: string;
  readonly searchPath: readonly string[];
}

export interface Registration {
  readonly server: string;
  readonly command: string;
  /** `missing`: this version has no such program, so nothing was written. */
  readonly outcome: 'written' | 'kept' | 'missing';
}

/**
 * Merges our servers into the project's `.mcp.json`: by the bare command where it is found on PATH, else by Node and
 * the file of this installation. An entry that works is kept as it is; one that nothing could start is never written.
 * @throws SvcError invalid_input when the file is malformed or a link; then it is left untouched
 */
export function registerServers(how: Registering): { path: string; servers: Registration[] } {
  const config = readClientConfig(how.root);
  const entries = new Map<string, Readonly<Record<string, unknown>>>();
  const servers = SERVERS.map(({ name, command, description }): Registration => {
    const entry = entryFor(config, name, command, how);
    if (entry === undefined) return { server: name, command, outcome: 'missing' };
    const missing = config.servers.get(name)?.description === undefined ? { description } : {};
    const fields = { ...entry, ...missing };
    if (Object.keys(fields).length === 0) return { server: name, command, outcome: 'kept' };
    entries.set(name, fields);
    return { server: name, command, outcome: 'written' };
  });
  if (entries.size > 0) writeServers(config, entries);
  return { path: config.path, servers };
}

/** The fields to write so that the entry starts our program; undefined when there is no such program. */
function entryFor(
  config: ClientConfig,
  name: string,
  command: string,
  { root, programs, node, searchPath }: Registering,
): Readonly<Record<string, unknown>> | undefined {
  const lasting = lastingFolders(searchPath);
  const present = config.servers.get(name);
  if (present && startsSomething(present) && deadEntry(present, root, lasting) === undefined) return {};
  const program = join(programs, `${command}.js`);
  if (!existsSync(program)) return undefined;
  if (resolveCommand(command, root, lasting) === undefined) {
    const env = asNode(node);
    return { command: node, args: [program], ...(Object.keys(env).length === 0 ? {} : { env }) };
  }
  return present && 'args' in present ? { command, args: [] } : { command };
}

/** An editor's executable acts as Node only with ELECTRON_RUN_AS_NODE. */
export function asNode(node: string): Readonly<Record<string, string>> {
  return /^node(?:\.exe)?$/i.test(basename(node)) ? {} : { ELECTRON_RUN_AS_NODE: '1' };
}

function startsSomething(entry: Readonly<Record<string, unknown>>): boolean {
  return typeof entry.command === 'string' || typeof entry.url === 'string';
}
