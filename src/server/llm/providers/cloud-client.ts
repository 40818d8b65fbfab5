/** What the cloud providers share: loading, retries, errors. */
import { failureOf, packageMissing } from '../failures';
import { type Answer, NoAnswer } from '../provider';
import type { ProviderName } from '../providers';
import { withinLimit } from '../within-limit';
import { withoutKeys } from '../without-keys';
import { carefulFetch } from './careful-fetch';
import { MAX_RETRIES, QUESTION_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from './limits';

/** What the official clients of the cloud providers have in common; both are made by the same generator. */

/** Loads an official package, which may be missing. */
export async function loadPackage<Module>(provider: ProviderName, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') throw packageMissing(provider);
    throw error;
  }
}

/** They wait longer each time, or as long as the server asks for within a limit, on 408, 409, 429 and 5xx. */
export function clientOptions(key: string, baseUrl: string | undefined) {
  return {
    apiKey: key,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    ...{ maxRetries: MAX_RETRIES, timeout: REQUEST_TIMEOUT_MS, logLevel: 'off' as const },
    fetch: carefulFetch,
  };
}

export interface CloudClient {
  readonly provider: ProviderName;
  readonly model: string;
  readonly key: string;
  /** The classes of its errors. */
  readonly APIError: abstract new (
    ...args: never[]
  ) => { readonly status: number | undefined };
  readonly APIConnectionTimeoutError: abstract new (...args: never[]) => object;
}

/** @param ask one question, with all attempts @throws what Provider.ask throws, never an error of the client */
export async function answerOf(
  { provider, model, key, APIError, APIConnectionTimeoutError }: CloudClient,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<string>,
): Promise<Answer> {
  try {
    return { text: withoutKeys(await withinLimit(signal, QUESTION_TIMEOUT_MS, ask), [key]), model };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NoAnswer) throw error;
    // A server that is none of this kind, or was cut off.
    if (!(error instanceof APIError)) throw new NoAnswer('the server sent no answer of a model');
    const timedOut = error instanceof APIConnectionTimeoutError;
    throw failureOf({ provider, model, status: error.status, timedOut });
  }
}
