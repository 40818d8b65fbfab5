/** Chooses the model for an ingestion. */
import type { Judge } from '../ingest/plan';
import type { LlmEnvironment } from '../llm/environment';
import { gatherFacts } from '../llm/gather-facts';
import { type JudgeName, NO_PROVIDER, PROVIDERS } from '../llm/providers';
import { type Step, selectProvider } from '../llm/select-provider';
import type { Config } from '../project/config';
import type { Output } from './output';

/** Who judges, where it is asked, and why it is this one. */
export interface Choice {
  /** Undefined when people have to set a provider up first. */
  readonly judge: Judge | undefined;
  /** Where the model of an MCP host is asked. */
  readonly socket: string | undefined;
  readonly steps: readonly Step[];
}

export interface ChoiceOptions {
  readonly flag: string | undefined;
  readonly model: string | undefined;
  readonly config: Config;
  /** The last judge, which `svc sync` uses when no provider is named. */
  readonly last: Judge | undefined;
  readonly environment: LlmEnvironment;
  /** Sockets of MCP servers of this project whose client offers its model. */
  readonly announcedHosts: () => readonly string[];
  /** Nobody is contacted. */
  readonly dry: boolean;
}

/** @throws SvcError for an unknown name */
export async function chooseJudge(options: ChoiceOptions, output: Output): Promise<Choice> {
  const { flag, config, last } = options;
  if (flag === undefined && config.provider === undefined && last) return goOnWith(last, options);
  const { provider, socket, steps, deadHost } = await select(options, flag);
  if (deadHost) {
    output.note(
      'Nobody answers at the socket of SVC_MCP_HOST, so there is no host: open a new terminal in the editor.',
    );
  }
  return { judge: provider && { provider, model: modelOf(provider, options) }, socket, steps };
}

/** The provider that made the bindings, wherever it runs. */
async function goOnWith({ provider, model }: Judge, options: ChoiceOptions): Promise<Choice> {
  const rule = 'svc sync goes on with the provider of the last run';
  return {
    judge: { provider, model: options.model ?? model },
    socket: provider === 'mcp' ? (await select(options, provider)).socket : undefined,
    steps: [{ rule, matched: true, because: `that was ${provider}` }],
  };
}

function select({ environment, announcedHosts, config, dry }: ChoiceOptions, flag: string | undefined) {
  return selectProvider(gatherFacts(environment, { flag, file: config.provider, announcedHosts }, dry));
}

function modelOf(provider: JudgeName, { model, config, flag }: ChoiceOptions): string {
  if (provider === NO_PROVIDER) return '';
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
