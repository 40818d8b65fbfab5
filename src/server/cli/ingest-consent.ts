import { counted } from '../base/counted';
import { PROVIDERS, type ProviderName } from '../llm/providers';
import type { Cli } from './cli';

/** What is about to be sent, and where to. */
export interface Sending {
  readonly provider: ProviderName;
  readonly model: string;
  /** Host name of the server. */
  readonly place: string;
  readonly questions: number;
  readonly documents: number;
}

/** Where consent is remembered, for this project. */
export interface ConsentStore {
  given(provider: string, place: string): Promise<boolean>;
  remember(provider: string, place: string): Promise<void>;
}

/**
 * Says what goes where. On a terminal a cloud provider is asked for once per project and server; without one, the key in the
 * environment is the consent.
 * @returns whether it may be sent
 */
export async function mayBeSent(cli: Cli, sending: Sending, store: ConsentStore, yes: boolean): Promise<boolean> {
  const { provider, model, place, questions, documents } = sending;
  const kind = PROVIDERS[provider];
  if (kind.runs === 'local') return true;
  const what = `${counted(questions, 'section')} of ${counted(documents, 'document')}, with names, signatures and summaries of code, never a body,`;
  const to = kind.runs === 'host' ? kind.title : `${kind.title} (${place}, ${model})`;
  const asks = kind.runs === 'cloud' && cli.ask && !yes && !(await store.given(provider, place));
  if (!asks) {
    cli.output.note(`Sending ${what} to ${to}${kind.keyVariable ? `, with the key in ${kind.keyVariable}` : ''}.`);
    return true;
  }
  const answer = await answerOf(cli.ask, `Send ${what} to ${to}? This is asked once for this project. [y/N] `);
  if (!/^\s*(?:y|yes)\s*$/i.test(answer)) return false;
  await store.remember(provider, place);
  return true;
}

/** What is typed; nothing when the terminal is closed in place of an answer, or Ctrl-C is pressed. */
export async function answerOf(ask: (question: string) => Promise<string>, question: string): Promise<string> {
  try {
    return await ask(question);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return '';
    throw error;
  }
}
