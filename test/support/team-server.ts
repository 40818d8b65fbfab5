import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CommandLine, PROGRAM_FILE, withCommandLine } from './command-line';
import { type Calls, callsOf, type Place, serverEnvironment } from './stdio-client';

export interface TeamServer {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  /** Of /metrics. */
  readonly operators: string;
  readonly log: () => string;
  readonly process: ChildProcessWithoutNullStreams;
  /** The exit status, or the name of the signal that ended it. */
  readonly exit: Promise<number | string>;
}

export interface Team extends CommandLine {
  /** A command of `svc-memory admin` that must succeed; its standard output. */
  admin(...args: string[]): Promise<string>;
  /** Starts another process on the same folder. */
  start(...args: string[]): Promise<TeamServer>;
  /** Starts one on another folder, as on another machine. */
  startOn(folder: string): Promise<TeamServer>;
  /** Hands out a token. @param roles `shop=writer` */
  token(person: string, ...roles: string[]): Promise<string>;
}

const FOLDER = 'team';

/** Runs `work` with a server's folder that has the project `shop`, and ends all servers that it started. */
/** @param env of the server, and of what its operator does */
export function withTeam<Result>(
  work: (team: Team) => Promise<Result>,
  env: Readonly<Record<string, string>> = {},
): Promise<Result> {
  return withCommandLine(async (commandLine) => {
    const servers: TeamServer[] = [];
    const admin = async (...args: string[]): Promise<string> => {
      const { status, out, err } = await commandLine.run(['admin', ...args], { env });
      if (status !== 0) throw new Error(`svc-memory admin ${args.join(' ')} ended with ${status}: ${err}`);
      return out;
    };
    await admin('add-project', FOLDER, 'shop');
    const start = async (folder: string, args: readonly string[] = []): Promise<TeamServer> => {
      const server = await startServer(commandLine, folder, args, env);
      servers.push(server);
      return server;
    };
    try {
      return await work({
        ...commandLine,
        admin,
        start: (...args) => start(FOLDER, args),
        startOn: start,
        token: async (person, ...roles) =>
          (await admin('token', FOLDER, '--person', person, '--role', ...roles)).trim(),
      });
    } finally {
      for (const { process } of servers) process.kill('SIGKILL');
      await Promise.all(servers.map(({ exit }) => exit));
    }
  });
}

async function startServer(
  place: Place,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<TeamServer> {
  const addresses = ['--listen', '127.0.0.1:0', '--operate', '127.0.0.1:0'];
  const child = spawn(process.execPath, [PROGRAM_FILE, 'serve', folder, ...addresses, ...args], {
    cwd: place.folder,
    env: serverEnvironment(place, env),
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const exit = new Promise<number | string>((done) => child.on('close', (code, signal) => done(signal ?? code ?? -1)));
  const found: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    found.push(/https?:\/\/[\d.]+:\d+/.exec(line)?.[0] ?? line);
    if (found.length === 2) break;
  }
  const [address, operators] = found;
  if (address === undefined || operators === undefined) throw new Error(`the server did not start: ${log}`);
  return { address, operators, log: () => log, process: child, exit };
}

export interface TeamClient extends Calls {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

/** Connects the official client. @param meta goes with each call */
export async function connectTo(
  { address }: Pick<TeamServer, 'address'>,
  token: string,
  { project = 'shop', meta }: { project?: string; meta?: () => Record<string, unknown> } = {},
): Promise<TeamClient> {
  const transport = new StreamableHTTPClientTransport(new URL(`${address}/${project}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: 'test client', version: '1.0.0' });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return { client, transport, ...callsOf(client, meta) };
}

/** What a request of a client that has shaken hands has at its head, for those that no client sends. */
export function headersOf({ transport }: Pick<TeamClient, 'transport'>, token: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
    'mcp-session-id': transport.sessionId ?? '',
  };
}
