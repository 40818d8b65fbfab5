import type { Judge } from '../ingest/plan';
import type { LlmEnvironment } from '../llm/environment';
import { gatherFacts } from '../llm/gather-facts';
import { isProviderName, NO_PROVIDER, PROVIDERS } from '../llm/providers';
import { type Step, selectProvider } from '../llm/select-provider';
import type { Config } from '../project/config';
import type { Output } from './output';

/** Who judges, where it is asked, and why it is this one. */
export interface ChosenJudge extends Judge {
  readonly socket: string | undefined;
  readonly steps: readonly Step[];
}

export interface Choice {
  readonly flag: string | undefined;
  readonly model: string | undefined;
  readonly config: Config;
  /** Who judged last: `svc sync` goes on with it when nobody is named. */
  readonly last: Judge | undefined;
  readonly environment: LlmEnvironment;
  /** Nobody is contacted. */
  readonly dry: boolean;
}

/** @returns undefined when people have to set a provider up first @throws SvcError for an unknown name */
export async function chooseJudge(
  choice: Choice,
  output: Output,
): Promise<ChosenJudge | { readonly steps: readonly Step[] }> {
  const { flag, config, last, environment, dry } = choice;
  if (flag === undefined && config.provider === undefined && last) return goOnWith(last, choice);
  const facts = gatherFacts(environment, { flag, file: config.provider }, dry);
  const { provider, socket, steps, deadSocket } = await selectProvider(facts);
  if (deadSocket !== undefined) {
    output.note(
      'Nobody answers at the socket of SVC_MCP_HOST, so there is no host: open a new terminal in the editor.',
    );
  }
  if (provider === undefined) return { steps };
  return { provider, model: modelOf(provider, choice), socket, steps };
}

/** The provider that made the bindings, wherever it runs. */
async function goOnWith(last: Judge, choice: Choice): Promise<ChosenJudge> {
  const { environment, dry } = choice;
  const step = {
    rule: 'svc sync goes on with the provider of the last run',
    matched: true,
    because: `that was ${last.provider}`,
  };
  const model = choice.model ?? last.model;
  if (last.provider !== 'mcp') return { provider: last.provider, model, socket: undefined, steps: [step] };
  const facts = gatherFacts(environment, { flag: 'mcp', file: undefined }, dry);
  const { socket } = await selectProvider(facts);
  return { provider: 'mcp', model, socket, steps: [step] };
}

function modelOf(provider: string, { model, config, flag }: Choice): string {
  if (!isProviderName(provider)) return '';
  // The file's model is that of its provider.
  const ofFile = config.provider === undefined ? flag === undefined : config.provider === provider;
  return model ?? (ofFile ? config.model : undefined) ?? PROVIDERS[provider].defaultModel;
}

export function describeSteps(steps: readonly Step[]): string {
  return steps.map(({ rule, matched, because }) => `${matched ? '→' : ' '} ${rule}\n    ${because}`).join('\n');
}

/** What people can do when no rule gives a provider; each line fits a terminal of 80 columns. */
export const WAYS = [
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
