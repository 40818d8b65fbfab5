/** Makes what is sent to each provider. */
import { MAX_ANSWER_TOKENS } from '../../question/limits';
import { type Prompt, promptOf } from '../../question/prompt';
import type { Question } from '../../question/question';
import type { ProviderName } from './providers';

/** What is sent for one question: the prompt, and everything else that goes with it. */
export interface ModelRequest {
  readonly prompt: Pick<Prompt, 'system' | 'user'>;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** In tokens; a section with its candidates needs some 4,000. */
const CONTEXT_TOKENS = 8_192;

export function anthropicSettings(model: string, { schema }: Prompt) {
  return {
    ...{ model, max_tokens: MAX_ANSWER_TOKENS },
    output_config: { format: { type: 'json_schema' as const, schema: { ...schema } } },
  };
}

export function openAiSettings(model: string, { schema }: Prompt) {
  return {
    ...{ model, max_completion_tokens: MAX_ANSWER_TOKENS, store: false },
    response_format: {
      type: 'json_schema' as const,
      json_schema: { name: 'bindings', strict: true, schema: { ...schema } },
    },
  };
}

export function ollamaSettings(model: string, { schema }: Prompt) {
  return {
    ...{ model, stream: false as const, think: false, format: schema },
    options: { temperature: 0, num_ctx: CONTEXT_TOKENS },
  };
}

export function hostSettings(model: string) {
  return {
    ...{ maxTokens: MAX_ANSWER_TOKENS, includeContext: 'none' as const },
    ...(model === '' ? {} : { modelPreferences: { hints: [{ name: model }] } }),
  };
}

const SETTINGS = {
  anthropic: anthropicSettings,
  openai: openAiSettings,
  ollama: ollamaSettings,
  mcp: hostSettings,
} satisfies Record<ProviderName, (model: string, prompt: Prompt) => ModelRequest['settings']>;

/** Exactly what a provider sends, for people to look at before. */
export function requestOf(provider: ProviderName, model: string, question: Question): ModelRequest {
  const prompt = promptOf(question);
  return { prompt: { system: prompt.system, user: prompt.user }, settings: SETTINGS[provider](model, prompt) };
}
