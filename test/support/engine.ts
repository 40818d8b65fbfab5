import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINE_PROGRAM } from '../../scripts/engine-program.mjs';
import { removeFolder } from './remove-folder';

/** A libSQL server on this machine. */
export interface EngineServer {
  /** As SVC_MEMORY_DB has it. */
  readonly address: string;
  /** As SVC_MEMORY_DB_ADMIN has it. */
  readonly admin: string;
  readonly folder: string;
  /** Where a replica asks. */
  readonly primary: string;
  /** Ends it as a power cut would, as far as a process can tell. */
  kill(): Promise<void>;
  /** Starts it once more, on the same folder and addresses. */
  start(): Promise<void>;
}

export interface EngineOptions {
  /** Follow this one. */
  readonly of?: EngineServer;
  /** Take the addresses of this one, which has gone. */
  readonly at?: EngineServer;
  /** More for its command line. */
  readonly args?: readonly string[];
}

/** Runs `work` with an engine of its own. */
export async function withEngine<Result>(
  work: (engine: EngineServer) => Promise<Result>,
  options?: EngineOptions,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-engine-'));
  const engine = await startEngine(folder, options);
  try {
    return await work(engine);
  } finally {
    await engine.kill();
    await removeFolder(folder);
  }
}

/** @param folder that it keeps its databases in */
export async function startEngine(folder: string, { of, at, args = [] }: EngineOptions = {}): Promise<EngineServer> {
  const [http, admin, primary] = at
    ? [at.address, at.admin, at.primary].map((address) => new URL(address).port)
    : [await freePort(), await freePort(), await freePort()];
  // A package whose install script is not run may have lost it.
  chmodSync(ENGINE_PROGRAM, 0o755);
  let child: ChildProcess | undefined;
  const engine: EngineServer = {
    address: `http://127.0.0.1:${http}`,
    admin: `http://127.0.0.1:${admin}`,
    primary: `http://127.0.0.1:${primary}`,
    folder,
    async kill() {
      const ended = child && new Promise((done) => child?.once('close', done));
      if (child?.exitCode !== null || !child.kill('SIGKILL')) return;
      await ended;
    },
    async start() {
      child = spawn(
        ENGINE_PROGRAM,
        [
          ...['--db-path', folder, '--http-listen-addr', `127.0.0.1:${http}`, '--no-welcome'],
          ...['--enable-namespaces', '--admin-listen-addr', `127.0.0.1:${admin}`],
          ...['--max-concurrent-connections', '1024', '--max-concurrent-requests', '1024'],
          ...['--max-active-namespaces', '1000'],
          ...args,
          ...(of ? ['--primary-grpc-url', of.primary] : ['--grpc-listen-addr', `127.0.0.1:${primary}`]),
        ],
        { stdio: 'ignore' },
      );
      await answers(`${engine.address}/health`);
    },
  };
  await engine.start();
  return engine;
}

const PATIENCE_MS = 60_000;

async function answers(url: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    if (performance.now() > until) throw new Error(`nothing answers at ${url}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? done(address.port) : fail(new Error('no port'))));
    });
  });
}
