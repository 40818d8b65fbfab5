import { expect, it } from 'vitest';
import type { Cli } from '../../../src/server/cli/cli';
import { mayBeSent, type Sending } from '../../../src/server/cli/ingest-consent';

const SENDING: Sending = {
  ...{ provider: 'anthropic', model: 'claude-x', place: 'api.anthropic.com' },
  ...{ questions: 12, documents: 3 },
};

function terminal(answer: string | undefined) {
  const asked: string[] = [];
  const notes: string[] = [];
  const given = new Set<string>();
  const store = {
    given: async (provider: string, place: string) => given.has(`${provider} ${place}`),
    remember: async (provider: string, place: string) => void given.add(`${provider} ${place}`),
  };
  const ask = async (question: string): Promise<string> => {
    asked.push(question);
    return answer ?? '';
  };
  // As much of a command line as asking needs.
  const cli = {
    ask: answer === undefined ? undefined : ask,
    output: { note: (line: string) => notes.push(line) },
  } as unknown as Cli;
  return { asked, notes, send: (sending = SENDING, yes = false) => mayBeSent(cli, sending, store, yes) };
}

it('asks once per project on a terminal before anything goes to a cloud provider', async () => {
  const { asked, notes, send } = terminal('y');
  expect(await send()).toBe(true);
  expect(asked).toEqual([
    'Send 12 sections of 3 documents, with names, signatures and summaries of code, never a body, to Anthropic (api.anthropic.com, claude-x)? This is asked once for this project. [y/N] ',
  ]);
  expect(await send()).toBe(true);
  expect(asked.length).toBe(1);
  expect(notes.length).toBe(1);
  expect(await send({ ...SENDING, provider: 'openai' })).toBe(true);
  expect(asked.length).toBe(2);
  expect(await send({ ...SENDING, place: 'proxy.example.com' })).toBe(true);
  expect(asked.length).toBe(3);
});

it('takes a closed terminal for a no', async () => {
  const ask = async (): Promise<string> => {
    throw Object.assign(new Error('closed'), { name: 'AbortError' });
  };
  const store = { given: async () => false, remember: async () => {} };
  // As much of a command line as asking needs.
  const cli = { ask, output: { note: () => {} } } as unknown as Cli;
  expect(await mayBeSent(cli, SENDING, store, false)).toBe(false);
});

it.each(['', 'n', 'no', 'maybe'])('takes %j for a no, and asks again the next time', async (answer) => {
  const { asked, send } = terminal(answer);
  expect([await send(), await send(), asked.length]).toEqual([false, false, 2]);
});

it('does not ask with --yes, for a local provider, for a host, which asks itself, or without a terminal', async () => {
  const { asked, notes, send } = terminal('n');
  expect(await send(SENDING, true)).toBe(true);
  expect(await send({ ...SENDING, provider: 'mcp' })).toBe(true);
  expect(await send({ ...SENDING, provider: 'ollama' })).toBe(true);
  expect(asked).toEqual([]);
  expect(notes.length).toBe(2);
  const script = terminal(undefined);
  expect(await script.send()).toBe(true);
  expect(script.notes[0]).toMatch(/^Sending 12 sections .* with the key in ANTHROPIC_API_KEY\.$/);
});
