/** Asks a model of Anthropic. */
import { promptOf } from '../../../question/prompt';
import type { Access } from '../environment';
import { keyMissing } from '../failures';
import { NoAnswer, type Provider } from '../provider';
import { anthropicSettings } from '../request-of';
import { answerOf, clientOptions, loadPackage } from './cloud-client';

/** @throws SvcError unavailable without a key or without the package */
export async function openAnthropic({ key, baseUrl }: Access, model: string): Promise<Provider> {
  const provider = 'anthropic';
  if (key === undefined) throw keyMissing(provider);
  const { Anthropic, APIError, APIConnectionTimeoutError } = await loadPackage(
    provider,
    () => import('@anthropic-ai/sdk'),
  );
  const client = new Anthropic({ ...clientOptions(key, baseUrl), authToken: null });
  const cloud = { provider, model, key, APIError, APIConnectionTimeoutError } as const;
  return {
    async ask(question, signal) {
      const prompt = promptOf(question);
      const { system, user } = prompt;
      return answerOf(cloud, signal, async (either) => {
        const message = await client.messages.create(
          { ...anthropicSettings(model, prompt), system, messages: [{ role: 'user', content: user }] },
          { signal: either },
        );
        if (message.stop_reason === 'refusal') throw new NoAnswer('the model refuses to judge this section');
        if (message.stop_reason === 'max_tokens') throw new NoAnswer('the answer of the model is too long');
        return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      });
    },
    close: async () => {},
  };
}
