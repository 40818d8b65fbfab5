/** Calls the server of a team, over Streamable HTTP: one connection for a process, one request for a call. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CALL_KEY, VALUE_KEY } from '../base/call-meta';
import type { ErrorCode } from '../base/errors';
import { TeamError } from '../base/team-error';
import { cut, oneLine } from '../base/text';
import type { TeamCall, TeamMemory } from '../project/team-memory';
import { fetchCopy } from './fetch-copy';
import { followChanges } from './follow-changes';
import { NotGiven } from './not-given';

export interface TeamOptions {
  readonly address: string;
  /** Of this program. */
  readonly version: string;
  /** Undefined where the person has none. @param again the last one lets nobody in */
  readonly token: (again: boolean) => Promise<string | undefined>;
}

const LIMIT_MS = 20_000;
/** Saying good-bye keeps nobody waiting. */
const CLOSE_LIMIT_MS = 500;
/** Of what a server says is wrong. */
const MAX_SAID = 500;
const [UNAUTHORIZED, FORBIDDEN, UNKNOWN] = [401, 403, 404];
/** What is sent once more is refused once more; but for what took too long, or came too often. */
const CALLERS_FAULT = /^4(?!08|29)\d\d$/;

interface Connection {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

export function connectTeam({ address, version, token }: TeamOptions): TeamMemory {
  let connection: Promise<Connection> | undefined;

  const connect = async (again: boolean): Promise<Connection> => {
    const secret = await token(again);
    if (secret === undefined) throw NO_TOKEN(address);
    const transport = new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {
      // The SDK follows no redirect to another server, which would get the token.
      requestInit: { headers: { authorization: `Bearer ${secret}` } },
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 0,
        maxReconnectionDelay: 0,
        reconnectionDelayGrowFactor: 1,
      },
    });
    const client = new Client({ name: 'svc-memory', version });
    // The SDK's own types do not agree on whether a session may be undefined.
    await client.connect(transport as Parameters<Client['connect']>[0]);
    return { client, transport };
  };
  /** @param instead of one that is no good any more; several calls may have been told so at once */
  const connected = (instead?: Promise<Connection>, isRefused = false): Promise<Connection> => {
    if (connection === instead) connection = undefined;
    if (!connection) {
      const made = connect(isRefused);
      connection = made;
      made.catch(() => {
        if (connection === made) connection = undefined;
      });
    }
    return connection;
  };

  /** With the token; where that lets nobody in, once more with what its source gives now. */
  const withToken = async <Answer>(ask: (secret: string) => Promise<Answer>): Promise<Answer> => {
    const asked = async (again: boolean): Promise<Answer> => {
      const secret = await token(again);
      if (secret === undefined) throw NO_TOKEN(address);
      return ask(secret);
    };
    return asked(false).catch((error: unknown) => {
      if (statusOf(error) !== UNAUTHORIZED) throw error;
      return asked(true);
    });
  };

  const callOnce = async (
    { client }: Connection,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    { callKey, sending }: Pick<TeamCall, 'callKey' | 'sending'>,
    signal: AbortSignal,
  ): Promise<unknown> => {
    await sending?.();
    const _meta = { [VALUE_KEY]: true, ...(callKey === undefined ? {} : { [CALL_KEY]: callKey }) };
    const {
      isError,
      content,
      _meta: told,
    } = await client.callTool({ name: tool, arguments: input, _meta }, undefined, { signal, timeout: LIMIT_MS * 2 });
    if (isError === true) throw refusalIn(content);
    return told?.[VALUE_KEY];
  };

  return {
    address,
    async call(tool, input, { signal: given, limitMs = LIMIT_MS, ...how }: TeamCall = {}) {
      const limit = AbortSignal.timeout(limitMs);
      const signal = given ? AbortSignal.any([given, limit]) : limit;
      const first = connected();
      try {
        return await within(
          signal,
          first.then((made) => callOnce(made, tool, input, how, signal)),
        ).catch((error: unknown) => {
          // The server has forgotten this client, or the token was renewed: nothing was carried out. And who only reads
          // asks once more where the server was started again, which cuts the line that was kept open.
          const isCut = how.sending === undefined && statusOf(error) === undefined && isFetchFailure(error);
          if (signal.aborted || !(isCut || isBegunAnew(error))) throw error;
          return within(
            signal,
            connected(first, statusOf(error) === UNAUTHORIZED).then((made) => callOnce(made, tool, input, how, signal)),
          );
        });
      } catch (error) {
        throw inWords(error, address, limit.aborted);
      }
    },
    fetchCopy: (file, known, signal) => withToken((secret) => fetchCopy({ address, secret, file, known, signal })),
    async follow(heard, signal) {
      try {
        await withToken((secret) => followChanges({ address, secret, heard, signal }));
      } catch (error) {
        throw inWords(error, address, false);
      }
    },
    async close() {
      const made = await connection?.catch(() => undefined);
      connection = undefined;
      if (!made) return;
      const limit = AbortSignal.timeout(CLOSE_LIMIT_MS);
      await within(limit, made.transport.terminateSession()).catch(() => undefined);
      await made.client.close();
    },
  };
}

