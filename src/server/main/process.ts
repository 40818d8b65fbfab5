import { readFileSync } from 'node:fs';
import * as module from 'node:module';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../base/log';
import { printable } from '../base/text';
import type { Holder } from '../memory/memory';
import type { Surroundings } from '../project/locate';
import { openTokenizer, type TokenCounter } from '../render/tokens';

/** What the executables share. The only reader of the process's environment, folders and streams beside their mains. */

/** The token table lies beside the bundle that is running. */
const TOKEN_TABLE = 'o200k_base.bin';

/** Where this process runs, as far as finding its store depends on it. */
export function processSurroundings(): Surroundings {
  return {
    cwd: process.cwd(),
    home: homedir(),
    storeFile: variable('SVC_MEMORY_DB'),
    projectRoot: variable('SVC_PROJECT_ROOT'),
  };
}

/** The namespace that this process starts in, when its environment names one. */
export function firstNamespace(): string | undefined {
  return variable('SVC_NAMESPACE');
}

/** @param client the name of the program that uses this process, shown with the sessions it opens */
export function processHolder(client: string): Holder {
  return { pid: process.pid, host: hostname(), client };
}

/** A variable of the environment; one that is set to nothing counts as not set. */
export function variable(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value.trim() === '' ? undefined : value;
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
