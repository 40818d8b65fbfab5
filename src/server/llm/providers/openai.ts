/** Asks a model of OpenAI. */
import { promptOf } from '../../../question/prompt';
import type { Access } from '../environment';
import { keyMissing } from '../failures';
import { NoAnswer, type Provider } from '../provider';
import { openAiSettings } from '../request-of';
import { answerOf, clientOptions, loadPackage } from './cloud-client';

/** @throws SvcError unavailable without a key or without the package */
export async function openOpenAi({ key, baseUrl }: Access, model: string): Promise<Provider> {
  const provider = 'openai';
  if (key === undefined) throw keyMissing(provider);
  const { OpenAI, APIError, APIConnectionTimeoutError } = await loadPackage(provider, () => import('openai'));
  const client = new OpenAI(clientOptions(key, baseUrl));
  const cloud = { provider, model, key, APIError, APIConnectionTimeoutError } as const;
  return {
    async ask(question, signal) {
      const prompt = promptOf(question);
      const { system, user } = prompt;
      return answerOf(cloud, signal, async (either) => {
        const completion = await client.chat.completions.create(
          {
            ...openAiSettings(model, prompt),
            messages: [
              { role: 'system', content: system },
              { role: 'user', content: user },
            ],
          },
          { signal: either },
        );
        const [choice] = completion.choices;
        if (choice?.message.refusal) throw new NoAnswer('the model refuses to judge this section');
        if (choice?.finish_reason === 'length') throw new NoAnswer('the answer of the model is too long');
        return choice?.message.content ?? '';
      });
    },
    close: async () => {},
  };
}
