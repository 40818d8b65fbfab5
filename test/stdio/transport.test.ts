import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type RawServer, withRawServer } from '../support/stdio-client';

const store = (id: number, content: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'memory_store', arguments: { content, kind: 'fact' } },
});

const ping = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' });
const answerTo = (server: RawServer, id: unknown) => server.receive((message) => message.id === id);

describe('a line that is no message', () => {
  test('is answered with a parse error when it is not JSON, and the connection lives on', () =>
    withRawServer(async (server) => {
      server.sendLine('{"jsonrpc": "2.0", "id": 1, ');
      const answer = await server.receive((message) => message.error !== undefined);
      expect(answer).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
      server.send(ping(2));
      expect(await answerTo(server, 2)).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    }));

  test.each([
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null],
    ['a number', '17', null],
    ['a request without a version', '{"id":7,"method":"ping"}', 7],
    ['a request with a list of parameters', '{"jsonrpc":"2.0","id":"x","method":"ping","params":[]}', 'x'],
    ['a request whose id is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
    [
      'a progress token that is an object',
      '{"jsonrpc":"2.0","id":8,"method":"ping","params":{"_meta":{"progressToken":{}}}}',
      8,
    ],
  ])('is answered as an invalid request when it is %s', (_, line, id) =>
    withRawServer(async (server) => {
      server.sendLine(line);
      const answer = await server.receive((message) => message.error !== undefined);
      expect(answer).toMatchObject({ jsonrpc: '2.0', id, error: { code: -32600 } });
      server.send(ping('after'));
      await answerTo(server, 'after');
    }),
  );

  test('is passed over when it is empty, and a carriage return belongs to the line break', () =>
    withRawServer(async (server) => {
      server.sendLine('\n\r');
      server.sendLine(`${JSON.stringify(ping(1))}\r`);
      await answerTo(server, 1);
      expect(server.lines).toHaveLength(2);
    }));

  test('is answered in our words when it is a handshake without parameters', () =>
    withRawServer(
      async (server) => {
        server.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: {} } });
        expect(await answerTo(server, 1)).toMatchObject({
          error: { code: -32602, message: 'The parameter "protocolVersion" of initialize is missing or wrong.' },
        });
      },
      { handshake: false },
    ));
});

describe('a message', () => {
  test('of 40 MB on one line is read and answered', () =>
    withRawServer(async (server) => {
      // Reading that joins the line again for each chunk takes minutes, longer than a test may.
      server.send(store(1, 'x'.repeat(40_000_000)));
      const answer = await answerTo(server, 1);
      expect(answer.result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^invalid_input: "content"/) }],
      });
    }));

  test('of 200 MB is not kept while it arrives: it is refused before its end, and the next one is answered', () =>
    withRawServer(async (server) => {
      const { stdin } = server.process;
      const whole = JSON.stringify(store(1, '…'));
      const piece = 'x'.repeat(1_000_000);
      stdin.write(whole.slice(0, whole.indexOf('…')));
      const refused = server.receive((message) => message.error !== undefined);
      for (let sent = 0; sent < 200; sent++) if (!stdin.write(piece)) await once(stdin, 'drain');
      expect(await refused).toMatchObject({ id: null, error: { code: -32600 } });
      server.sendLine(whole.slice(whole.indexOf('…') + 1));
      server.send(ping(2));
      await answerTo(server, 2);
      // The handshake, the refusal and this.
      expect(server.lines).toHaveLength(3);
    }));

  test.each([
    ['nothing listens to', 'notifications/x', {}],
    ['tell of progress that nobody asked for', 'notifications/progress', { progressToken: 1, progress: 1 }],
    ['cancel what was not asked', 'notifications/cancelled', { requestId: 77 }],
    ['say again that the client is ready', 'notifications/initialized', {}],
  ])('is answered after 100,000 notifications that %s, about which no word is said', (_, method, params) =>
    withRawServer(async (server) => {
      server.sendLine(
        Array.from({ length: 100_000 }, () => JSON.stringify({ jsonrpc: '2.0', method, params })).join('\n'),
      );
      server.send(ping(1));
      await answerTo(server, 1);
      expect(server.lines).toHaveLength(2);
      expect(server.log()).toBe('');
    }),
  );

  test('arrives whole however it is cut into pieces, in the middle of a character, too', () =>
    withRawServer(async (server) => {
      const bytes = Buffer.from(`${JSON.stringify(store(1, 'Grüße aus 東京 🗼'))}\n`);
      for (const byte of bytes.subarray(0, -1)) {
        server.process.stdin.write(Buffer.from([byte]));
        if (byte > 0x7f) await delay(1);
      }
      server.process.stdin.write('\n');
      await answerTo(server, 1);
      server.send({
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'memory_recall', arguments: { query: '東京' } },
      });
      expect(JSON.stringify((await answerTo(server, 2)).result)).toContain('Grüße aus 東京 🗼');
    }));

  test('of a client that reads nothing for a while does not get lost', () =>
    withRawServer(async (server) => {
      server.process.stdout.pause();
      for (let id = 0; id < 300; id++) server.send({ jsonrpc: '2.0', id, method: 'tools/list' });
      await delay(300);
      server.process.stdout.resume();
      for (let id = 0; id < 300; id++) await answerTo(server, id);
    }));
});

