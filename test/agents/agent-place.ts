/** A machine for one agent: a home directory, a project with memories, our programs on the PATH, and nothing outside. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { removeFolder } from '../support/remove-folder';
import type { Agent, AgentPlace } from './agents';
import { type ModelRequest, type ModelServer, type Reply, startModel } from './model-server';

const DIST = resolve(__dirname, '../../dist');
const PROGRAMS = ['svc-memory', 'svc-memory-mcp', 'svc-mcp', 'svc'] as const;
/** An agent that has not ended by then hangs. */
const PATIENCE_MS = 400_000;

export interface Machine extends AgentPlace {
  readonly model: ModelServer;
  /** The hooks that ran, by the event that they were told of. */
  readonly hooks: () => readonly string[];
  /** The hosts outside of this machine that somebody tried to reach; none was reached. */
  readonly outside: () => readonly string[];
  /** Runs `svc-memory`, or another program of ours, in the project. */
  readonly ours: (args: readonly string[], program?: (typeof PROGRAMS)[number]) => string;
  /** Starts an agent. @returns what it wrote, when it has ended; with how to end it before */
  readonly run: (agent: Agent) => Running;
}

export interface Running {
  readonly ended: Promise<{ readonly status: number | null; readonly said: string }>;
  readonly kill: () => void;
}

/** @param answer what the scripted model says to a request that offers tools */
export async function withMachine(
  answer: (request: ModelRequest) => Reply | Promise<Reply>,
  work: (machine: Machine) => Promise<void>,
): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'svc-agents-'));
  const [folder, home, bin] = ['project', 'home', 'bin'].map((name) => join(base, name)) as [string, string, string];
  for (const each of [folder, home, bin]) mkdirSync(each);
  const hookLog = join(base, 'hooks.log');
  for (const program of PROGRAMS) put(bin, program, hookLog);
  const model = await startModel(answer);
  const wall = await startWall();
  const env = {
    // As a shell says it in which somebody starts an agent.
    PWD: folder,
    ...{ HOME: home, PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), LANG: 'C.UTF-8' },
    ...Object.fromEntries(['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].map((name) => [name, wall.url])),
    ...{ NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost', TERM: 'xterm' },
  };
  execFileSync('git', ['init', '-q'], { cwd: folder, env });
  try {
    await work({
      ...{ folder, home, url: model.url, model },
      hooks: () => (existsSync(hookLog) ? readFileSync(hookLog, 'utf8').trim().split('\n') : []),
      outside: wall.hosts,
      ours: (args, program = 'svc-memory') =>
        execFileSync(program, args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }),
      run: (agent) => start(agent, { folder, home, url: model.url }, env),
    });
  } finally {
    await model.close();
    await wall.close();
    await removeFolder(base);
  }
}

/** As an installation for all projects does it: links. Calls of hooks are noted. */
function put(bin: string, program: string, hookLog: string): void {
  const file = join(bin, program);
  if (program !== 'svc-memory') {
    symlinkSync(join(DIST, `${program}.js`), file);
    return;
  }
  const noted = `[ "$1" = hook ] && echo "$2" >> '${hookLog}'\n`;
  writeFileSync(file, `#!/bin/sh\n${noted}exec '${process.execPath}' '${join(DIST, `${program}.js`)}' "$@"\n`);
  chmodSync(file, 0o755);
}

function start(agent: Agent, place: AgentPlace, env: Readonly<Record<string, string>>): Running {
  const { command, env: own } = agent.start(place, 'Work through what is to be done here.');
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd: place.folder, env: { ...env, ...own }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
  }
  const hangs = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const ended = new Promise<{ status: number | null; said: string }>((done, fail) => {
    child.once('error', fail);
    child.once('close', (status) => {
      clearTimeout(hangs);
      done({ status, said });
    });
  });
  return { ended, kill: () => child.kill('SIGKILL') };
}

/** The only way out for programs that heed a proxy: it lets nothing through, and notes who wanted what. */
async function startWall() {
  const hosts = new Set<string>();
  const server = createServer((request, response) => {
    hosts.add(request.headers.host ?? '');
    response.writeHead(403).end();
  });
  server.on('connect', ({ url }, socket) => {
    // Who is refused may hang up first.
    socket.on('error', () => {});
    hosts.add(url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hosts: () => [...hosts],
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((done) => server.close(() => done()));
    },
  };
}
