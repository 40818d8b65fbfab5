/** Says what went wrong with a provider, and what to do. */
import { type SvcError, unavailable } from '../base/errors';
import { cut, oneLine } from '../base/text';
import { NoAnswer } from './provider';
import { PROVIDERS, type ProviderName } from './providers';

/** What went wrong between us and a provider, in our own words: what a server says may hold anything. */
export interface Failure {
  readonly provider: ProviderName;
  readonly model: string;
  /** Of the HTTP answer; undefined where there was none. */
  readonly status: number | undefined;
  readonly timedOut: boolean;
}

/** @returns NoAnswer where only this question failed, an error of ours where asking on has no use */
export function failureOf({ provider, model, status, timedOut }: Failure): SvcError | NoAnswer {
  const { title, keyVariable = '' } = PROVIDERS[provider];
  if (timedOut) return new NoAnswer('the model took too long');
  switch (status) {
    case undefined:
      return unavailable(`${title} cannot be reached`, 'Check the connection and the base URL, then run it again');
    case 401:
    case 403:
      return unavailable(
        `${title} refuses the API key in ${keyVariable}`,
        `Set ${keyVariable} to a key that is valid and may use ${shown(model)}`,
      );
    case 402:
      return unavailable(`The account behind ${keyVariable} has no credit left`, `Top it up at ${title}`);
    case 404:
      return unavailable(
        `${title} does not have the model ${shown(model)}`,
        'Choose another one with --model, or leave --model out to use the default',
      );
    case 429:
      return unavailable(
        `${title} keeps refusing because of too many requests`,
        'Finished work is kept. Run the command again later, or with a smaller --concurrency',
      );
    default:
      return status >= 500
        ? unavailable(`${title} keeps failing (HTTP ${status})`, 'Finished work is kept. Run the command again later')
        : new NoAnswer(`${title} refused the question (HTTP ${status})`);
  }
}

export function packageMissing(provider: ProviderName): SvcError {
  const { title, package: name = '' } = PROVIDERS[provider];
  return unavailable(
    `Provider not found: the package ${name}, which ${title} needs, is not installed`,
    `Run "npm install ${name}" where svc-memory is installed (with -g if it was installed globally), then try again`,
  );
}

export function keyMissing(provider: ProviderName): SvcError {
  const { title, keyVariable = '' } = PROVIDERS[provider];
  return unavailable(
    `${keyVariable} is not set, and ${title} needs a key`,
    `Set ${keyVariable} in the environment, or choose another provider (on the command line: --llm)`,
  );
}

export function shown(name: string): string {
  return cut(oneLine(name), 80);
}
