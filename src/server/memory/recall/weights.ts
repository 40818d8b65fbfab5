/** The numbers of the ranking. Chosen by `npm run bench -- quality` on the sets named in docs/benchmarks.md. */
export const WEIGHTS = {
  /** BM25. Small `b`: favouring short lines was measured to hurt. */
  k1: 1.2,
  b: 0.3,
  /** What one occurrence counts: any form of the word, the very form on top, a longer word, a name or reason beside. */
  anyForm: 0.75,
  exactForm: 0.25,
  longerWord: 0.35,
  context: 0.6,
  /** Handed on to the memory stored just before or after (service.md: 0.6 per hop). */
  neighbour: 0.6,
  sharedEntity: 0.3,
  superseding: 0.6,
  /** Added for belonging to the episode that answers best, as a share of the best hit. */
  episode: 0.25,
  /** Added for having become valid in a period that the question names. */
  period: 0.4,
  /** Bounds of the factors around 1 that only break ties. */
  recency: 0.04,
  frequency: 0.03,
  connectivity: 0.02,
};
