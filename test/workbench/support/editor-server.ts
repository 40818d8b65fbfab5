import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { EDITOR_ENTRY, EDITOR_ENVIRONMENT, EDITOR_FLAGS, EDITOR_NODE } from '../../../scripts/setup-workbench.mjs';
import { until } from './until';

export const ROOT = resolve(import.meta.dirname, '..', '..', '..');

/** A server may take this long to answer, to install, and to go away. */
const START_MS = 60_000;
const INSTALL_MS = 120_000;
const STOP_MS = 10_000;
/** A window that is reloaded on a busy machine may not get to say so; its extensions would wait three hours for it. */
const RECONNECTION_S = 30;

export interface EditorServer {
  readonly url: string;
  readonly log: () => string;
  stop(): Promise<void>;
}

export interface ServerPlace {
  readonly data: string;
  readonly extensions: string;
  /** The folder of the extensions that come with the editor; all of them where it is missing. */
  readonly builtIn: string | undefined;
  /** HOME of the server and of all that it starts. */
  readonly home: string;
  readonly temporary: string;
  readonly trust: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts the editor's server on a free port. */
export async function startEditor(place: ServerPlace): Promise<EditorServer> {
  const port = await freePort();
  const child = start(
    [
      ...EDITOR_FLAGS,
      ...['--bind-addr', `127.0.0.1:${port}`],
      ...['--reconnection-grace-time', `${RECONNECTION_S}`],
      ...(place.trust ? [] : ['--disable-workspace-trust']),
      ...['--user-data-dir', place.data, '--extensions-dir', place.extensions],
      ...['--config', join(place.data, 'config.yaml')],
      ...(place.builtIn === undefined ? [] : ['--builtin-extensions-dir', place.builtIn]),
    ],
    { ...place.environment, HOME: place.home, TMPDIR: place.temporary },
  );
  const log = collected(child);
  const url = `http://127.0.0.1:${port}`;
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    const patience = setTimeout(() => endGroup(child), STOP_MS);
    await ended;
    clearTimeout(patience);
    endGroup(child);
  };
  try {
    await until(`the editor's server answers at ${url}`, START_MS, async () => {
      if (child.exitCode !== null) throw new Error(`The editor's server ended:\n${log()}`);
      return (await fetch(`${url}/healthz`).catch(() => undefined))?.ok === true;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, log, stop };
}

/** Runs the editor's command line to its end. */
export async function runEditor(args: readonly string[]): Promise<void> {
  const child = start(args, {});
  const log = collected(child);
  const patience = setTimeout(() => endGroup(child), INSTALL_MS);
  const status = await new Promise((done) => child.once('close', done));
  clearTimeout(patience);
  if (status !== 0) throw new Error(`The editor's command line failed (${status}): ${args.join(' ')}\n${log()}`);
}

/** In a process group of its own, so that nothing that it started is left behind. */
function start(args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(EDITOR_NODE, [EDITOR_ENTRY, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      LANG: 'C.UTF-8',
      ...EDITOR_ENVIRONMENT,
      ...environment,
    },
  });
}

/** Only processes of the group that was started here; it is gone when that fails. */
function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nothing of it was left.
  }
}

function collected(child: ChildProcess): () => string {
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(String(chunk)));
  return () => chunks.join('');
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address && typeof address === 'object' ? done(address.port) : fail(new Error('no port'))));
    });
  });
}
