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
  /** A question word: breaks ties only; or, where hardly any other word is known, searched for when it is rare. */
  functionWord: 0.3,
  rareFunctionWord: 0.7,
  /** An entity or session node says less than a memory that matches as well. */
  structural: 0.6,
  /** Handed on to what was stored just before or after, and along SUPERSEDES, by each hop. */
  neighbour: 0.6,
  /** What many neighbours hand on adds up to this at the most. */
  mostInherited: 0.5,
  /** Handed on to a memory that shares an entity, divided by the entity's degree to this power. */
  entityDamping: 0.7,
  /** Added for belonging to the episode that answers best, as a share of the best hit; BM25 over the episode. */
  episode: 0.3,
  episodeK1: 2,
  episodePower: 2,
  /** Added for having become valid in a period that the question names. */
  period: 0.4,
  /** Share by which a memory gains that holds what "when" or "how many" asks for. */
  sought: 0.3,
  /** Bounds of the factors around 1 that only break ties. */
  recency: 0.04,
  frequency: 0.03,
  connectivity: 0.02,
};
