import type { Access } from '../environment';
import { failureOf, keyMissing, loadPackage } from '../failures';
import { promptOf } from '../prompt';
import { NoAnswer, type Provider } from '../provider';
import { anthropicSettings } from '../request-of';
import { withinLimit } from '../within-limit';
import { withoutKeys } from '../without-keys';
import { carefulFetch } from './careful-fetch';
import { MAX_RETRIES, QUESTION_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from './limits';

/** @throws SvcError unavailable without a key or without the package */
export async function openAnthropic({ key, baseUrl }: Access, model: string): Promise<Provider> {
  if (key === undefined) throw keyMissing('anthropic');
  const { Anthropic, APIError, APIConnectionTimeoutError } = await loadPackage(
    'anthropic',
    () => import('@anthropic-ai/sdk'),
  );
  // It waits longer each time, or as long as the server asks for within a limit, on 408, 409, 429 and 5xx.
  const client = new Anthropic({
    apiKey: key,
    authToken: null,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    ...{ maxRetries: MAX_RETRIES, timeout: REQUEST_TIMEOUT_MS, logLevel: 'off' },
    fetch: carefulFetch,
  });
  return {
    async ask(question, signal) {
      const prompt = promptOf(question);
      const { system, user } = prompt;
      try {
        const message = await withinLimit(signal, QUESTION_TIMEOUT_MS, (either) =>
          client.messages.create(
            { ...anthropicSettings(model, prompt), system, messages: [{ role: 'user', content: user }] },
            { signal: either },
          ),
        );
        if (message.stop_reason === 'refusal') throw new NoAnswer('the model refuses to judge this section');
        if (message.stop_reason === 'max_tokens') throw new NoAnswer('the answer of the model is too long');
        const text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
        return { text: withoutKeys(text, [key]), model };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof NoAnswer) throw error;
        // A server that is none of this kind, or was cut off.
        if (!(error instanceof APIError)) throw new NoAnswer('the server sent no answer of a model');
        const timedOut = error instanceof APIConnectionTimeoutError;
        throw failureOf({ provider: 'anthropic', model, status: error.status, timedOut });
      }
    },
    close: async () => {},
  };
}
