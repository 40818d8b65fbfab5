/** Asks a model of the Ollama on this machine. */
import { Ollama } from 'ollama/browser';
import pRetry from 'p-retry';
import { promptOf } from '../../../question/prompt';
import { type SvcError, unavailable } from '../../base/errors';
import { failureOf, shown } from '../failures';
import { type Embedder, NoAnswer, type Provider } from '../provider';
import { ollamaSettings } from '../request-of';
import { withinLimit } from '../within-limit';
import { carefulFetch } from './careful-fetch';
import { LOCAL_TIMEOUT_MS, MAX_RETRIES, PROBE_TIMEOUT_MS } from './limits';

const PORT = 11434;
const FIRST_WAIT_MS = 500;
/** Models that are offered in place of one that is not there. */
const MOST_NAMED = 8;
/** Models that make vectors are told by their names; the list of a server says no more. */
const EMBEDS = /embed|minilm|\bbge\b|bge-|\bgte-|\be5-/i;
/** Its server passes these on to another machine. */
const CLOUD = /[:-]cloud$/i;

/**
 * Where the local server is: port 11434 of this machine, or what OLLAMA_HOST says, as long as it is this machine.
 * @returns undefined when the variable leads off this machine: a local provider sends nothing there
 */
export function ollamaUrl(host: string | undefined): string | undefined {
  if (host === undefined) return `http://127.0.0.1:${PORT}`;
  const written = host.trim();
  let url: URL;
  try {
    url = new URL(/^https?:\/\//i.test(written) ? written : `http://${written}`);
  } catch {
    return undefined;
  }
  // A server that listens on every address is reached on this one.
  const name = url.hostname === '0.0.0.0' || url.hostname === '[::]' ? '127.0.0.1' : url.hostname;
  if (!/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(name)) return undefined;
  const port = url.port || (/:\d+$/.test(written) ? '80' : String(PORT));
  return `${url.protocol}//${name}:${port}`;
}

/** A model of the local server. */
interface ListedModel {
  readonly name: string;
  /** Where it runs when that is not this machine. */
  readonly remote_host?: string;
  readonly remote_model?: string;
}

/** The models that the local server has; undefined when none answers. */
export async function ollamaModels(url: string): Promise<readonly ListedModel[] | undefined> {
  try {
    const { models } = await clientOf(url, AbortSignal.timeout(PROBE_TIMEOUT_MS)).list();
    return models.filter((one) => typeof one.name === 'string');
  } catch {
    return undefined;
  }
}

/** @throws SvcError unavailable when no server answers, or when it does not have the model */
export async function openOllama(
  url: string,
  model: string,
): Promise<Provider & { readonly embedder: Embedder | undefined }> {
  const models = await ollamaModels(url);
  if (!models) throw notRunning(url);
  const asked = models.find(({ name }) => name === model || name === `${model}:latest`);
  if (CLOUD.test(model) || (asked && runsElsewhere(asked))) throw notLocal(model);
  if (!asked) throw notPulled(model, models);
  const embedding = models.find((one) => EMBEDS.test(one.name) && !runsElsewhere(one));
  return {
    embedder: embedding && embedderOf(url, embedding.name),
    async ask(question, signal) {
      const prompt = promptOf(question);
      const { system, user } = prompt;
      const answer = await retried(url, model, signal, (client) =>
        client.chat({
          ...ollamaSettings(model, prompt),
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: user },
          ],
        }),
      );
      const text: unknown = (answer as Partial<typeof answer> | null)?.message?.content;
      if (typeof text !== 'string') throw new NoAnswer('the local server sent no answer of a model');
      return { text, model };
    },
    close: async () => {},
  };
}

function embedderOf(url: string, model: string): Embedder {
  return {
    model,
    async embed(texts, signal) {
      try {
        const answer = await retried(url, model, signal, (client) =>
          client.embed({ model, input: [...texts], truncate: true }),
        );
        const vectors: unknown = (answer as Partial<typeof answer> | null)?.embeddings;
        if (Array.isArray(vectors) && vectors.length === texts.length && vectors.every(Array.isArray)) {
          return answer.embeddings;
        }
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
      }
      throw unavailable(
        `The model ${shown(model)} of the local server does not create embeddings`,
        'Check the messages of its server, or remove the model to choose candidates without it',
      );
    },
  };
}

async function retried<Result>(
  url: string,
  model: string,
  signal: AbortSignal,
  call: (client: Ollama) => Promise<Result>,
): Promise<Result> {
  try {
    return await withinLimit(signal, LOCAL_TIMEOUT_MS, (either) =>
      pRetry(() => call(clientOf(url, either)), {
        ...{ retries: MAX_RETRIES, minTimeout: FIRST_WAIT_MS, randomize: true, signal: either },
        shouldRetry({ error }) {
          const status = statusOf(error) ?? 0;
          return status === 429 || status >= 500;
        },
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NoAnswer) throw error;
    const status = statusOf(error);
    if (status === 404) throw notPulled(model, (await ollamaModels(url)) ?? []);
    if (status === undefined && !(await ollamaModels(url))) throw notRunning(url);
    if (status === undefined) throw new NoAnswer('the local model gave no answer');
    throw failureOf({ provider: 'ollama', model, status, timedOut: false });
  }
}

/** The client's own error class is not exported. */
function statusOf(error: unknown): number | undefined {
  const status: unknown = error instanceof Error && 'status_code' in error ? error.status_code : undefined;
  return typeof status === 'number' ? status : undefined;
}

function clientOf(host: string, signal: AbortSignal): Ollama {
  return new Ollama({ host, fetch: (input, init) => carefulFetch(input, { ...init, signal }) });
}

function runsElsewhere({ name, remote_host, remote_model }: ListedModel): boolean {
  return Boolean(remote_host) || Boolean(remote_model) || CLOUD.test(name);
}

function notLocal(model: string): SvcError {
  return unavailable(
    `The model ${shown(model)} runs on another machine, so the local server would send the documents there`,
    'Give a model that runs here with --model, or choose a cloud provider (on the command line: --llm), which asks for consent',
  );
}

function notRunning(url: string): SvcError {
  return unavailable(
    `The local model server is not running: nothing answers at ${shown(url)}`,
    'Start it with "ollama serve" (see https://ollama.com), or choose another provider (on the command line: --llm)',
  );
}

function notPulled(model: string, models: readonly ListedModel[]): SvcError {
  const others = models
    .filter((one) => !runsElsewhere(one) && !EMBEDS.test(one.name))
    .slice(0, MOST_NAMED)
    .map(({ name }) => shown(name));
  return unavailable(
    `The local model server does not have the model ${shown(model)}`,
    `Run "ollama pull ${shown(model)}"${others.length > 0 ? `, or choose an installed one with --model: ${others.join(', ')}` : ''}`,
  );
}
