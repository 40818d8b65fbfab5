/** What an ingestion says while it runs, and what it asks: whoever starts one answers. */
import type { ProviderName } from '../llm/providers';

/** What is about to be sent, and where to. */
export interface Sending {
  readonly provider: ProviderName;
  readonly model: string;
  /** Host name of the server. */
  readonly host: string;
  readonly sections: number;
  readonly documents: number;
}

/** How far one part of the work is. */
export interface Stage {
  step(done: number, total: number): void;
  /** Also after an error. */
  end(): void;
}

/** Values in, no text out: the words are those of the door that starts the run. */
export interface Reporter {
  readonly begin: (stage: 'reading code' | 'judging sections') => Stage;
  /** SVC_MCP_HOST names a socket, and nobody answers there. */
  readonly hostIsGone: () => void;
  /** No rule gives a provider. @returns whether to go on without a model */
  readonly goOnWithoutModel: () => Promise<boolean>;
  /** Documents leave this machine now, with the consent that this takes. */
  readonly sending: (sending: Sending) => void;
  /** Asks a person, whose yes is kept for this project; undefined where there is nobody to ask. */
  readonly agrees: ((sending: Sending) => Promise<boolean>) | undefined;
}
