/** Where a libSQL server is. */
import { wrongUsage } from '../base/errors';
import { quoted } from '../base/text';

/** A server that holds a database for each project, and what lets us in. */
export interface Engine {
  /** Of its WebSocket: `ws://127.0.0.1:8080`. */
  readonly socket: string;
  /** `127.0.0.1:8080` */
  readonly host: string;
  /** As messages call it. */
  readonly shown: string;
  /** What it asks for, where it asks: a secret. */
  readonly token: string | undefined;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a name of a store is the address of an engine. */
export function isEngineAddress(name: string): boolean {
  return /^(?:libsql|https?|wss?):\/\//i.test(name);
}

export interface Named {
  /** The variable that holds the address. */
  readonly variable?: string;
  /** The operator says that nobody else can read along, as in a network of containers. */
  readonly plainAllowed?: boolean;
}

/** What says so. */
export const PLAIN_VARIABLE = 'SVC_MEMORY_DB_PLAIN';

/**
 * @param address `libsql://host[:port]` (or `https`, `wss`), which speaks TLS, or `http://127.0.0.1:8080` (or `ws`) on
 *   this machine
 * @throws SvcError invalid_input for any other, for one with a token in it, and for plain HTTP over a network
 */
export function engineAt(address: string, token: string | undefined, named: Named = {}): Engine {
  const { protocol, host, isPlain } = parsed(address, ['libsql:', 'https:', 'wss:'], ['http:', 'ws:'], named);
  return { socket: `${isPlain ? 'ws' : 'wss'}://${host}`, host, shown: `${protocol}//${host}`, token };
}

/**
 * Where the databases of an engine are made.
 * @param address `http://127.0.0.1:8081` on this machine, `https://host[:port]` anywhere
 * @throws SvcError as `engineAt`
 */
export function engineAdminAt(address: string, named: Named = {}): string {
  const variable = 'SVC_MEMORY_DB_ADMIN';
  const { protocol, host } = parsed(address, ['https:'], ['http:'], { variable, ...named });
  return `${protocol}//${host}`;
}

function parsed(
  address: string,
  secure: readonly string[],
  plain: readonly string[],
  { variable = 'SVC_MEMORY_DB', plainAllowed = false }: Named,
) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url !== undefined && plain.includes(url.protocol);
  if (!url || !(isPlain || secure.includes(url.protocol)) || url.host === '') {
    throw wrongUsage(
      `${variable} is not the address of a libSQL server`,
      `Set it to ${secure[0]}//<host>, or to http://127.0.0.1:<port> for one on this machine`,
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || url.pathname.length > 1) {
    throw wrongUsage(
      `${variable} holds more than the address of a libSQL server`,
      'Give host and port alone. The token belongs in SVC_MEMORY_DB_TOKEN, and each project has its own database there',
    );
  }
  if (isPlain && !plainAllowed && !LOOPBACK.has(url.hostname)) {
    throw wrongUsage(
      `${variable} names ${quoted(url.host)}, another machine, and memories would go there unprotected`,
      `Use ${secure[0]}//, with something in front of the server that speaks TLS. In a network that nobody else can read, set ${PLAIN_VARIABLE}=yes`,
    );
  }
  return { protocol: url.protocol, host: url.host, isPlain };
}