describe('the end', () => {
  test('of standard input ends the process with status 0', () =>
    withRawServer(async (server) => {
      server.process.stdin.end();
      expect(await server.exit).toBe(0);
    }));

  test('of standard input before a handshake ends it, too', () =>
    withRawServer(
      async (server) => {
        server.process.stdin.end();
        expect(await server.exit).toBe(0);
      },
      { handshake: false },
    ));

  test('of standard input waits for the calls in flight, and their answers still arrive', () =>
    withRawServer(async (server) => {
      for (let id = 0; id < 50; id++) server.send(store(id, `Fact number ${id}.`));
      server.process.stdin.end();
      expect(await server.exit).toBe(0);
      for (let id = 0; id < 50; id++) expect((await answerTo(server, id)).result).toHaveProperty('structuredContent');
    }));

  test('takes a last message without a line break', () =>
    withRawServer(async (server) => {
      server.process.stdin.end(JSON.stringify(ping('last')));
      expect(await server.exit).toBe(0);
      expect(await answerTo(server, 'last')).toHaveProperty('result');
    }));

  test('of the reader ends the process quietly', () =>
    withRawServer(async (server) => {
      server.process.stdout.destroy();
      server.send(ping(1));
      server.send(ping(2));
      expect(await server.exit).toBe(0);
      expect(server.log()).toBe('');
    }));

  test.runIf(process.platform !== 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'by %s finishes the calls in flight and has status 0',
    (signal) =>
      withRawServer(async (server) => {
        for (let id = 0; id < 20; id++) server.send(store(id, `Fact number ${id}.`));
        await answerTo(server, 0);
        server.process.kill(signal);
        expect(await server.exit).toBe(0);
        expect(server.log()).toBe('');
        const answered = server.lines.length - 1;
        expect(answered).toBeGreaterThan(0);
        for (const line of server.lines) JSON.parse(line);
      }),
  );
});

test('nothing but JSON-RPC comes out on standard output, whatever goes wrong', () =>
  withRawServer(async (server) => {
    server.sendLine('nonsense');
    server.send({ jsonrpc: '2.0', id: 1, method: 'no/such/method' });
    server.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: {} });
    server.send({ jsonrpc: '2.0', method: 'notifications/nonsense' });
    server.send({ jsonrpc: '2.0', id: 99, result: {} });
    server.send(store(3, ''));
    server.send(store(4, 'A fact.'));
    server.send({ jsonrpc: '2.0', id: 5, method: 'tools/list' });
    server.process.stdin.end();
    await server.exit;
    expect(server.lines.length).toBeGreaterThanOrEqual(7);
    for (const line of server.lines) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
  }));
