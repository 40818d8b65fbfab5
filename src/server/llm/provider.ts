/** What every provider of a language model can do. */
import type { Question } from '../../question/question';

/** That the section speaks of a candidate. */
export interface Verdict {
  readonly id: string;
  /** 0 to 1 */
  readonly confidence: number;
  readonly reason: string;
}

export interface Answer {
  /** As the model wrote it: JSON by the schema of `prompt`. */
  readonly text: string;
  /** The model that answered, as its server calls it. */
  readonly model: string;
}

/** A model that judges, behind one of the four kinds of providers. */
export interface Provider {
  /**
   * @throws SvcError when there is no use in asking on (no server, a wrong key, an unknown model)
   * @throws NoAnswer when this one question has none
   */
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** A model for embeddings on this machine. */
export interface Embedder {
  readonly model: string;
  /** @throws SvcError when it does not create embeddings */
  readonly embed: (texts: readonly string[], signal: AbortSignal) => Promise<readonly (readonly number[])[]>;
}

/** One question that has no answer; others may have. Its message is for people and holds no words of the server. */
export class NoAnswer extends Error {}
