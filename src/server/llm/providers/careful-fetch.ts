/** The requests of all providers: no redirects, no endless waits. */
import { MOST_WAIT_MS } from './limits';

const WAITS = [
  ['retry-after-ms', 1],
  ['retry-after', 1_000],
] as const;

/**
 * `fetch` for the clients of providers: what is sent goes to nobody but who was named, so redirects are errors; and a
 * server cannot have anybody wait for longer than MOST_WAIT_MS.
 */
export async function carefulFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'error' });
  const headers = new Headers(response.headers);
  let changed = false;
  for (const [name, unit] of WAITS) {
    const written = headers.get(name);
    if (written === null) continue;
    const wait = Number.isNaN(Number(written)) ? Date.parse(written) - Date.now() : Number(written) * unit;
    if (wait <= MOST_WAIT_MS) continue;
    headers.set(name, String(MOST_WAIT_MS / unit));
    changed = true;
  }
  if (!changed) return response;
  // It was taken out of its encoding already.
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
