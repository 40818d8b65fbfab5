import { timestamp } from '../../base/clock';
import type { NodeKind } from '../kinds';
import type { Memory } from '../memory';
import { parseQuery, type Query, type QueryTerm } from './query';
import { type Candidate, type Mask, search } from './search';
import { type KnownTerm, knownTerms, surveyStore } from './vocabulary';
import { WEIGHTS } from './weights';

/** What is looked for, and where. */
export interface InquiryInput {
  readonly query: string;
  readonly namespace: string | undefined;
  /** In our own 24-character form; now when absent. */
  readonly as_of: string | undefined;
  readonly min_confidence: number;
  readonly kinds: readonly NodeKind[];
  /** Let closed nodes and those that are not valid yet through, too. */
  readonly closed?: boolean;
  /** Let forgotten nodes through, too. */
  readonly forgotten?: boolean;
}

/** A question with what was found for it directly. */
export interface Inquiry {
  readonly mask: Mask;
  readonly query: Query;
  readonly terms: readonly KnownTerm[];
  /** Nodes in the whole store. */
  readonly size: number;
  readonly found: readonly Candidate[];
}

/** Searches for the content words of a question; for its question words only where those find nothing. */
export async function inquire(memory: Memory, input: InquiryInput, limit: number): Promise<Inquiry> {
  const { sql, vocabulary } = memory;
  const asOf = input.as_of ?? timestamp(memory.clock());
  const { ns, size } = await surveyStore(sql, input.namespace ?? memory.scope.namespace);
  const mask: Mask = {
    ns,
    asOf,
    minConfidence: input.min_confidence,
    kinds: input.kinds,
    closed: input.closed ?? false,
    forgotten: input.forgotten ?? false,
  };
  const query = parseQuery(input.query, Date.parse(asOf));
  const searchFor = async (words: readonly QueryTerm[]): Promise<Inquiry> => {
    const terms = await knownTerms(sql, vocabulary, size, words);
    return { mask, query, terms, size, found: await search(sql, mask, terms, size, limit) };
  };
  const byContent = await searchFor(query.content);
  // A content word may be known only to another namespace, or to what is closed: that must not silence the others.
  const found = byContent.found.some((node) => node.valid);
  if (!found && query.function.length > 0) return searchFor([...query.content, ...query.function]);
  return {
    ...byContent,
    terms: [...byContent.terms, ...query.function.slice(0, MAX_TIE_BREAKERS).map(asTieBreaker(size))],
  };
}

const MAX_TIE_BREAKERS = 12;

/** Question words find nothing, but of two memories that match alike the one that holds them, too, is meant. */
const asTieBreaker =
  (size: number) =>
  (term: QueryTerm): KnownTerm => ({
    ...term,
    weight: term.weight * WEIGHTS.functionWord,
    frequency: Math.ceil(size / 2),
    longer: [],
  });
