import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { createServer, connect as dial, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { HAS_ENGINE } from '../../scripts/engine-program.mjs';
import { withEngine } from '../support/engine';
import { makeCorpus } from './corpus';
import { program } from './programs';
import { type Place, startMemoryServer, withPlace, withServer } from './servers';
import { type Timing, timed, timing } from './timing';

/** A server for many beside a process for one, in one run. */
export interface ServeSpeed {
  readonly clients: number;
  readonly local: Asked & { readonly store: Timing; readonly recall: Timing };
  readonly onFile: Served;
  /** Undefined where the packages have no engine for the machine. */
  readonly onEngine: Served | undefined;
}

/** What many ask at once, in a second. */
interface Asked {
  readonly stores: number;
  /** While a writer stores without a pause. */
  readonly recalls: number;
}

export interface Served extends Asked {
  /** Of the stores of the clients. `lost`: acknowledged and not there; less than 0 where some are there twice. */
  readonly refused: number;
  readonly lost: number;
  readonly p95: number;
  /** In milliseconds, by the time that a round trip takes. */
  readonly distances: readonly Distance[];
}

export interface Distance {
  readonly roundTrip: number;
  readonly store: Timing;
  readonly recall: Timing;
  /** Requests of HTTP for one call of a tool. */
  readonly requests: number;
}

const CLIENTS = 50;
const STORES_EACH = 20;
const SIZE = 10_000;
const ROUND_TRIPS = [0, 5, 20];

export async function measureServe(calls: number, progress: (text: string) => void): Promise<ServeSpeed> {
  const corpus = makeCorpus(SIZE);
  const nodes = corpus.memories.map(({ content, entities }) => ({ content, entities, kind: 'fact' }));
  const texts = corpus.queries('question', calls).map(({ text }) => text);
  const given = { nodes, texts, calls };
  progress('serve: one process');
  const local = await withPlace((place) =>
    withServer(startMemoryServer(place), async (server) => {
      await server.value('memory_import', { nodes });
      const store = await series(calls, (i) => server.value('memory_store', fact(`local ${i}`)));
      const recall = await series(calls, (i) => server.text('memory_recall', { query: texts[i % texts.length] }));
      const all = CLIENTS * STORES_EACH;
      const { ms } = await timed(() =>
        Promise.all(Array.from({ length: all }, (_, i) => server.value('memory_store', fact(`local many ${i}`)))),
      );
      return { store, recall, stores: (all / ms) * 1_000, recalls: await beside(server, texts) };
    }),
  );
  const served = (env: Readonly<Record<string, string>>, where: string): Promise<Served> =>
    withPlace((place) =>
      withTeamServer(place, env, (open) => measureServed(open, given, (text) => progress(`serve, ${where}: ${text}`))),
    );
  const onFile = await served({}, 'on a file');
  const onEngine = HAS_ENGINE
    ? await withEngine(({ address, admin }) =>
        served({ SVC_MEMORY_DB: address, SVC_MEMORY_DB_ADMIN: admin }, 'on an engine'),
      )
    : undefined;
  return { clients: CLIENTS, local, onFile, onEngine };
}

interface Given {
  readonly nodes: readonly object[];
  readonly texts: readonly string[];
  readonly calls: number;
}

async function measureServed(
  open: (roundTrip: number) => Promise<TeamCaller>,
  { nodes, texts, calls }: Given,
  progress: (text: string) => void,
): Promise<Served> {
  progress('the import');
  const first = await open(0);
  for (let from = 0; from < SIZE; from += 1_000) {
    await first.call('memory_import', { nodes: nodes.slice(from, from + 1_000) });
  }
  const distances: Distance[] = [];
  for (const roundTrip of ROUND_TRIPS) {
    progress(`round trips of ${roundTrip} ms`);
    const client = await open(roundTrip);
    const sent = client.requests();
    const store = await series(calls, (i) => client.call('memory_store', fact(`at ${roundTrip}: ${i}`)));
    const recall = await series(calls, (i) => client.call('memory_recall', { query: texts[i % texts.length] }));
    distances.push({ roundTrip, store, recall, requests: (client.requests() - sent) / (2 * calls) });
  }
  progress(`${CLIENTS} clients`);
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => open(0)));
  const before = await factsIn(first);
  const durations: number[] = [];
  let refused = 0;
  const { ms } = await timed(() =>
    Promise.all(
      clients.map(async (client, c) => {
        for (let i = 0; i < STORES_EACH; i++) {
          const stored = fact(`client ${c} stores ${i}`);
          const { ms, result } = await timed(() => client.call('memory_store', stored).catch(() => undefined));
          durations.push(ms);
          if (result === undefined) refused++;
        }
      }),
    ),
  );
  const lost = durations.length - refused - ((await factsIn(first)) - before);
  return {
    ...{ refused, lost, distances, p95: timing(durations).p95 },
    stores: ((durations.length - refused) / ms) * 1_000,
    recalls: await servedBeside(clients, texts),
  };
}

function fact(content: string): object {
  return { content, kind: 'fact', entities: ['server'] };
}

async function series(calls: number, call: (i: number) => Promise<unknown>): Promise<Timing> {
  const durations: number[] = [];
  for (let i = 0; i < calls; i++) durations.push((await timed(() => call(i))).ms);
  return timing(durations);
}

async function factsIn({ call }: TeamCaller): Promise<number> {
  const { kind_counts } = JSON.parse(await call('memory_stats', {})) as { kind_counts: { fact: number } };
  return kind_counts.fact;
}

const READS = 200;

/** Recalls in a second, beside one writer, of one process. */
async function beside(
  server: Parameters<Parameters<typeof withServer>[1]>[0],
  texts: readonly string[],
): Promise<number> {
  let writing = true;
  const writer = (async () => {
    for (let i = 0; writing; i++) await server.value('memory_store', fact(`beside ${i}`));
  })();
  const { ms } = await timed(() =>
    Promise.all(
      Array.from({ length: READS }, (_, i) => server.text('memory_recall', { query: texts[i % texts.length] })),
    ),
  );
  writing = false;
  await writer;
  return (READS / ms) * 1_000;
}

async function servedBeside([writer, ...readers]: readonly TeamCaller[], texts: readonly string[]): Promise<number> {
  let writing = true;
  const written = (async () => {
    for (let i = 0; writing && writer; i++) await writer.call('memory_store', fact(`beside ${i}`));
  })();
  const each = Math.ceil(READS / readers.length);
  const { ms } = await timed(() =>
    Promise.all(
      readers.map(async (reader, r) => {
        for (let i = 0; i < each; i++) await reader.call('memory_recall', { query: texts[(r + i) % texts.length] });
      }),
    ),
  );
  writing = false;
  await written;
  return ((each * readers.length) / ms) * 1_000;
}

interface TeamCaller {
  /** @returns the text of the answer @throws Error when it is refused */
  call(tool: string, input: object): Promise<string>;
  /** How many requests it has sent. */
  requests(): number;
}

/** Runs `work` with a server for a team, reached over ways that take as long as is asked for. */
async function withTeamServer<Result>(
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
