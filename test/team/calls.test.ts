import { readFile, rename } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectTo, headersOf, withTeam } from '../support/team-server';

const FACT = { content: 'A body is one string', kind: 'fact' };
const CALLS = 40;

/** Sends one request to the project as a client that has shaken hands, and gives what came back. */
type Send = (
  message: object,
  headers?: Record<string, string>,
) => Promise<{ status: number; type: string; text: string }>;

function withClient(work: (send: Send) => Promise<void>): Promise<void> {
  return withTeam(async (team) => {
    const server = await team.start();
    const token = await team.token('anna', 'shop=writer');
    const anna = await connectTo(server, token);
    await work(async (message, more = {}) => {
      const headers = { ...headersOf(anna, token), ...more };
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      const response = await fetch(`${server.address}/shop/mcp`, { method: 'POST', headers, body });
      return {
        status: response.status,
        type: response.headers.get('content-type') ?? '',
        text: await response.text(),
      };
    });
  });
}

const call = (name: string, input: object, more: object = {}): object => {
  return { method: 'tools/call', params: { name, arguments: input, ...more } };
};

describe('a call of a tool over HTTP', () => {
  it('is answered by one message with its id, whatever the client can take else', () =>
    withClient(async (send) => {
      const stored = await send({ id: 'one', ...call('memory_store', FACT) });
      expect(stored).toMatchObject({ status: 200, type: 'application/json' });
      expect(JSON.parse(stored.text)).toMatchObject({
        ...{ jsonrpc: '2.0', id: 'one' },
        result: { structuredContent: { node_id: expect.any(String) } },
      });
      const sent = { 'content-type': 'application/json; charset=utf-8', 'mcp-protocol-version': '2025-11-25' };
      expect((await send({ id: 2, ...call('memory_recall', { query: 'body' }) }, sent)).text).toContain(FACT.content);
      const wrong = JSON.parse((await send({ id: 3, ...call('memory_store', { kind: 'fact' }) })).text) as object;
      expect(wrong).toMatchObject({ id: 3, result: { isError: true } });
    }));

  it('whose caller has gone is in the log like any other', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const token = await team.token('anna', 'shop=writer');
      const headers = headersOf(await connectTo(server, token), token);
      const lines = (): number => server.log().split('\n').length;
      const before = lines();
      // One write at a time: most of them wait for their turn when the caller goes.
      for (let id = 1; id <= CALLS; id++) {
        const message = { jsonrpc: '2.0', id, ...call('memory_store', { ...FACT, content: `Fact ${id}` }) };
        const asked = request(`${server.address}/shop/mcp`, { method: 'POST', headers });
        asked.on('error', () => {});
        asked.end(JSON.stringify(message), () => setTimeout(() => asked.destroy(), 20));
      }
      await expect.poll(lines, { timeout: 60_000 }).toBeGreaterThanOrEqual(before + CALLS);
    }));

  it('of a tool that is not there is an error of the protocol', () =>
    withClient(async (send) => {
      const { status, text } = await send({ id: 1, ...call('nothing', {}) });
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject({
        id: 1,
        error: { code: -32_602, message: expect.stringContaining('There is no tool "nothing"') },
      });
    }));

  it('that asks for progress gets a stream, and one without an id nothing', () =>
    withClient(async (send) => {
      const streamed = await send({ id: 1, ...call('memory_recall', { query: 'x' }, { _meta: { progressToken: 7 } }) });
      expect(streamed).toMatchObject({ status: 200, type: 'text/event-stream' });
      expect(streamed.text).toContain('event: message');
      expect(await send({ ...call('memory_recall', { query: 'x' }) })).toMatchObject({ status: 202, text: '' });
    }));

  it.each([
    ['takes no stream', 406, { accept: 'application/json' }, {}],
    ['says that it is no JSON', 415, { 'content-type': 'text/plain' }, {}],
    ['is of an unknown version of the protocol', 400, { 'mcp-protocol-version': '1999-01-01' }, {}],
    ['holds more than a message', 400, {}, { more: true }],
    ['has parameters that are no object', 400, {}, { params: 'x' }],
    ['is of a session that is not known', 404, { 'mcp-session-id': 'another' }, {}],
  ] as const)('is refused where it %s', (_, status, headers, more) =>
    withClient(async (send) => {
      const refused = await send({ id: 1, ...call('memory_store', FACT), ...more }, headers);
      expect(refused).toMatchObject({ status, text: expect.stringContaining('"error"') });
      expect((await send({ id: 2, ...call('memory_recall', { query: 'body' }) })).text).not.toContain(FACT.content);
    }),
  );
});

describe('the audit log', () => {
  it('has the line of a call before the call is answered, and goes on in a new file when it was moved away', () =>
    withTeam(async (team) => {
      const anna = await connectTo(await team.start(), await team.token('anna', 'shop=writer'));
      const [file, moved] = [team.path('team', 'audit.jsonl'), team.path('team', 'audit.1')];
      const tools = async (path: string): Promise<string[]> =>
        (await readFile(path, 'utf8'))
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { tool: string }).tool);
      await anna.value('memory_store', FACT);
      expect(await tools(file)).toEqual(['memory_store']);
      await anna.value('memory_end_session', { summary: 'done' });
      expect(await tools(file)).toEqual(['memory_store', 'memory_end_session']);
      await rename(file, moved);
      // Within a second of the last look, it may still write to where it did.
      await delay(1_100);
      await anna.value('memory_store', { ...FACT, content: 'Another body' });
      expect(await tools(file)).toEqual(['memory_store']);
      expect(await tools(moved)).toEqual(['memory_store', 'memory_end_session']);
    }));
});
