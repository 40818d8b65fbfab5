/** Reports a running ingestion on the terminal, and asks there. */
import { counted } from '../base/counted';
import { type SvcError, unavailable } from '../base/errors';
import type { Reporter, Sending } from '../ingest/reporter';
import { NO_PROVIDER, PROVIDERS } from '../llm/providers';
import { answerOf, saysYes } from './ask';
import type { Cli } from './cli';
import { showProgress } from './progress';

const VERBS = { 'reading code': 'Reading code:', 'judging sections': 'Judging sections:' } as const;

export function terminalReporter({ ask, output }: Pick<Cli, 'ask' | 'output'>): Reporter {
  return {
    begin: (stage) => showProgress(output, VERBS[stage]),
    hostIsGone() {
      output.note(
        'Nobody answers at the socket of SVC_MCP_HOST, so there is no host: open a new terminal in the editor.',
      );
    },
    async goOnWithoutModel() {
      for (const line of WAYS) output.note(line);
      const question = 'Type "none" to go on without a model, or press Enter to stop: ';
      return ask !== undefined && (await answerOf(ask, question)).trim() === NO_PROVIDER;
    },
    sending(sending) {
      const { keyVariable } = PROVIDERS[sending.provider];
      const key = keyVariable ? `, with the key in ${keyVariable}` : '';
      output.note(`Sending ${whatOf(sending)} to ${placeOf(sending)}${key}.`);
    },
    agrees:
      ask &&
      ((sending) =>
        saysYes(ask, `Send ${whatOf(sending)} to ${placeOf(sending)}? This is asked once for this project. [y/N] `)),
  };
}

export function nobodyAgreed(sending: Sending): SvcError {
  return unavailable(
    `Nothing was sent: nobody has agreed to send documents of this project to ${placeOf(sending)}, and there is no terminal to ask on`,
    'Pass --yes, or run the command once on a terminal, which stores your answer for this project',
  );
}

function whatOf({ sections, documents }: Sending): string {
  return `${counted(sections, 'section')} of ${counted(documents, 'document')}, with names, signatures and summaries of code, never a body,`;
}

function placeOf({ provider, host, model }: Sending): string {
  const { runs, title } = PROVIDERS[provider];
  return runs === 'host' ? title : `${title} (${host}, ${model})`;
}

/** What people can do when no rule gives a provider; each line fits a terminal of 80 columns. */
const WAYS = [
  'No provider of a language model is set up. Ways to set one up:',
  '- type it in the terminal of an editor with Agent Memory: its model, no key',
  '- or beside an MCP client with sampling that has svc-mcp running: its model',
  ...(['anthropic', 'openai'] as const).map(
    (name) =>
      `- set ${PROVIDERS[name].keyVariable ?? ''}: ${PROVIDERS[name].title} (needs "npm install ${PROVIDERS[name].package ?? ''}")`,
  ),
  `- start a local model server, ollama.com, and "ollama pull ${PROVIDERS.ollama.defaultModel}"`,
  `- --llm ${NO_PROVIDER}: bind what documents name in backticks or link to, without a model`,
] as const;
