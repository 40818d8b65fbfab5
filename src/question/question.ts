/**
 * What a model is told about a symbol. It has no field for source text: nothing that a provider sends is made of
 * anything else, so that no line of a body can leave the machine.
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
