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

/**
 * @param address `libsql://host[:port]`, which speaks TLS, or `http://127.0.0.1:8080` on this machine
 * @throws SvcError invalid_input for any other, for one with a token in it, and for plain HTTP over a network
 */
export function engineAt(address: string, token: string | undefined, variable = 'SVC_MEMORY_DB'): Engine {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url?.protocol === 'http:';
  if (!url || !(isPlain || url.protocol === 'libsql:') || url.host === '') {
    throw wrongUsage(
      `${variable} is not the address of a libSQL server`,
      'Set it to libsql://<host>, or to http://127.0.0.1:<port> for one on this machine',
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.pathname.length > 1) {
    throw wrongUsage(
      `${variable} holds more than the address of a libSQL server`,
      'Give host and port alone. The token belongs in SVC_MEMORY_DB_TOKEN, and each project has its own database there',
    );
  }
  if (isPlain && !LOOPBACK.has(url.hostname)) {
    throw wrongUsage(
      `${quoted(url.host)} is another machine, and memories would go there unprotected`,
      'Use libsql://, with something in front of the server that speaks TLS',
    );
  }
  return {
    socket: `${isPlain ? 'ws' : 'wss'}://${url.host}`,
    host: url.host,
    shown: `${url.protocol}//${url.host}`,
    token,
  };
}
