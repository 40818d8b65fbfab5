/** Reads `.mcp.json`. */
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { resolveCommand } from '../base/executables';
import { gitRoot } from '../base/paths';
import { cut, oneLine } from '../base/text';
import { type AgentText, readProjectText, writeText } from './agent-text';
import { type Entries, type Entry, jsonForm } from './server-forms';

/** `.mcp.json`: the file in a project's root that tells MCP clients which servers to start. */
export const CLIENT_CONFIG = '.mcp.json';
const FORM = jsonForm('mcpServers');

export interface ClientConfig extends AgentText {
  readonly servers: Entries;
}

/** The folder whose `.mcp.json` belongs to the store. */
export function clientRoot(root: string | undefined, cwd: string): string {
  return root ?? gitRoot(cwd) ?? cwd;
}

/** @throws SvcError invalid_input when it is malformed or no file of the project, unavailable when it cannot be read */
export function readClientConfig(root: string): ClientConfig {
  const file = readProjectText(root, CLIENT_CONFIG);
  return { ...file, servers: FORM.read(file.path, file.text ?? '') };
}

/**
 * Writes the entries into the text, which keeps its comments, its order and its indentation.
 * @throws SvcError as writeText
 */
export function writeServers(config: ClientConfig, entries: Entries): void {
  writeText(config, FORM.write(config.path, config.text ?? '', entries));
}

/** What is wrong with starting the server of this entry; undefined when nothing is, or when it is not started here. */
export function deadEntry(entry: Entry, root: string, searchPath: readonly string[]): string | undefined {
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
