/** Scores how well a node matches a question. */
import type { Candidate } from './search';
import type { KnownTerm } from './vocabulary';
import type { Weights } from './weights';

/** What a score is made of, beside the candidate. */
export interface Scoring {
  readonly terms: readonly KnownTerm[];
  /** Nodes in the whole store. */
  readonly size: number;
  readonly weights: Weights;
}

/** The terms of a question, ready to be found among the terms of a memory. */
interface Weighed {
  readonly weights: Weights;
  readonly idf: readonly number[];
  /** Every form that counts for a term → the places of those terms and the kind of form. */
  readonly forms: ReadonlyMap<string, readonly FormOfTerm[]>;
}

interface FormOfTerm {
  readonly term: number;
  readonly form: Form;
}

/** A stem stands for any form of the word; where word and stem are the same, it is the very form, too. */
type Form = 'any' | 'exact' | 'both' | 'longer' | 'related';

export interface Scored {
  /** BM25 over all known terms of the question; 0 where none occurs. */
  readonly relevance: number;
  /** How often each term occurs, by the place of the term; the forms weighed. */
  readonly frequencies: readonly number[];
  /** In words. */
  readonly length: number;
}

/**
 * Scores each candidate over all known terms of the question, in the same order. Computed here and not taken from the
 * index, because the index ranks by the rarer terms only and knows no exact forms, longer words and contexts.
 */
export function score(candidates: readonly Candidate[], scoring: Scoring): Scored[] {
  const weighed = weigh(scoring);
  const { k1, b } = scoring.weights;
  const lengths = candidates.map((node) => countSpaces(node.words) + 1);
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return candidates.map((node, i) => {
    const frequencies = frequenciesIn(node, weighed);
    const length = lengths[i] ?? 1;
    const norm = k1 * (1 - b + b * (length / average));
    return { relevance: bm25(weighed.idf, frequencies, k1, norm), frequencies, length };
  });
}

function frequenciesIn({ words, stems, context }: Candidate, { idf, forms, weights }: Weighed): number[] {
  const any = new Array<number>(idf.length).fill(0);
  const exact = new Array<number>(idf.length).fill(0);
  const longer = new Array<boolean>(idf.length).fill(false);
  const related = new Array<boolean>(idf.length).fill(false);
  const beside = new Array<boolean>(idf.length).fill(false);
  eachFound(words, forms, ({ term, form }) => {
    if (form === 'longer') longer[term] = true;
    else if (form === 'related') related[term] = true;
    else {
      if (form !== 'any') exact[term] = (exact[term] ?? 0) + 1;
      if (form !== 'exact') any[term] = (any[term] ?? 0) + 1;
    }
  });
  eachFound(stems, forms, ({ term, form }) => {
    if (form === 'any' || form === 'both') any[term] = (any[term] ?? 0) + 1;
    if (form === 'related') related[term] = true;
  });
  eachFound(context, forms, ({ term, form }) => {
    if (form !== 'longer' && form !== 'related') beside[term] = true;
  });
  return idf.map((_, t) => {
    const [own = 0, very = 0] = [any[t], exact[t]];
    const frequency = weights.anyForm * Math.max(own, very) + weights.exactForm * very;
    if (frequency > 0) return frequency;
    if (beside[t]) return weights.context;
    if (longer[t]) return weights.longerWord;
    return related[t] ? weights.relatedWord : 0;
  });
}

/** Calls `found` with the terms that each word of the text is a form of; most words are none. */
function eachFound(text: string, forms: Weighed['forms'], found: (form: FormOfTerm) => void): void {
  if (text === '') return;
  for (const word of text.split(' ')) {
    const known = forms.get(word);
    if (known !== undefined) known.forEach(found);
  }
}

/**
 * Scores a group of candidates as if it were one text: what one of them does not say, its neighbour may.
 * @param frequencies of each member
 */
export function scoreTogether(frequencies: readonly (readonly number[])[], scoring: Scoring): number {
  const idf = rarities(scoring);
  const { k1, episodeK1 } = scoring.weights;
  const sums = idf.map((_, t) => frequencies.reduce((sum, member) => sum + (member[t] ?? 0), 0));
  return bm25(idf, sums, k1, episodeK1);
}

function weigh({ terms, size, weights }: Scoring): Weighed {
  const forms = new Map<string, FormOfTerm[]>();
  const add = (word: string, term: number, form: Form): void => {
    const known = forms.get(word);
    if (known) known.push({ term, form });
    else forms.set(word, [{ term, form }]);
  };
  const idf = terms.map((term, t) => {
    if (term.word === term.stem) add(term.word, t, 'both');
    else {
      add(term.stem, t, 'any');
      add(term.word, t, 'exact');
    }
    for (const word of term.longer) add(word.term, t, 'longer');
    for (const word of term.known) add(word.term, t, 'related');
    return rarity(term, size, weights);
  });
  return { idf, forms, weights };
}

/** What each term tells, more the rarer it is. */
export function rarities({ terms, size, weights }: Scoring): number[] {
  return terms.map((term) => rarity(term, size, weights));
}

/** What a term is worth that half of all memories hold, or more. */
const LEAST_RARITY = 0.01;

/** The inverse document frequency of BM25, weighed. */
function rarity(term: KnownTerm, size: number, { rarityPower }: Weights): number {
  const others = [...term.longer, ...term.known].reduce((sum, word) => sum + word.frequency, 0);
  const frequency = Math.min(size, term.frequency > 0 ? term.frequency : others);
  const told = Math.max(LEAST_RARITY, Math.log((size - frequency + 0.5) / (frequency + 0.5)));
  return term.weight * told ** rarityPower;
}

function bm25(idf: readonly number[], frequencies: readonly number[], k1: number, norm: number): number {
  let sum = 0;
  for (const [t, weight] of idf.entries()) {
    const frequency = frequencies[t] ?? 0;
    if (frequency > 0) sum += (weight * frequency * (k1 + 1)) / (frequency + norm);
  }
  return sum;
}

function countSpaces(text: string): number {
  let n = 0;
  for (let i = text.indexOf(' '); i !== -1; i = text.indexOf(' ', i + 1)) n++;
  return n;
}
