import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallToolResult, CallToolResultSchema, type ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { removeFolder } from './remove-folder';

export const SERVER_FILE = resolve(__dirname, '../../dist/svc-memory-mcp.js');
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

export interface Place {
  /** The working directory of the server: an empty folder of its own, unless `files` puts something there. */
  readonly folder: string;
  /** Its home directory: without a store in `folder`, memories go to `.svc/memory.db` in here. */
  readonly home: string;
}

export interface PlaceOptions {
  /** Files to make before the server starts, by path relative to `folder`. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Runs `work` with two folders of its own, which are removed after it. */
export async function withPlace<Result>(
  options: PlaceOptions,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const base = await mkdtemp(join(tmpdir(), 'svc-memory-test-'));
  const place = { folder: join(base, 'project'), home: join(base, 'home') };
  try {
    await mkdir(place.folder);
    await mkdir(place.home);
    await writeFiles(place, options.files ?? {});
    return await work(place);
  } finally {
    await removeFolder(base);
  }
}

/** @param files by path relative to the place's folder */
export async function writeFiles(place: Place, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(place.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The Node that runs the server; by default the one that runs the test. */
  readonly node?: string;
  readonly args?: readonly string[];
  /** The built server; `svc-memory-mcp` where it is missing. */
  readonly server?: string;
  readonly clientName?: string;
  readonly capabilities?: ClientCapabilities;
  /** Called before the handshake, to set handlers for what the server asks of its client. */
  readonly prepare?: (client: Client) => void;
}

/** Calls of tools, as tests make them. */
export interface Calls {
  /** Calls a tool and returns the whole result, refusals included. */
  readonly call: (tool: string, parameters?: Record<string, unknown>) => Promise<CallToolResult>;
  /** Calls a tool that must succeed and returns its text. */
  readonly text: (tool: string, parameters?: Record<string, unknown>) => Promise<string>;
  /** Calls a tool that must succeed and returns its structured content, or the list that its text is. */
  readonly value: <Value>(tool: string, parameters?: Record<string, unknown>) => Promise<Value>;
  /** Calls a tool that must be refused and returns the refusal's text. */
  readonly refusal: (tool: string, parameters?: Record<string, unknown>) => Promise<string>;
}

export interface ConnectedServer extends Calls {
  readonly client: Client;
  readonly pid: number;
  /** What it has written to standard error so far. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

/** Starts the built server in the place and connects the official client to it. The caller closes it. */
export async function connectServer(place: Place, options: ServerOptions = {}): Promise<ConnectedServer> {
  const transport = new StdioClientTransport({
    command: options.node ?? process.execPath,
    args: [options.server ?? SERVER_FILE, ...(options.args ?? [])],
    cwd: place.folder,
    env: serverEnvironment(place, options.env),
    stderr: 'pipe',
    maxBufferSize: MAX_ANSWER_BYTES,
  });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const client = new Client(
    { name: options.clientName ?? 'test client', version: '1.0.0' },
    { capabilities: options.capabilities ?? {} },
  );
  options.prepare?.(client);
  await client.connect(transport);

  return {
    client,
    pid: transport.pid ?? 0,
    log: () => log,
    ...callsOf(client),
    close: () => client.close(),
  };
}

/** @param meta goes with each call */
export function callsOf(client: Client, meta: () => Record<string, unknown> | undefined = () => undefined): Calls {
  const call = async (tool: string, parameters: Record<string, unknown> = {}): Promise<CallToolResult> => {
    const _meta = meta();
    return CallToolResultSchema.parse(
      await client.callTool({ name: tool, arguments: parameters, ...(_meta ? { _meta } : {}) }),
    );
  };
  const succeed = async (tool: string, parameters?: Record<string, unknown>): Promise<CallToolResult> => {
    const result = await call(tool, parameters);
    if (result.isError) throw new Error(`${tool} was refused: ${textOf(result)}`);
    return result;
  };
  return {
    call,
    text: async (tool, parameters) => textOf(await succeed(tool, parameters)),
    // The test states the shape that it expects; a wrong one fails its assertions.
    value: async <Value>(tool: string, parameters?: Record<string, unknown>) => {
      const result = await succeed(tool, parameters);
      return (result.structuredContent ?? JSON.parse(textOf(result))) as Value;
    },
    refusal: async (tool, parameters) => {
      const result = await call(tool, parameters);
      if (!result.isError) throw new Error(`${tool} was not refused: ${textOf(result)}`);
      return textOf(result);
    },
  };
}

/** Runs `work` with a server of its own in a place of its own, and ends it. */
export function withServer<Result>(
  work: (server: ConnectedServer & Place) => Promise<Result>,
  options: ServerOptions & PlaceOptions = {},
): Promise<Result> {
  return withPlace(options, async (place) => {
    const server = await connectServer(place, options);
    try {
      return await work({ ...server, ...place });
    } finally {
      await server.close();
    }
  });
}

/** The text of a result, which has exactly one content block. */
export function textOf(result: CallToolResult): string {
  const [content] = result.content;
  if (result.content.length !== 1 || content?.type !== 'text') {
    throw new Error(`not one text: ${JSON.stringify(result.content).slice(0, 200)}`);
  }
  return content.text;
}

/** Nothing of the developer's own environment reaches the server but where its programs are, and which SQLite is tested. */
export function serverEnvironment(place: Place, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', SVC_SQLITE = '' } = process.env;
  return { PATH, HOME: place.home, USERPROFILE: place.home, SVC_SQLITE, ...env };
}

/** A message as it came out of the server. */
export interface RawMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The server at the level of lines, for what no well-behaved client does. */
export interface RawServer {
  readonly process: ChildProcessWithoutNullStreams;
  /** Everything that came out on standard output, line by line. */
  readonly lines: readonly string[];
  readonly log: () => string;
  send: (message: object) => void;
  sendLine: (line: string | Buffer) => void;
  /** The first message, past or future, that fits. */
  readonly receive: (fits: (message: RawMessage) => boolean) => Promise<RawMessage>;
  /** Resolves to the exit status, or to the name of the signal that ended it. */
  readonly exit: Promise<number | string>;
}

/** Runs `work` with a server that has shaken hands already, unless `handshake` is false. */
export function withRawServer<Result>(
  work: (server: RawServer & Place) => Promise<Result>,
  options: PlaceOptions & Pick<ServerOptions, 'env' | 'node'> & { readonly handshake?: boolean } = {},
): Promise<Result> {
  return withPlace(options, async (place) => {
    const server = startRawServer(place, options);
    try {
      if (options.handshake !== false) await shakeHands(server);
      return await work({ ...server, ...place });
    } finally {
      server.process.kill('SIGKILL');
      await server.exit;
    }
  });
}

export function startRawServer(place: Place, options: Pick<ServerOptions, 'env' | 'node'> = {}): RawServer {
  const child = spawn(options.node ?? process.execPath, [SERVER_FILE], {
    cwd: place.folder,
    env: serverEnvironment(place, options.env),
  });
  const lines: string[] = [];
  const messages: RawMessage[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    try {
      messages.push(JSON.parse(line) as RawMessage);
    } catch {
      // Kept in `lines`, where the test for a clean standard output finds it.
    }
    for (const look of waiting) look();
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  // A server that has ended no longer reads.
  child.stdin.on('error', () => {});
  return {
    process: child,
    lines,
    log: () => log,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    sendLine: (line) => {
      child.stdin.write(line);
      child.stdin.write('\n');
    },
    receive: (fits) =>
      new Promise((done) => {
        const look = (): void => {
          const found = messages.find(fits);
          if (!found) return;
          waiting.delete(look);
          done(found);
        };
        waiting.add(look);
        look();
      }),
    exit: new Promise((done) => child.on('close', (code, signal) => done(signal ?? code ?? -1))),
  };
}

export async function shakeHands(server: RawServer, capabilities: ClientCapabilities = {}): Promise<RawMessage> {
  server.send({
    jsonrpc: '2.0',
    id: 'handshake',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw test client', version: '1.0.0' } },
  });
  const answer = await server.receive((message) => message.id === 'handshake');
  server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return answer;
}
