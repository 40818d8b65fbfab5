/** Searches the store for a question. */

import type { NodeKind } from '../../../kinds/kinds';
import { validAt } from '../clock-ahead';
import type { Memory } from '../memory';
import { relatedStems } from '../text/related-words';
import type { Period } from './periods';
import { parseQuery, type Query, type QueryTerm } from './query';
import type { Scoring } from './score';
import { type Candidate, type Mask, search } from './search';
import { type KnownTerm, surveyStore } from './vocabulary';
import { WEIGHTS, type Weights } from './weights';

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
  /** What became valid in the periods that the question names is wanted, too. */
  readonly dated?: boolean;
  /** Other words for the same thing find memories, too. */
  readonly related?: boolean;
}

/** A question with what was found for it directly. */
export interface Inquiry extends Scoring {
  readonly mask: Mask;
  readonly query: Query;
  /** Entities that the question names: their own name by row number. */
  readonly named: ReadonlyMap<number, string>;
  readonly found: readonly Candidate[];
  /** Of each period that the question names, memories that became valid in it; none where they are not asked for. */
  readonly dated: readonly (readonly Candidate[])[];
}

/** Searches for the content words of a question; for its question words only where those find nothing. */
export async function inquire(memory: Memory, input: InquiryInput, limit: number): Promise<Inquiry> {
  const { sql, weights = WEIGHTS } = memory;
  const at = validAt(memory, input.as_of);
  const query = parseQuery(input.query, Date.parse(at.asOf), weights);
  const survey = (words: readonly QueryTerm[], names: readonly string[] = []) =>
    surveyStore(memory, input.namespace ?? memory.scope.namespace, words, names);
  const {
    ns,
    size,
    shared,
    terms: content,
    named,
  } = await survey(input.related ? query.content.map(withRelated(query.content)) : query.content, query.names);
  const mask: Mask = {
    ns,
    ...at,
    minConfidence: input.min_confidence,
    kinds: input.kinds,
    closed: input.closed ?? false,
    forgotten: input.forgotten ?? false,
  };
  const searchFor = async (
    terms: readonly KnownTerm[],
    tieBreakers: readonly KnownTerm[],
    periods: readonly Period[],
  ): Promise<Inquiry> => ({
    mask,
    query,
    terms: [...terms, ...tieBreakers],
    size,
    weights,
    named,
    ...(await search(sql, mask, { terms, periods, size, shared }, limit)),
  });
  const asked = query.function.slice(0, MAX_FUNCTION_WORDS);
  const telling = content.filter(isRare(size)).length;
  const rare = telling < FEW_WORDS && size >= LARGE_STORE ? (await survey(asked)).terms.filter(isRare(size)) : [];
  const others = asked.filter(({ stem }) => !rare.some((term) => term.stem === stem)).map(asTieBreaker(size, weights));
  const asWeighed = [...content, ...rare.map(weighed(weights.rareFunctionWord))];
  const byContent = await searchFor(asWeighed, others, input.dated ? query.periods : []);
  // A content word may be known only to another namespace, or to what is closed: that must not silence the others.
  const found = byContent.found.some((node) => node.valid);
  if (found || query.function.length === 0) return byContent;
  const byAll = await searchFor([...content, ...(await survey(query.function)).terms], [], []);
  return { ...byAll, dated: byContent.dated };
}

/** A longer question says enough by itself. */
const MAX_RELATED_WORDS = 24;

/** What the question says itself is not asked for once more. */
const withRelated =
  (content: readonly QueryTerm[]) =>
  (term: QueryTerm): QueryTerm => {
    if (content.length > MAX_RELATED_WORDS) return term;
    const related = relatedStems(term.stem).filter((other) => !content.some(({ stem }) => stem === other));
    return related.length > 0 ? { ...term, related } : term;
  };

const MAX_FUNCTION_WORDS = 12;
/** With fewer rare content words, question words are searched for, too, where they are rare in a large store. */
const FEW_WORDS = 3;
const LARGE_STORE = 2_000;
const RARE_SHARE = 0.05;

const isRare =
  (size: number) =>
  ({ frequency }: KnownTerm): boolean =>
    frequency > 0 && frequency <= size * RARE_SHARE;

const weighed =
  (weight: number) =>
  (term: KnownTerm): KnownTerm => ({ ...term, weight: term.weight * weight, longer: [], known: [] });

/** Question words find nothing, but of two memories that match alike the one that holds them, too, is meant. */
const asTieBreaker =
  (size: number, { functionWord }: Weights) =>
  (term: QueryTerm): KnownTerm => ({
    ...term,
    weight: term.weight * functionWord,
    frequency: Math.ceil(size / 2),
    longer: [],
    known: [],
  });
