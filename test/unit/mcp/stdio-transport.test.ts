import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StdioTransport } from '../../../src/server/mcp/stdio-transport';

type Sent = { readonly id?: number; readonly method: string; readonly params?: object };

/** The methods that reach the listener, in the order in which they came. */
async function heard(...sent: readonly Sent[]): Promise<string[]> {
  const input = new PassThrough();
  const transport = new StdioTransport({ input, output: new PassThrough() });
  const methods: string[] = [];
  transport.onmessage = (message) => {
    if ('method' in message) methods.push(message.method);
  };
  await transport.start();
  for (const message of sent) input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  await setImmediate();
  await transport.close();
  return methods;
}

test('notifications that nothing listens to are let go before anybody looks at them', async () => {
  const progress = { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } };
  const other = { method: 'notifications/of/something' };
  expect(await heard(other, progress, { id: 1, method: 'ping' }, other)).toEqual(['ping']);
});

test('a client says once that it is ready', async () => {
  const ready = { method: 'notifications/initialized' };
  expect(await heard(ready, ready)).toEqual(['notifications/initialized']);
});

test('a cancellation is heard while its request waits', async () => {
  const cancel = (requestId: unknown) => ({ method: 'notifications/cancelled', params: { requestId } });
  const asked = { id: 7, method: 'tools/call' };
  expect(await heard(cancel(7), asked, cancel(8), cancel('7'), cancel(7), cancel(7))).toEqual([
    'tools/call',
    'notifications/cancelled',
  ]);
});
