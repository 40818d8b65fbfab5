/** Chooses who judges in a run. */
import { circumstancesOf } from '../llm/circumstances';
import type { LlmEnvironment } from '../llm/environment';
import { type JudgeName, NO_PROVIDER, PROVIDERS } from '../llm/providers';
import { type Step, selectProvider } from '../llm/select-provider';
import type { Judge } from './plan';
import type { Reporter } from './reporter';
import type { IngestSettings } from './settings';

/** Who judges, where it is asked, and why it is this one. */
export interface Choice {
  /** Undefined when people have to set a provider up first. */
  readonly judge: Judge | undefined;
  /** Where the model of an MCP host is asked. */
  readonly socket: string | undefined;
  readonly steps: readonly Step[];
}

export interface ChooseJudge {
  readonly settings: IngestSettings;
  /** `--llm`, before it is known to be a provider's name. */
  readonly named: string | undefined;
  /** `--model` */
  readonly model: string | undefined;
  /** The last judge, which `svc sync` uses when no provider is named. */
  readonly last: Judge | undefined;
  readonly environment: LlmEnvironment;
  /** Nobody is contacted. */
  readonly dry: boolean;
  readonly reporter: Pick<Reporter, 'hostIsGone'>;
}

/** @throws SvcError for an unknown name */
export async function chooseJudge(options: ChooseJudge): Promise<Choice> {
  const { named, settings, last, reporter } = options;
  if (named === undefined && settings.config.provider === undefined && last) return goOnWith(last, options);
  const { provider, socket, steps, deadHost } = await select(options, named);
  if (deadHost) reporter.hostIsGone();
  return { judge: provider && { provider, model: modelOf(provider, options) }, socket, steps };
}

/** The provider that made the bindings, wherever it runs. */
async function goOnWith({ provider, model }: Judge, options: ChooseJudge): Promise<Choice> {
  const rule = 'svc sync goes on with the provider of the last run';
  return {
    judge: { provider, model: options.model ?? model },
    socket: provider === 'mcp' ? (await select(options, provider)).socket : undefined,
    steps: [{ rule, matched: true, because: `that was ${provider}` }],
  };
}

function select({ environment, settings, dry }: ChooseJudge, flag: string | undefined) {
  const { config, announcedHosts } = settings;
  return selectProvider(circumstancesOf(environment, { flag, file: config.provider, announcedHosts }, dry));
}

function modelOf(provider: JudgeName, { model, settings: { config }, named }: ChooseJudge): string {
  if (provider === NO_PROVIDER) return '';
  // The file's model is that of its provider.
  const ofFile = config.provider === undefined ? named === undefined : config.provider === provider;
  return model ?? (ofFile ? config.model : undefined) ?? PROVIDERS[provider].defaultModel;
}
