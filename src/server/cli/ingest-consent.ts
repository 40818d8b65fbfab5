/** Asks for consent before documents are sent. */
import { counted } from '../base/counted';
import { type SvcError, unavailable } from '../base/errors';
import { PROVIDERS, type ProviderName } from '../llm/providers';
import type { Consents } from '../project/consents';
import { saysYes } from './ask';
import type { Cli } from './cli';

/** What is about to be sent, and where to. */
export interface Sending {
  readonly provider: ProviderName;
  readonly model: string;
  /** Host name of the server. */
  readonly host: string;
  readonly sections: number;
  readonly documents: number;
}

/** `nobody`: there is no person to ask, and no earlier consent. */
export type Consent = 'yes' | 'no' | 'nobody';

/**
 * Says what is sent, and to whom. A cloud provider needs the consent of a person: `--yes`, an earlier answer for this
 * project and server, or an answer on the terminal now. A key in the environment is not consent. A host asks its own
 * user.
 */
export async function askConsent(cli: Cli, sending: Sending, consents: Consents, yes: boolean): Promise<Consent> {
  const { provider, host } = sending;
  const kind = PROVIDERS[provider];
  if (kind.runs === 'local') return 'yes';
  const what = `${counted(sending.sections, 'section')} of ${counted(sending.documents, 'document')}, with names, signatures and summaries of code, never a body,`;
  if (kind.runs !== 'cloud' || yes || consents.given(provider, host)) {
    const key = kind.keyVariable ? `, with the key in ${kind.keyVariable}` : '';
    cli.output.note(`Sending ${what} to ${placeOf(sending)}${key}.`);
    return 'yes';
  }
  if (!cli.ask) return 'nobody';
  const question = `Send ${what} to ${placeOf(sending)}? This is asked once for this project. [y/N] `;
  if (!(await saysYes(cli.ask, question))) return 'no';
  consents.remember(provider, host);
  return 'yes';
}

export function nobodyAgreed(sending: Sending): SvcError {
  return unavailable(
    `Nothing was sent: nobody has agreed to send documents of this project to ${placeOf(sending)}, and there is no terminal to ask on`,
    'Pass --yes, or run the command once on a terminal, which stores your answer for this project',
  );
}

function placeOf({ provider, host, model }: Sending): string {
  const { runs, title } = PROVIDERS[provider];
  return runs === 'host' ? title : `${title} (${host}, ${model})`;
}