const shut = (problem: string, remedy: string): TeamError => new TeamError('shut', 'unavailable', problem, remedy);

const NO_TOKEN = (address: string): TeamError =>
  new TeamError(
    'shut',
    'unavailable',
    `The team's memory at ${address} needs a token, and there is none`,
    'Set SVC_MEMORY_TOKEN, or SVC_MEMORY_TOKEN_COMMAND to a command that prints it',
    true,
  );

/** Whatever is waited for, it is not waited for any longer. */
function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

function isBegunAnew(error: unknown): boolean {
  const status = statusOf(error);
  return status === UNKNOWN || status === UNAUTHORIZED;
}

/** Of Node: nobody answered, or the line was cut. */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError;
}

/** The SDK tells a token that lets nobody in by an error of its own. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof StreamableHTTPError) return error.code;
  if (error instanceof NotGiven) return error.status;
  return error instanceof Error && error.name === 'UnauthorizedError' ? UNAUTHORIZED : undefined;
}

const CODES: readonly ErrorCode[] = ['invalid_input', 'not_found', 'conflict', 'unavailable'];

/** What the server refuses in its own words: on one line, so that they are not taken for ours. */
function refusalIn(content: unknown): TeamError {
  const [first] = Array.isArray(content) ? (content as { text?: unknown }[]) : [];
  const text = typeof first?.text === 'string' ? first.text : '';
  const [, code = '', said = text] = /^(\w+): ([\s\S]*)$/.exec(text) ?? [];
  const known = CODES.find((one) => one === code) ?? 'unavailable';
  return new TeamError(
    'refused',
    known,
    `The team's server refuses it: ${cut(oneLine(said), MAX_SAID)}`,
    'Nothing was changed there',
  );
}

function inWords(error: unknown, address: string, isTooLate: boolean): Error {
  // What asks for the token is in another bundle, with an error class of its own.
  if (error instanceof Error && error.name === 'SvcError') return error;
  const status = statusOf(error);
  if (status === UNAUTHORIZED) {
    return shut(
      `The team's memory at ${address} lets nobody in with this token`,
      'Ask the operator of the server for one that is valid. What SVC_MEMORY_TOKEN_COMMAND prints is taken at the next call; a program that was started with SVC_MEMORY_TOKEN has to be started again',
    );
  }
  if (status === FORBIDDEN) {
    return shut(
      `Your token is for another project than ${address}`,
      'Ask the operator of the server for one for this project',
    );
  }
  if (status === UNKNOWN) {
    return shut(`There is no team's memory at ${address}`, 'Correct "team" in .svc/config.yaml');
  }
  const why = isTooLate ? 'in time' : status === undefined ? '' : `but with status ${status}`;
  return new TeamError(
    status !== undefined && CALLERS_FAULT.test(String(status)) ? 'refused' : 'silent',
    'unavailable',
    oneLine(`The team's memory at ${address} does not answer ${why}`).trim(),
    'Nothing was changed there. Try again later',
  );
}
