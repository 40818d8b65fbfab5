/** Writes our hooks into the configuration of agents, and removes them. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lastingFolders, resolveCommand } from '../base/executables';
import { type AgentText, readProjectText, refuseToFollow, writeText } from './agent-text';
import { withHooks, withoutHooks } from './hook-entries';
import { HOOK_HOSTS, HOST_FILES, type HookCall, type HookHost } from './hook-hosts';

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
  const call = hookCall(program);
  return writeAll(hosts, program.root, (host, { path, text }) => withHooks(host, path, text ?? '', call));
}

/** Takes our entries out of all files, and a file away that held nothing else. @throws SvcError as installHooks */
export function removeHooks(root: string, hosts: readonly HookHost[] = hostsOf(root)): AgentFile[] {
  return writeAll(hosts, root, (host, { path, text }) =>
    text === undefined ? text : withoutHooks(host, path, text),
  ).map((file) => (file.outcome === 'written' ? { ...file, outcome: 'removed' } : file));
}

/** By the bare command where it is found on PATH, else by Node and the file of this installation. */
export function hookCall({ root, programs, node, searchPath }: HookProgram): HookCall {
  const lasting = lastingFolders(searchPath);
  if (resolveCommand('svc-memory', root, lasting) !== undefined) return { command: 'svc-memory', quoted: false };
  const program = `"${join(programs, 'svc-memory.js')}"`;
  if (resolveCommand('node', root, lasting) !== undefined) return { command: `node ${program}`, quoted: false };
  // An editor's executable acts as Node only with ELECTRON_RUN_AS_NODE.
  return { command: `"${node}" ${program}`, quoted: true, env: { ELECTRON_RUN_AS_NODE: '1' } };
}

/** Nothing but what we write into a new file, and no comment. */
export function holdsNothing(text: string): boolean {
  const compact = text.replaceAll(/\s+/g, '');
  return compact === '' || compact === '{}' || compact === '{"version":1}';
}

/** All of them or, where one is a link, none. A file that holds nothing any more is taken away. */
function writeAll(
  hosts: readonly HookHost[],
  root: string,
  edit: (host: HookHost, file: AgentText) => string | undefined,
): AgentFile[] {
  const changes = hosts.map((host) => {
    const file = readProjectText(root, HOST_FILES[host].path);
    return { file, text: edit(host, file) };
  });
  for (const { file, text } of changes) if (text !== file.text) refuseToFollow(file);
  return changes.map(({ file, text }) => {
    if (text === file.text) return { path: file.path, outcome: text === undefined ? 'missing' : 'kept' };
    writeText(file, text === undefined || holdsNothing(text) ? undefined : text);
    return { path: file.path, outcome: 'written' };
  });
}
