/** Gets the consent that sending documents takes. */
import { PROVIDERS } from '../llm/providers';
import type { Consents } from '../project/consents';
import type { Reporter, Sending } from './reporter';

/** `nobody`: there is no person to ask, and no earlier consent. */
export type Answer = 'yes' | 'no' | 'nobody';

export interface AskConsent {
  readonly consents: Consents;
  /** The person who started the run has agreed, for this once (`--yes`). */
  readonly agreed: boolean;
  readonly reporter: Pick<Reporter, 'sending' | 'agrees'>;
}

/**
 * Reports what is sent, and to whom. A cloud provider needs the consent of a person: with the start of the run, an
 * earlier answer for this project and server, or an answer now. A key in the environment is not consent. A host asks its
 * own user.
 */
export async function askConsent(sending: Sending, { consents, agreed, reporter }: AskConsent): Promise<Answer> {
  const { provider, host } = sending;
  const { runs } = PROVIDERS[provider];
  if (runs === 'local') return 'yes';
  if (runs !== 'cloud' || agreed || consents.given(provider, host)) {
    reporter.sending(sending);
    return 'yes';
  }
  if (!reporter.agrees) return 'nobody';
  if (!(await reporter.agrees(sending))) return 'no';
  consents.remember(provider, host);
  return 'yes';
}
