/** Scores how well a node matches a question. */
import type { Candidate } from './search';
import type { KnownTerm } from './vocabulary';
import { WEIGHTS } from './weights';

/** The terms of a question, ready to be found among the terms of a memory. */
interface Weighed {
  readonly idf: readonly number[];
  /** Every form that counts for a term → the places of those terms and the kind of form. */
  readonly forms: ReadonlyMap<string, readonly FormOfTerm[]>;
}

interface FormOfTerm {
  readonly term: number;
  readonly form: Form;
}

/** A stem stands for any form of the word; where word and stem are the same, it is the very form, too. */
type Form = 'any' | 'exact' | 'both' | 'longer';

export interface Scored {
  /** BM25 over all known terms of the question; 0 where none occurs. */
  readonly relevance: number;
  /** How often each term occurs, by the place of the term; the forms weighed. */
  readonly frequencies: readonly number[];
}

/**
 * Scores each candidate over all known terms of the question, in the same order. Computed here and not taken from the
 * index, because the index ranks by the rarer terms only and knows no exact forms, longer words and contexts.
 */
export function score(candidates: readonly Candidate[], terms: readonly KnownTerm[], size: number): Scored[] {
  const weighed = weigh(terms, size);
  const lengths = candidates.map((node) => countSpaces(node.words) + 1);
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return candidates.map((node, i) => {
    const frequencies = frequenciesIn(node, weighed);
    const norm = WEIGHTS.k1 * (1 - WEIGHTS.b + WEIGHTS.b * ((lengths[i] ?? 1) / average));
    return { relevance: bm25(weighed.idf, frequencies, norm), frequencies };
  });
}

function frequenciesIn({ words, stems, context }: Candidate, { idf, forms }: Weighed): number[] {
  const any = new Array<number>(idf.length).fill(0);
  const exact = new Array<number>(idf.length).fill(0);
  const longer = new Array<boolean>(idf.length).fill(false);
  const beside = new Array<boolean>(idf.length).fill(false);
  eachFound(words, forms, ({ term, form }) => {
    if (form === 'longer') longer[term] = true;
    else {
      if (form !== 'any') exact[term] = (exact[term] ?? 0) + 1;
      if (form !== 'exact') any[term] = (any[term] ?? 0) + 1;
    }
  });
  eachFound(stems, forms, ({ term, form }) => {
    if (form === 'any' || form === 'both') any[term] = (any[term] ?? 0) + 1;
  });
  eachFound(context, forms, ({ term, form }) => {
    if (form !== 'longer') beside[term] = true;
  });
  return idf.map((_, t) => {
    const [own = 0, very = 0] = [any[t], exact[t]];
    const frequency = WEIGHTS.anyForm * Math.max(own, very) + WEIGHTS.exactForm * very;
    if (frequency > 0) return frequency;
    if (beside[t]) return WEIGHTS.context;
    return longer[t] ? WEIGHTS.longerWord : 0;
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
export function scoreTogether(frequencies: readonly (readonly number[])[], terms: readonly KnownTerm[], size: number) {
  const idf = terms.map((term) => rarity(term, size));
  const sums = idf.map((_, t) => frequencies.reduce((sum, member) => sum + (member[t] ?? 0), 0));
  return bm25(idf, sums, WEIGHTS.episodeK1);
}

function weigh(terms: readonly KnownTerm[], size: number): Weighed {
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
    return rarity(term, size);
  });
  return { idf, forms };
}

/** The inverse document frequency of BM25, weighed. */
function rarity(term: KnownTerm, size: number): number {
  const longer = term.longer.reduce((sum, word) => sum + word.frequency, 0);
  const frequency = Math.min(size, term.frequency > 0 ? term.frequency : longer);
  return term.weight * Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}

function bm25(idf: readonly number[], frequencies: readonly number[], norm: number): number {
  let sum = 0;
  for (const [t, weight] of idf.entries()) {
    const frequency = frequencies[t] ?? 0;
    if (frequency > 0) sum += (weight * frequency * (WEIGHTS.k1 + 1)) / (frequency + norm);
  }
  return sum;
}

function countSpaces(text: string): number {
  let n = 0;
  for (let i = text.indexOf(' '); i !== -1; i = text.indexOf(' ', i + 1)) n++;
  return n;
}
