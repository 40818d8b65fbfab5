/** The kinds of providers, as data. */

export const PROVIDER_NAMES = ['mcp', 'anthropic', 'openai', 'ollama'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];
/** Those whose key is read from the environment. */
export type KeyedName = 'anthropic' | 'openai';
/** No model at all: only what a section names is bound. */
export const NO_PROVIDER = 'none';
export type JudgeName = ProviderName | typeof NO_PROVIDER;

export interface ProviderKind {
  readonly title: string;
  readonly runs: 'local' | 'cloud' | 'host';
  /** How many questions are asked at once. */
  readonly concurrency: number;
  /** How many tokens of its models one of o200k_base makes. */
  readonly tokenFactor: number;
  /** Used when neither `--model` nor the file names one; '' where the other side chooses. */
  readonly defaultModel: string;
  /** Where its key is read from. */
  readonly keyVariable?: string;
  /** Its official package, loaded on use. */
  readonly package?: string;
  /** How its keys begin, to recognise one where it must not be. */
  readonly keyShape?: RegExp;
}

export const PROVIDERS: Readonly<Record<ProviderName, ProviderKind>> = {
  mcp: { title: "the MCP host's model", runs: 'host', concurrency: 2, tokenFactor: 1, defaultModel: '' },
  anthropic: {
    title: 'Anthropic',
    runs: 'cloud',
    concurrency: 4,
    tokenFactor: 1.3,
    defaultModel: 'claude-haiku-5-5',
    keyVariable: 'ANTHROPIC_API_KEY',
    package: '@anthropic-ai/sdk',
    keyShape: /\bsk-ant-/,
  },
  openai: {
    title: 'OpenAI',
    runs: 'cloud',
    concurrency: 4,
    tokenFactor: 1,
    defaultModel: 'gpt-6-luna',
    keyVariable: 'OPENAI_API_KEY',
    package: 'openai',
    keyShape: /\bsk-(?!ant-)/,
  },
  ollama: {
    title: 'Ollama on this machine',
    runs: 'local',
    concurrency: 1,
    tokenFactor: 1,
    defaultModel: 'qwen3:8b',
  },
};

export function isJudgeName(name: string): name is JudgeName {
  return name === NO_PROVIDER || PROVIDER_NAMES.some((one) => one === name);
}

/** List prices in US dollars for a million tokens, in November 2026. What is not in here is not estimated. */
const PRICES: readonly (readonly [model: RegExp, input: number, output: number])[] = [
  [/^claude-haiku-5-5\b/, 0.1, 0.5],
  [/^claude-sonnet-5-5\b/, 2, 10],
  [/^claude-opus-5-5\b/, 4, 20],
  [/^claude-haiku-4-5\b/, 1, 5],
  [/^gpt-6-luna\b/, 0.1, 0.5],
  [/^gpt-6-sol\b/, 2, 10],
  [/^gpt-5\.6-luna\b/, 0.2, 1.2],
  [/^gpt-5\.6-terra\b/, 2, 12],
];

/** @returns undefined for a model whose price is not known */
export function costOf(model: string, inputTokens: number, outputTokens: number): number | undefined {
  const price = PRICES.find(([pattern]) => pattern.test(model));
  return price && (inputTokens * price[1] + outputTokens * price[2]) / 1_000_000;
}
