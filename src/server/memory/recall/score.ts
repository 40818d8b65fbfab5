import type { Candidate } from './search';
import type { KnownTerm } from './vocabulary';
import { WEIGHTS } from './weights';

/**
 * BM25 of each candidate over all known terms of the question. Computed here and not taken from the index, because
 * the index ranks by the rarer terms only and knows no exact forms, longer words and contexts.
 * @returns a score for each candidate, in the same order; 0 where no term occurs
 */
export function relevances(candidates: readonly Candidate[], terms: readonly KnownTerm[], size: number): number[] {
  const lengths = candidates.map((node) => countSpaces(node.words) + 1);
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const weighed = terms.map((term) => ({
    term,
    idf: Math.log(1 + (size - Math.min(term.postings, size) + 0.5) / (term.postings + 0.5)),
    longer: new Set(term.longer.map((word) => word.term)),
  }));
  return candidates.map((node, i) => {
    const words = counts(node.words);
    const stems = counts(node.stems);
    const context = counts(node.context);
    const norm = WEIGHTS.k1 * (1 - WEIGHTS.b + WEIGHTS.b * ((lengths[i] ?? 1) / average));
    let score = 0;
    for (const { term, idf, longer } of weighed) {
      const any = (words.get(term.stem) ?? 0) + (stems.get(term.stem) ?? 0);
      const exact = words.get(term.word) ?? 0;
      let frequency = WEIGHTS.anyForm * Math.max(any, exact) + WEIGHTS.exactForm * exact;
      if (frequency === 0 && longer.size > 0) frequency = WEIGHTS.longerWord * Math.min(1, countIn(words, longer));
      if (frequency < WEIGHTS.context && (context.has(term.stem) || context.has(term.word))) {
        frequency = WEIGHTS.context;
      }
      if (frequency > 0) score += (idf * frequency * (WEIGHTS.k1 + 1)) / (frequency + norm);
    }
    return score;
  });
}

function counts(terms: string): Map<string, number> {
  const counted = new Map<string, number>();
  if (terms === '') return counted;
  for (const term of terms.split(' ')) counted.set(term, (counted.get(term) ?? 0) + 1);
  return counted;
}

function countIn(words: ReadonlyMap<string, number>, wanted: ReadonlySet<string>): number {
  let sum = 0;
  for (const word of wanted) sum += words.get(word) ?? 0;
  return sum;
}

function countSpaces(text: string): number {
  let n = 0;
  for (let i = text.indexOf(' '); i !== -1; i = text.indexOf(' ', i + 1)) n++;
  return n;
}
