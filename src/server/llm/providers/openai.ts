import type { Access } from '../environment';
import { failureOf, keyMissing, loadPackage } from '../failures';
import { promptOf } from '../prompt';
import { NoAnswer, type Provider } from '../provider';
import { openAiSettings } from '../request-of';
import { withinLimit } from '../within-limit';
import { withoutKeys } from '../without-keys';
import { carefulFetch } from './careful-fetch';
import { MAX_RETRIES, QUESTION_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from './limits';

/** @throws SvcError unavailable without a key or without the package */
export async function openOpenAi({ key, baseUrl }: Access, model: string): Promise<Provider> {
  if (key === undefined) throw keyMissing('openai');
  const { OpenAI, APIError, APIConnectionTimeoutError } = await loadPackage('openai', () => import('openai'));
  // It waits longer each time, or as long as the server asks for within a limit, on 408, 409, 429 and 5xx.
  const client = new OpenAI({
    apiKey: key,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    ...{ maxRetries: MAX_RETRIES, timeout: REQUEST_TIMEOUT_MS, logLevel: 'off' },
    fetch: carefulFetch,
  });
  return {
    async ask(question, signal) {
      const prompt = promptOf(question);
      const { system, user } = prompt;
      try {
        const completion = await withinLimit(signal, QUESTION_TIMEOUT_MS, (either) =>
          client.chat.completions.create(
            {
              ...openAiSettings(model, prompt),
              messages: [
                { role: 'system', content: system },
                { role: 'user', content: user },
              ],
            },
            { signal: either },
          ),
        );
        const [choice] = completion.choices;
        if (choice?.message.refusal) throw new NoAnswer('the model refuses to judge this section');
        if (choice?.finish_reason === 'length') throw new NoAnswer('the answer of the model is too long');
        return { text: withoutKeys(choice?.message.content ?? '', [key]), model };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof NoAnswer) throw error;
        // A server that is none of this kind, or was cut off.
        if (!(error instanceof APIError)) throw new NoAnswer('the server sent no answer of a model');
        const timedOut = error instanceof APIConnectionTimeoutError;
        throw failureOf({ provider: 'openai', model, status: error.status, timedOut });
      }
    },
    close: async () => {},
  };
}
