/** Reads what all executables need from their process. */
import { existsSync, readFileSync } from 'node:fs';
import * as module from 'node:module';
import { homedir, userInfo } from 'node:os';
import { delimiter, isAbsolute, join, parse } from 'node:path';
import type { Surroundings } from '../../store-place/locate';
import { SvcError, unavailable } from '../base/errors';
import { HOST } from '../base/host';
import type { Log } from '../base/log';
import { isInside } from '../base/paths';
import { printable } from '../base/text';
import { wantDriver } from '../db/drivers';
import type { GitHost } from '../git/run-git';
import type { Holder } from '../memory/memory';
import { LEASE_MS } from '../memory/sessions/leases';
import { openTokenizer, type TokenCounter } from '../render/tokens';

/** What the executables share. The only reader of the process's environment, folders and streams beside their mains. */

/** The token table lies beside the bundle that is running. */
const TOKEN_TABLE = 'o200k_base.bin';

/**
 * Where this process runs, as far as finding its store depends on it. Node remembers the working folder from the first
 * time that it is asked for it, so that a server outlives its folder.
 * @throws SvcError unavailable when the working folder has been deleted
 */
export function processSurroundings(cwd = workingFolder(), variables: Variables = variable): Surroundings {
  return {
    cwd,
    home: homeFolder(),
    storeFile: variables('SVC_MEMORY_DB'),
    storeFileFromEditor: variables('SVC_STORE_FROM') === 'editor',
    projectRoot: variables('SVC_PROJECT_ROOT'),
  };
}

/** What an environment says under a name; undefined for nothing. */
export type Variables = (name: string) => string | undefined;

/** A HOME that is empty, or relative, would make a home directory of whatever folder this runs in. */
function homeFolder(): string {
  const named = homedir();
  return isAbsolute(named) ? named : userInfo().homedir;
}

function workingFolder(): string {
  try {
    return outsideOfPlugin(process.cwd());
  } catch {
    throw unavailable(
      'The folder that this program was started in no longer exists',
      'Change to a folder that exists, and start the program again',
    );
  }
}

/**
 * Hosts of plugins start servers in the plugin's own folder, and name it; where the host itself was started is what PWD
 * still says, and the project is there.
 */
function outsideOfPlugin(cwd: string): string {
  const [plugin, started] = [variable('PLUGIN_ROOT'), variable('PWD')];
  if (plugin === undefined || started === undefined || !isAbsolute(started)) return cwd;
  return isInside(plugin, cwd) && !isInside(plugin, started) && existsSync(started) ? started : cwd;
}

/** Ends a server that cannot go on. What is no mistake of ours needs no stack. */
export function endWith(program: string, error: unknown): never {
  const told = error instanceof SvcError ? error.message : error instanceof Error ? error.stack : undefined;
  stderrLog(program)(told ?? String(error));
  process.exit(1);
}

/** Lets the environment say which SQLite is used, where both are there. Before the first file is opened. */
export function chooseSqlite(): void {
  wantDriver(variable('SVC_SQLITE'), () => process.chdir(parse(process.execPath).root));
}

/** What its user wants of what agents store: SVC_KEEP. */
export function keepSetting(): string | undefined {
  return variable('SVC_KEEP');
}

/** The namespace that this process starts in, when its environment names one. */
export function firstNamespace(variables: Variables = variable): string | undefined {
  return variables('SVC_NAMESPACE');
}

/** Sessions that people open in the editor show it, and so do memories that they bring there. */
export const EDITOR_CLIENT = 'VS Code';

/** @param client the name of the program that uses this process, shown with the sessions it opens */
export function processHolder(client: string, by: Holder['by'] = 'agent'): Holder {
  return { principal: null, pid: process.pid, host: HOST, client, by, leaseMs: LEASE_MS };
}

/** A variable of the environment; one that is set to nothing counts as not set. */
export function variable(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** Variables that agents set for the commands that they run. Other agents set AI_AGENT to their name. */
const SET_BY_AGENTS = [
  ...['AI_AGENT', 'CLAUDECODE', 'CURSOR_AGENT', 'GEMINI_CLI', 'CLINE_ACTIVE', 'OPENCODE'],
  ...['CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_THREAD_ID', 'CODEX_CI'],
];

/** Whether an agent started this process: then what is typed at its terminal is no person's word. */
export function startedByAgent(): boolean {
  return SET_BY_AGENTS.some((name) => variable(name) !== undefined);
}

/** The folders of PATH. */
export function searchPath(): string[] {
  return (variable('PATH') ?? '').split(delimiter);
}

/** Where Git is looked for, and what it inherits. */
export function gitHost(): GitHost {
  return { searchPath: searchPath(), environment: process.env };
}

/** A variable that holds a secret: it is taken away, so that no program that this one starts inherits it. */
export function takeVariable(name: string): string | undefined {
  const value = variable(name);
  delete process.env[name];
  return value;
}

/** Writes to standard error; standard output belongs to the protocol. A reader that went away is no error. */
export function stderrLog(program: string): Log {
  let listening = false;
  return (message) => {
    if (!listening) process.stderr.on('error', () => {});
    listening = true;
    process.stderr.write(`${program}: ${printable(message)}\n`);
  };
}

let opened: TokenCounter | undefined;

/** The tokenizer over the table beside the bundle, opened once, when it is first needed. */
export function tokenizer(): TokenCounter {
  opened ??= openTokenizer(readFileSync(join(__dirname, TOKEN_TABLE)));
  return opened;
}

/** Long enough after the start for the first answers to be out, in milliseconds. */
const KEEP_COMPILED_AFTER_MS = 2_000;

/** Writes the compile cache that the starter enabled (esbuild.mjs): at exit is too late, because hosts kill servers. */
export function keepCompiledCode(): void {
  // Older versions of Node have neither the cache nor this function.
  const { flushCompileCache }: Partial<typeof module> = module;
  if (flushCompileCache) setTimeout(flushCompileCache, KEEP_COMPILED_AFTER_MS).unref();
}
