import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Place, type PlaceOptions, serverEnvironment, withPlace } from './stdio-client';

export const PROGRAM_FILE = resolve(__dirname, '../../dist/svc-memory.js');

/** What a terminal would obey. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters to look for
export const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

export interface Ran {
  /** The exit status, or the name of the signal that ended it. */
  readonly status: number | string;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Relative to the place's folder. */
  readonly cwd?: string;
  readonly input?: string | Buffer;
  /** The built program; `svc-memory` where it is missing. */
  readonly program?: string;
  /** The user that runs it, by number; for tests of rights, which the superuser does not need. */
  readonly uid?: number;
  readonly signal?: { readonly name: NodeJS.Signals } & (
    | { readonly afterMs: number }
    | { readonly when: Promise<unknown> }
    /** On standard error. */
    | { readonly whenTold: string }
  );
}

export interface CommandLine extends Place {
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** A command that must succeed; its standard output. */
  ok(...args: string[]): Promise<string>;
  /** A command that must succeed, with `--json`; its value. */
  json<Value>(...args: string[]): Promise<Value>;
  path(...names: string[]): string;
}

/** Runs `work` with the built program in folders of its own, which are removed after it. */
export function withCommandLine<Result>(
  work: (commandLine: CommandLine) => Promise<Result>,
  options: PlaceOptions = {},
): Promise<Result> {
  return withPlace(options, (place) => work(commandLineIn(place)));
}

/**
 * The program in folders that are there.
 * @param run in place of the built one
 */
export function commandLineIn(
  place: Place,
  run: CommandLine['run'] = (args, options) => runProgram(place, args, options),
): CommandLine {
  const ok: CommandLine['ok'] = async (...args) => {
    const { status, out, err } = await run(args);
    if (status !== 0) throw new Error(`svc-memory ${args.join(' ')} ended with ${status}: ${err}`);
    return out;
  };
  return {
    ...place,
    run,
    ok,
    // The test states the shape that it expects; a wrong one fails its assertions.
    json: async <Value>(...args: string[]) => JSON.parse(await ok(...args, '--json')) as Value,
    path: (...names) => join(place.folder, ...names),
  };
}

function runProgram(
  place: Place,
  args: readonly string[],
  { env, cwd, input, signal, program, uid }: RunOptions = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [program ?? PROGRAM_FILE, ...args], {
    cwd: join(place.folder, cwd ?? '.'),
    env: serverEnvironment(place, env),
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  // A program that reads nothing has closed its end.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  if (signal) {
    const moment =
      'when' in signal ? signal.when : 'afterMs' in signal ? setTimeout(signal.afterMs) : told(child, signal.whenTold);
    void moment.then(() => child.kill(signal.name));
  }
  return ended(child);
}

function told({ stderr }: ChildProcessWithoutNullStreams, text: string): Promise<void> {
  let so = '';
  return new Promise((done) => {
    stderr.on('data', (chunk: Buffer) => {
      so += chunk.toString();
      if (so.includes(text)) done();
    });
  });
}

/** Runs the program inside a shell line, where it is `"$0" "$1"`. */
export function runInShell(place: Place, line: string, shell = 'sh'): Promise<Ran> {
  return ended(
    spawn(shell, ['-c', line, process.execPath, PROGRAM_FILE], { cwd: place.folder, env: serverEnvironment(place) }),
  );
}

function ended(child: ChildProcessWithoutNullStreams): Promise<Ran> {
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, name) => done({ status: name ?? code ?? -1, out, err }));
  });
}
