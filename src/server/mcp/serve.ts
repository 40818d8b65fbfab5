/** Serves one MCP client from handshake to end. */
import { Server, type ServerOptions } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  InitializeRequestSchema,
  type ServerCapabilities,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { SvcError } from '../base/errors';
import type { Log } from '../base/log';
import { cut, oneLine } from '../base/text';
import type { Project } from '../project/open';
import type { ClientAbilities } from './ask-to-keep';
import { clientRoots } from './client-roots';
import { Folders, type ServedFolder } from './folders';
import type { HostModel } from './host-model';
import { LazyProject } from './lazy-project';
import { methodNotFound } from './protocol-error';
import { SEVERAL_FOLDERS } from './several-folders';

/** What a client can ask for. A method that is not in here does not exist. */
export type Methods = Readonly<Record<string, (params: Params, call: Call) => Promise<object>>>;
export type Params = Readonly<Record<string, unknown>>;
export type Call = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** What a transport asks of the server, and tells it. */
export interface TransportEvents {
  /** Why a request is refused before the SDK sees it; undefined for one that is not. */
  readonly refuse: (method: string, params: unknown) => string | undefined;
  /** Called when the client sends nothing more. */
  readonly onEnd: () => void;
}

/** The way to one client. */
export interface ClientTransport extends Transport {
  /** Takes no more requests, and closes when the open ones are answered, after this many milliseconds at the latest. */
  stop(patienceMs: number): void;
}

export type OpenTransport = (events: TransportEvents) => ClientTransport;

export interface ServeOptions {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly instructions: string;
  readonly capabilities: ServerCapabilities;
  /** Why no store can be opened on this machine: it stands in place of the instructions, and answers each call. */
  readonly missing: SvcError | undefined;
  readonly methods: (folders: Folders, client: ClientAbilities) => Methods;
  /** At least one. A call that names none is about the first. */
  readonly folders: readonly ServedFolder[];
  /** Where a client that offers its model has it asked by others; undefined where that is not possible. */
  readonly hostSocket?: (project: Project) => Promise<string | undefined>;
  /** Makes the first call as fast as later ones; called when the client has been shaken hands with and asks nothing. */
  readonly warmUp?: (project: Project) => Promise<unknown>;
  /** Called when a request has been worked on. */
  readonly onRequest?: () => void;
  /** Ends the server like the end of its input. */
  readonly stop: AbortSignal;
  readonly log: Log;
}

/** The SDK's own way of asking users validates answers with it, and we check ours ourselves. Its default loads ajv. */
export const NO_VALIDATOR: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'Elicitation is not supported.' }),
};
/** Longer names of clients are cut. */
const MAX_CLIENT_NAME = 100;
/** A client that asks at once is not kept waiting by it; most ask for the first thing seconds later. */
const WARM_UP_AFTER_MS = 250;
/** How long a server that is told to stop waits for the calls that it has begun. */
const STOP_PATIENCE_MS = 5_000;

/**
 * Serves one client until its input ends. Resolves when every answer is out and the project is closed.
 * @param openTransport the way to the client: the server is the same on any
 * @param options what it serves, and the project as this client sees it
 */
export async function serve(openTransport: OpenTransport, options: ServeOptions): Promise<void> {
  const { name, title, version, capabilities, missing } = options;
  const instructions = [options.instructions, ...(options.folders.length > 1 ? [SEVERAL_FOLDERS] : [])].join('\n- ');
  const server = new Server(
    { name, title, version },
    {
      capabilities,
      instructions: missing?.message ?? instructions,
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );
  const ended = new AbortController();
  const client = () => cut(oneLine(server.getClientVersion()?.name ?? ''), MAX_CLIENT_NAME) || 'unknown client';
  const openLazily = ({ openProject, openStandIn }: ServedFolder): LazyProject =>
    new LazyProject(
      async () => {
        if (missing) throw missing;
        return openProject(await clientRoots(server, ended.signal), client);
      },
      missing ? undefined : openStandIn,
    );
  const folders = new Folders(options.folders, openLazily);
  const methods = options.methods(folders, {
    asksUser: () => server.getClientCapabilities()?.elicitation !== undefined,
  });

  // Not setRequestHandler: it would parse every request a second time and answer a wrong one in zod's words.
  server.fallbackRequestHandler = async (request, call) => {
    const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    isAsked ||= request.method === 'tools/call';
    if (!method) throw methodNotFound(`There is no method ${oneLine(cut(request.method, 100))}.`);
    try {
      return { ...(await method(request.params ?? {}, call)) };
    } finally {
      options.onRequest?.();
    }
  };
  let isAsked = false;
  const warmUp = async (): Promise<void> => {
    if (!isAsked && !ended.signal.aborted) await options.warmUp?.(await folders.open('read'));
  };
  let offered: Promise<HostModel | undefined> = Promise.resolve(undefined);
  server.oninitialized = () => {
    folders.prepare();
    // What goes wrong is told to the caller that needs it.
    setTimeout(() => void warmUp().catch(() => undefined), WARM_UP_AFTER_MS).unref();
    if (server.getClientCapabilities()?.sampling && options.hostSocket) {
      offered = offer(server, options.hostSocket, () => folders.open('read'), options.log);
    }
  };
  server.onerror = (error) => options.log(`protocol: ${cut(oneLine(error.message), 300)}`);

  const transport = openTransport({ refuse: refuseHandshake, onEnd: () => ended.abort() });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  options.stop.addEventListener('abort', () => transport.stop(STOP_PATIENCE_MS));
  await server.connect(transport);
  await closed;
  await (await offered)?.close();
  await folders.close();
}

/** A client's model that cannot be offered is no reason not to serve the client. */
async function offer(
  server: Server,
  hostSocket: NonNullable<ServeOptions['hostSocket']>,
  open: () => Promise<Project>,
  log: Log,
): Promise<HostModel | undefined> {
  try {
    const path = await hostSocket(await open());
    // Loaded only for clients that offer a model.
    const { offerHostModel } = await import('./host-model');
    return path === undefined ? undefined : await offerHostModel(server, path, log);
  } catch (error) {
    log(`the model of the client is not offered to svc ingest: ${error instanceof Error ? error.message : ''}`);
    return undefined;
  }
}

/** The SDK answers a wrong `initialize` with a list of its validator's findings. */
function refuseHandshake(method: string, params: unknown): string | undefined {
  if (method !== 'initialize') return undefined;
  const [issue] = InitializeRequestSchema.safeParse({ method, params }).error?.issues ?? [];
  return issue && `The parameter "${issue.path.slice(1).join('.')}" of initialize is missing or wrong.`;
}
