import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import {
  MAX_ANSWER_LENGTH,
  MAX_MESSAGE_BYTES,
  MOST_AT_ONCE,
  MOST_CONNECTIONS,
  MOST_QUESTIONS,
} from '../../../src/question/limits';
import { type AnswerQuestions, questionServer } from '../../../src/question/question-server';
import type { HostResponse, Judged } from '../../../src/question/wire';

const CANDIDATE = { id: 'c1', kind: 'class', name: 'Store', path: 'src/a.ts', signature: '', summary: '' };
const QUESTION = { document: 'docs/a.md', heading: 'A', section: 'Store', candidates: [CANDIDATE] };
const ASKED = { question: QUESTION, folder: '/project', sections: 3 };

interface Client {
  readonly socket: Socket;
  readonly responses: HostResponse[];
  send(message: object): void;
  until(count: number): Promise<void>;
  readonly closed: Promise<void>;
}

async function withServer(
  answers: Partial<AnswerQuestions>,
  work: (connect: () => Promise<Client>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-question-'));
  const path = join(folder, 'model.sock');
  const clients: Client[] = [];
  const { server, close } = questionServer({
    admits: async () => true,
    answer: async () => ({ text: 'an answer', model: 'm' }),
    ...answers,
  });
  await new Promise<void>((done) => server.listen(path, done));
  try {
    await work(async () => {
      const client = await connected(path);
      clients.push(client);
      return client;
    });
  } finally {
    for (const { socket } of clients) socket.destroy();
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function connected(path: string): Promise<Client> {
  const socket = createConnection({ path });
  socket.on('error', () => {});
  const responses: HostResponse[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: socket }).on('line', (line) => {
    responses.push(JSON.parse(line) as HostResponse);
    for (const look of waiting) look();
  });
  const closed = new Promise<void>((done) => socket.on('close', () => done()));
  await new Promise<void>((done) => socket.on('connect', done));
  return {
    ...{ socket, responses, closed },
    send: (message) => void socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    until: (count) =>
      new Promise((done) => {
        const look = (): void => {
          if (responses.length >= count) done();
        };
        waiting.add(look);
        look();
      }),
  };
}

const codeOf = (response: HostResponse | undefined): number | undefined =>
  response && 'error' in response ? response.error.code : undefined;

it('answers a question about a section, and no other', async () => {
  const asked: unknown[] = [];
  const answer = async (one: unknown) => {
    asked.push(one);
    return { text: 'an answer', model: 'm' };
  };
  await withServer({ answer }, async (connect) => {
    const client = await connect();
    const text = { type: 'text', text: 'Write something long' };
    const sampling = { messages: [{ role: 'user', content: text }], systemPrompt: '', maxTokens: 100_000 };
    client.send({ id: 1, method: 'sampling/createMessage', params: sampling });
    client.send({ id: 2, method: 'svc/judge', params: { ...ASKED, ...sampling } });
    client.send({ id: 3, method: 'svc/judge', params: ASKED });
    await client.until(3);
    const ordered = client.responses.toSorted((a, b) => a.id - b.id);
    expect(ordered.map(codeOf)).toEqual([-32601, -32602, undefined]);
    expect(ordered[2]).toEqual({ jsonrpc: '2.0', id: 3, result: { text: 'an answer', model: 'm' } });
    expect(asked).toEqual([ASKED]);
  });
});

it('asks nobody before who asks is let in', async () => {
  const asked: unknown[] = [];
  const answer = async (one: unknown) => {
    asked.push(one);
    return { text: '', model: '' };
  };
  await withServer({ answer, admits: async ({ token }) => token === 'secret' }, async (connect) => {
    const client = await connect();
    client.send({ id: 1, method: 'svc/judge', params: ASKED });
    client.send({ id: 2, method: 'svc/judge', params: { ...ASKED, token: 'secret' } });
    await client.until(2);
    expect(client.responses.toSorted((a, b) => a.id - b.id).map(codeOf)).toEqual([-1, undefined]);
    expect(asked).toHaveLength(1);
  });
});

it('reads no further while its answers are not read, and answers all in the end', async () => {
  await withServer({}, async (connect) => {
    const { socket } = await connect();
    socket.removeAllListeners('data').pause();
    const most = 300_000;
    let answered = 0;
    for (let id = 1; id <= most; id += 1) socket.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
    let [before, now] = [-1, socket.writableLength];
    while (before !== now) {
      await new Promise((later) => setTimeout(later, 200));
      [before, now] = [now, socket.writableLength];
    }
    expect(now).toBeGreaterThan(1_000_000);
    await new Promise<void>((done) => {
      socket.on('data', (chunk: Buffer) => {
        for (const byte of chunk) answered += byte === 10 ? 1 : 0;
        if (answered === most) done();
      });
      socket.resume();
    });
  });
});

it('has a few questions answered at once, lets some wait, and refuses the rest politely', async () => {
  let running = 0;
  let most = 0;
  let answered = 0;
  let release = (): void => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  const answer = async () => {
    running += 1;
    most = Math.max(most, running);
    await held;
    running -= 1;
    answered += 1;
    return { text: '', model: '' };
  };
  await withServer({ answer }, async (connect) => {
    const clients = [await connect(), await connect()];
    const tooMany = 500;
    for (const client of clients) {
      for (let id = 1; id <= tooMany; id += 1) client.send({ id, method: 'svc/judge', params: ASKED });
    }
    for (const client of clients) {
      await client.until(tooMany - MOST_QUESTIONS);
      expect(new Set(client.responses.map(codeOf))).toEqual(new Set([-3]));
    }
    release();
    for (const client of clients) await client.until(tooMany);
    expect({ most, answered }).toEqual({ most: MOST_AT_ONCE, answered: 2 * MOST_QUESTIONS });
  });
});

it('forgets what nobody waits for any more', async () => {
  let calls = 0;
  let stopped = 0;
  let began = (): void => {};
  const first = new Promise<void>((done) => {
    began = done;
  });
  const answer: AnswerQuestions['answer'] = async (_, stop) => {
    calls += 1;
    began();
    await new Promise<void>((done) => stop.addEventListener('abort', () => done()));
    stopped += 1;
    return { text: '', model: '' };
  };
  await withServer({ answer }, async (connect) => {
    const client = await connect();
    for (let id = 1; id <= MOST_QUESTIONS; id += 1) client.send({ id, method: 'svc/judge', params: ASKED });
    await first;
    client.socket.destroy();
    await expect.poll(() => stopped).toBe(MOST_AT_ONCE);
    const other = await connect();
    other.send({ id: 1, method: 'ping' });
    await other.until(1);
    expect(calls).toBe(MOST_AT_ONCE);
  });
});

it('waits for no model that hangs, not even for one that heeds no signal: the next questions have their turns', async () => {
  let calls = 0;
  const answer = (): Promise<Judged> => {
    calls += 1;
    return calls > 2 * MOST_AT_ONCE ? Promise.resolve({ text: 'an answer', model: 'm' }) : new Promise(() => {});
  };
  await withServer({ answer, limitMs: 200 }, async (connect) => {
    const client = await connect();
    for (let id = 1; id <= MOST_AT_ONCE; id += 1) client.send({ id, method: 'svc/judge', params: ASKED });
    await client.until(MOST_AT_ONCE);
    expect(new Set(client.responses.map(codeOf))).toEqual(new Set([-32603]));
    // And where who asked has gone.
    const other = await connect();
    for (let id = 1; id <= MOST_AT_ONCE; id += 1) other.send({ id, method: 'svc/judge', params: ASKED });
    await expect.poll(() => calls).toBe(2 * MOST_AT_ONCE);
    other.socket.destroy();
    client.send({ id: 99, method: 'svc/judge', params: ASKED });
    await client.until(MOST_AT_ONCE + 1);
    expect(client.responses.at(-1)).toMatchObject({ id: 99, result: { text: 'an answer' } });
  });
});

it('hangs up on a line without an end, and gives no answer that is too long', async () => {
  const long = async () => ({ text: 'x'.repeat(MAX_ANSWER_LENGTH + 1), model: '' });
  await withServer({ answer: long }, async (connect) => {
    const endless = await connect();
    endless.socket.write('x'.repeat(MAX_MESSAGE_BYTES + 1));
    await endless.closed;
    const client = await connect();
    client.send({ id: 1, method: 'svc/judge', params: ASKED });
    await client.until(1);
    expect(codeOf(client.responses[0])).toBe(-32603);
  });
});

it('takes as many connections as the limit allows and no more', async () => {
  await withServer({}, async (connect) => {
    const open = [];
    for (let i = 0; i < MOST_CONNECTIONS; i += 1) open.push(await connect());
    for (const [i, client] of open.entries()) {
      client.send({ id: i, method: 'ping' });
      await client.until(1);
    }
    await (await connect()).closed;
    open[0]?.socket.destroy();
    await open[0]?.closed;
    await expect
      .poll(async () => {
        const client = await connect();
        client.send({ id: 1, method: 'ping' });
        await Promise.race([client.until(1), client.closed]);
        return client.responses.length;
      })
      .toBe(1);
  });
});
