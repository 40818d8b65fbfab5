/** The HTTP door of a team's server: who comes in, to which project, and what is refused before any tool. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { InitializeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../base/clock';
import { SvcError, unavailable } from '../base/errors';
import { readStream } from '../base/read-stream';
import { oneLine } from '../base/text';
import { answerCall, callIn } from './answer-call';
import { answerRequest, SESSION_HEADER } from './answer-request';
import type { Changes } from './changes';
import type { Caller, Clients } from './clients';
import type { RequestLog } from './request-log';
import type { Snapshots } from './snapshots';
import type { TeamFolder } from './team-folder';
import type { Visitor } from './tokens';

interface DoorOptions {
  readonly folder: TeamFolder;
  readonly clients: Clients;
  readonly snapshots: Snapshots;
  readonly changes: Changes;
  /** Who a token lets in. */
  readonly visitor: (token: string) => Promise<Visitor | undefined>;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly log: RequestLog;
  readonly refusedWith: (status: number) => void;
  readonly clock: Clock;
}

/** Imports go in parts; content of a memory is at most 100 kB. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** A client that sends slower than this is cut off. */
const REQUEST_TIMEOUT_MS = 60_000;

/** What was refused, and how the caller is told. */
class Refusal {
  constructor(
    readonly status: number,
    readonly message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

const PATH = /^\/([a-z0-9-]+)\/(mcp|snapshot|changes)$/;

export class HttpDoor {
  private readonly server: Server;
  private open = 0;
  private idle: (() => void) | undefined;

  constructor(private readonly options: DoorOptions) {
    const limits = { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: REQUEST_TIMEOUT_MS };
    const listener = (request: IncomingMessage, response: ServerResponse): void => void this.handle(request, response);
    this.server = options.tls ? secureServer({ ...options.tls, ...limits }, listener) : createServer(limits, listener);
  }

  /** @returns the port */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  /** Lets nobody in any more, and resolves when those inside are answered, or when they have had their time. */
  async close(patienceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    const answered = new Promise<void>((resolve) => {
      this.idle = resolve;
      if (this.open === 0) resolve();
    });
    const late = new Promise<void>((resolve) => setTimeout(resolve, patienceMs).unref());
    await Promise.race([answered, late]);
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = this.options.clock();
    this.open++;
    const told: { project?: string; person?: string } = {};
    try {
      const answer = await this.answer(request, response, told);
      await send(response, answer);
    } catch (error) {
      // A client that went away while it was sending is no defect.
      if (!(error instanceof Refusal) && request.destroyed && !request.complete) return;
      const refusal = error instanceof Refusal ? error : defect(error, this.options.log);
      this.options.refusedWith(refusal.status);
      if (!response.headersSent) refuse(response, refusal);
      else response.destroy();
    } finally {
      this.open--;
      if (this.open === 0) this.idle?.();
      const { method = '', url = '' } = request;
      this.options.log.request({
        ...{ method, path: PATH.test(url) ? url : '(other)', status: response.statusCode },
        ...told,
        ms: this.options.clock() - began,
      });
    }
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    told: { project?: string; person?: string },
  ): Promise<Response | Message> {
    const { clients } = this.options;
    if (request.url === '/health') return Response.json({ status: 'ok' });
    refusePages(request);
    const caller = await this.callerOf(request);
    Object.assign(told, { project: caller.project, person: caller.person });
    const part = partOf(request);
    if (part === 'snapshot') return this.giveSnapshot(request, response, caller);
    if (part === 'changes') return this.tellChanges(request, response, caller);
    const session = request.headers[SESSION_HEADER];
    const stop = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) stop.abort();
    });
    if (request.method === 'DELETE') {
      if (typeof session === 'string' && (await clients.end(session, caller)))
        return new Response(null, { status: 204 });
      throw UNKNOWN_SESSION;
    }
    if (request.method !== 'POST')
      throw new Refusal(405, 'Only POST and DELETE are answered', { allow: 'POST, DELETE' });
    const body = await readBody(request);
    const call = typeof session === 'string' ? callIn(request.headers, body) : undefined;
    if (call && typeof session === 'string') {
      const message = await clients.with(session, caller, (client) => answerCall(call, client, stop));
      if (message === undefined) throw UNKNOWN_SESSION;
      return { message };
    }
    const asked = new Request(`http://localhost${request.url ?? ''}`, {
      method: 'POST',
      headers: headersOf(request),
      signal: stop.signal,
    });
    const handshake = InitializeRequestSchema.safeParse(body);
    if (handshake.success) {
      const begun = await clients.begin(caller, handshake.data.params.clientInfo.name);
      const answer = await answerRequest(asked, body, undefined);
      answer.headers.set(SESSION_HEADER, begun);
      return answer;
    }
    if (typeof session !== 'string')
      throw new Refusal(400, `The header ${SESSION_HEADER} is missing. Call initialize first`);
    const answer = await clients.with(session, caller, async (client) => {
      const made = await answerRequest(asked, body, client);
      if (!made.headers.get('content-type')?.startsWith('text/event-stream')) return made;
      // The client is at work until its stream has ended.
      await send(response, made);
      return made;
    });
    if (!answer) throw UNKNOWN_SESSION;
    return answer;
  }

  /** To everybody in the project: all of them may read. */
  private async giveSnapshot(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<Response> {
    requireGet(request);
    await this.options.snapshots.answer(caller.project, request.headers['if-none-match'], response);
    return new Response(null, { status: response.statusCode });
  }

  private async tellChanges(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<Response> {
    requireGet(request);
    const { changes } = this.options;
    const full = changes.fullFor(caller);
    if (full === 'person') throw new Refusal(429, 'You listen to this project as often as one may', LATER);
    if (full !== undefined) throw new Refusal(503, 'Nobody else can listen here now', LATER);
    const mayListen = (): Promise<boolean> =>
      this.callerOf(request).then(
        () => true,
        () => false,
      );
    await changes.tell(caller, mayListen, response);
    return new Response(null, { status: response.statusCode });
  }

  /** @throws Refusal for a token that lets nobody in, and for a project that is not this person's */
  private async callerOf(request: IncomingMessage): Promise<Caller> {
    const { folder, visitor } = this.options;
    const project = PATH.exec(pathOf(request))?.[1];
    if (project === undefined) throw new Refusal(404, 'The address of a project is /<project>/mcp');
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const found = token === undefined ? undefined : await visitor(token);
    if (!found) {
      throw new Refusal(401, 'A token that is valid here is missing. Ask the operator of the server for one', {
        'www-authenticate': token === undefined ? 'Bearer' : 'Bearer error="invalid_token"',
      });
    }
    const role = found.roleIn(project);
    // Who may not come in learns nothing of what is there.
    if (!role || !folder.has(project)) throw new Refusal(403, 'Your token is for another project');
    return { project, person: found.person, role };
  }
}

/** @throws SvcError unavailable for a certificate and a key that do not fit */
function secureServer(...given: Parameters<typeof createSecureServer>): Server {
  try {
    return createSecureServer(...given);
  } catch (error) {
    throw unavailable(
      `The certificate and the key cannot be used (${oneLine(error instanceof Error ? error.message : '')})`,
      'Give a certificate, and the key that belongs to it, in PEM form',
    );
  }
}

const UNKNOWN_SESSION = new Refusal(404, 'This session is not known, or not any more. Call initialize again');

const LATER = { 'retry-after': '60' };

function requireGet({ method }: IncomingMessage): void {
  if (method !== 'GET') throw new Refusal(405, 'Only GET is answered', { allow: 'GET' });
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function partOf(request: IncomingMessage): string | undefined {
  return PATH.exec(pathOf(request))?.[2];
}

/** Pages of other sites send their origin, programs send none. */
function refusePages({ headers }: IncomingMessage): void {
  if (headers.origin !== undefined) throw new Refusal(403, 'Pages of a browser are not answered');
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  // What says that it is too large is not read: else the answer would meet a client that is still sending.
  const isLarge = Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES;
  const sent = isLarge ? undefined : await readStream(request, MAX_BODY_BYTES);
  if (!sent)
    throw new Refusal(413, `A request has at most ${MAX_BODY_BYTES} bytes. Send less at once`, { connection: 'close' });
  try {
    return JSON.parse(sent.toString('utf8'));
  } catch {
    throw new Refusal(400, 'The request is not JSON');
  }
}

function headersOf({ headers }: IncomingMessage): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') all.set(name, value);
  }
  // It is for this door alone.
  all.delete('authorization');
  return all;
}

/** One message of the protocol, as JSON. */
interface Message {
  readonly message: string;
}

async function send(response: ServerResponse, answer: Response | Message): Promise<void> {
  if (response.headersSent) return;
  // The caller has gone: nothing tells so once more.
  if (response.destroyed) {
    if ('body' in answer) await answer.body?.cancel();
    return;
  }
  if ('message' in answer) {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer.message) };
    response.writeHead(200, headers).end(answer.message);
    await new Promise<void>((resolve) => response.on('close', resolve));
    return;
  }
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    response.end();
    return;
  }
  const stream = Readable.fromWeb(answer.body as never);
  await new Promise<void>((resolve) => {
    response.on('close', resolve);
    stream.on('error', () => response.destroy());
    stream.pipe(response);
  });
}

function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}

/** What is wrong with the server is told to whoever runs it. */
function defect(error: unknown, log: RequestLog): Refusal {
  if (error instanceof SvcError) {
    log.event('warning', error.message);
    return new Refusal(503, error.said);
  }
  log.event('error', error instanceof Error ? (error.stack ?? error.message) : String(error));
  return new Refusal(500, 'Internal error in svc-memory. Nothing was changed');
}
