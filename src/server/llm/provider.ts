/**
 * What a model is told of a symbol. It has no field for source text: nothing that a provider sends is made of anything
 * else, so that no line of a body can leave the machine.
 */
export interface SymbolSummary {
  /** By which an answer names it, within one question. */
  readonly id: string;
  readonly kind: string;
  /** Qualified. */
  readonly name: string;
  readonly path: string;
  /** Name, parameters and types; '' for a file. */
  readonly signature: string;
  /** Its doc comment on one line. */
  readonly summary: string;
}

/** One section of a document with the symbols that it may speak of. */
export interface Question {
  readonly document: string;
  readonly heading: string;
  /** Markdown. */
  readonly section: string;
  readonly candidates: readonly SymbolSummary[];
}

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
  /** @throws SvcError when it makes no vectors */
  readonly embed: (texts: readonly string[], signal: AbortSignal) => Promise<readonly (readonly number[])[]>;
}

/** One question that has no answer; others may have. Its message is for people and holds no words of the server. */
export class NoAnswer extends Error {}
