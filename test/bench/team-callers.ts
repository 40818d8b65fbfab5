import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { createServer, connect as dial, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { program } from './programs';
import type { Place } from './servers';

export interface TeamCaller {
  /** @returns the text of the answer @throws Error when it is refused */
  call(tool: string, input: object): Promise<string>;
  /** How many requests it has sent. */
  requests(): number;
}

/** Runs `work` with a server for a team, reached over ways that take as long as is asked for. */
export async function withTeamServer<Result>(
  { folder }: Place,
  more: Readonly<Record<string, string>>,
  work: (open: (roundTrip: number) => Promise<TeamCaller>) => Promise<Result>,
): Promise<Result> {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, ...more };
  const said = (...args: string[]): Promise<string> => linesOf(args, folder, env);
  await said('admin', 'add-project', 'team', 'bench');
  const token = (await said('admin', 'token', 'team', '--person', 'bench', '--role', 'bench=maintainer')).trim();
  const child = spawn(process.execPath, [program('svc-memory'), 'serve', 'team', '--listen', '127.0.0.1:0'], {
    ...{ cwd: folder, env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closers: (() => void)[] = [];
  try {
    const port = await portOf(child);
    return await work(async (roundTrip) => {
      const at = roundTrip === 0 ? port : await delayed(port, roundTrip, closers);
      return openCaller(at, token);
    });
  } finally {
    for (const close of closers) close();
    child.kill('SIGTERM');
    await new Promise((done) => child.on('close', done));
  }
}

function linesOf(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [program('svc-memory'), ...args], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let errors = '';
    child.stdout.on('data', (piece) => {
      out += String(piece);
    });
    child.stderr.on('data', (piece) => {
      errors += String(piece);
    });
    child.on('close', (status) => (status === 0 ? done(out) : fail(new Error(errors))));
  });
}

async function portOf({ stdout }: ChildProcess): Promise<number> {
  if (!stdout) throw new Error('the server has no output');
  for await (const line of createInterface({ input: stdout })) {
    const port = /:(\d+)\//.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error('the server did not start');
}

/** A way to the port on which each piece takes half of the time in each direction. */
async function delayed(port: number, roundTrip: number, closers: (() => void)[]): Promise<number> {
  const server = createServer((near) => {
    const far = dial(port, '127.0.0.1');
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', () => {});
    carry(near, far, roundTrip / 2);
    carry(far, near, roundTrip / 2);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the way has no port');
  return address.port;
}

function carry(from: Socket, to: Socket, ms: number): void {
  from.on('data', (piece) => setTimeout(() => to.write(piece), ms));
  from.on('close', () => setTimeout(() => to.destroy(), ms));
}

/** A client that does next to nothing, as RpcClient does. */
async function openCaller(port: number, token: string): Promise<TeamCaller> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let requests = 0;
  let session: string | undefined;
  const post = (body: object): Promise<string> =>
    new Promise((done, fail) => {
      requests++;
      const sent = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...body }));
      const headers = {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...{ authorization: `Bearer ${token}`, 'content-length': sent.length },
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      };
      request({ port, host: '127.0.0.1', path: '/bench/mcp', method: 'POST', agent, headers }, (response) => {
        session ??= String(response.headers['mcp-session-id']);
        let text = '';
        response.on('data', (piece) => {
          text += String(piece);
        });
        response.on('end', () => done(text));
      })
        .on('error', fail)
        .end(sent);
    });
  const clientInfo = { name: 'bench', version: '1.0.0' };
  await post({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  return {
    requests: () => requests,
    async call(name, input) {
      const text = await post({ id: requests, method: 'tools/call', params: { name, arguments: input } });
      const { result } = JSON.parse(text) as { result?: { isError?: boolean; content: [{ text: string }] } };
      if (!result || result.isError) throw new Error(text);
      return result.content[0].text;
    },
  };
}

/** How many facts the project holds. */
export async function factsIn({ call }: TeamCaller): Promise<number> {
  const { kind_counts } = JSON.parse(await call('memory_stats', {})) as { kind_counts: { fact: number } };
  return kind_counts.fact;
}
