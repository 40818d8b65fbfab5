import { expect, it } from 'vitest';
import type { Cli } from '../../../src/server/cli/cli';
import { nobodyAgreed, terminalReporter } from '../../../src/server/cli/terminal-reporter';
import { askConsent } from '../../../src/server/ingest/consent';
import type { Sending } from '../../../src/server/ingest/reporter';

const SENDING: Sending = {
  ...{ provider: 'anthropic', model: 'claude-x', host: 'api.anthropic.com' },
  ...{ sections: 12, documents: 3 },
};

function terminal(answer: string | undefined) {
  const asked: string[] = [];
  const notes: string[] = [];
  const kept = new Set<string>();
  const consents = {
    given: (provider: string, host: string) => kept.has(`${provider} ${host}`),
    remember: (provider: string, host: string) => void kept.add(`${provider} ${host}`),
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
  const reporter = terminalReporter(cli);
  const send = (sending = SENDING, agreed = false) => askConsent(sending, { consents, agreed, reporter });
  return { asked, notes, consents, send };
}

it('asks once per project on a terminal before anything goes to a cloud provider', async () => {
  const { asked, notes, send } = terminal('y');
  expect(await send()).toBe('yes');
  expect(asked).toEqual([
    'Send 12 sections of 3 documents, with names, signatures and summaries of code, never a body, to Anthropic (api.anthropic.com, claude-x)? This is asked once for this project. [y/N] ',
  ]);
  expect(await send()).toBe('yes');
  expect(asked.length).toBe(1);
  expect(notes.length).toBe(1);
  expect(await send({ ...SENDING, provider: 'openai' })).toBe('yes');
  expect(asked.length).toBe(2);
  expect(await send({ ...SENDING, host: 'proxy.example.com' })).toBe('yes');
  expect(asked.length).toBe(3);
});

it('takes a closed terminal for a no', async () => {
  const ask = async (): Promise<string> => {
    throw Object.assign(new Error('closed'), { name: 'AbortError' });
  };
  const { consents } = terminal(undefined);
  // As much of a command line as asking needs.
  const cli = { ask, output: { note: () => {} } } as unknown as Cli;
  expect(await askConsent(SENDING, { consents, agreed: false, reporter: terminalReporter(cli) })).toBe('no');
});

it.each(['', 'n', 'no', 'maybe'])('takes %j for a no, and asks again the next time', async (answer) => {
  const { asked, send } = terminal(answer);
  expect([await send(), await send(), asked.length]).toEqual(['no', 'no', 2]);
});

it('does not ask with --yes, for a local provider, or for a host, which asks itself', async () => {
  const { asked, notes, send } = terminal('n');
  expect(await send(SENDING, true)).toBe('yes');
  expect(await send({ ...SENDING, provider: 'mcp' })).toBe('yes');
  expect(await send({ ...SENDING, provider: 'ollama' })).toBe('yes');
  expect(asked).toEqual([]);
  expect(notes.length).toBe(2);
});

it('finds nobody without a terminal, unless somebody agreed before; --yes is for once', async () => {
  const script = terminal(undefined);
  expect(await script.send()).toBe('nobody');
  expect(script.notes).toEqual([]);
  expect(await script.send(SENDING, true)).toBe('yes');
  expect(await script.send()).toBe('nobody');
  script.consents.remember('anthropic', 'api.anthropic.com');
  expect(await script.send()).toBe('yes');
  expect(script.notes.at(-1)).toMatch(/^Sending 12 sections .* with the key in ANTHROPIC_API_KEY\.$/);
  expect(nobodyAgreed(SENDING).message).toBe(
    'unavailable: Nothing was sent: nobody has agreed to send documents of this project to Anthropic (api.anthropic.com, claude-x), and there is no terminal to ask on. Pass --yes, or run the command once on a terminal, which stores your answer for this project.',
  );
});
