import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { NoAnswer } from '../../../src/server/llm/provider';
import { carefulFetch } from '../../../src/server/llm/providers/careful-fetch';
import { withinLimit } from '../../../src/server/llm/within-limit';

async function withServer(answer: (response: ServerResponse) => void, work: (url: string) => Promise<void>) {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it.each([
  ['retry-after', '99999', '30'],
  ['retry-after', 'Fri, 31 Dec 2100 00:00:00 GMT', '30'],
  ['retry-after-ms', '99999', '30000'],
  ['retry-after', '5', '5'],
])('a server that asks with %s to wait for %s has us wait for %s', async (name, asked, kept) => {
  await withServer(
    (response) => response.writeHead(429, { [name]: asked }).end('{"error":1}'),
    async (url) => {
      const response = await carefulFetch(url);
      expect([response.status, response.headers.get(name), await response.text()]).toEqual([429, kept, '{"error":1}']);
    },
  );
});

it('follows no redirect', async () => {
  let reached = 0;
  await withServer(
    (response) => {
      reached += 1;
      response.end('{}');
    },
    (elsewhere) =>
      withServer(
        (response) => response.writeHead(307, { location: elsewhere }).end(),
        async (url) => {
          await expect(carefulFetch(url, { method: 'POST', body: 'secret' })).rejects.toThrow(TypeError);
          expect(reached).toBe(0);
        },
      ),
  );
});

it('gives a question up after its time, even when nothing listens to the signal', async () => {
  const never = new Promise<never>(() => {});
  await expect(withinLimit(new AbortController().signal, 20, () => never)).rejects.toThrow(NoAnswer);
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stopped')), 5);
  await expect(withinLimit(stop.signal, 60_000, () => never)).rejects.toThrow('stopped');
});
