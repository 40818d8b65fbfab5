import { expect, it } from 'vitest';
import { score } from '../../../../src/server/memory/recall/score';
import type { Candidate } from '../../../../src/server/memory/recall/search';
import type { KnownTerm } from '../../../../src/server/memory/recall/vocabulary';
import { WEIGHTS } from '../../../../src/server/memory/recall/weights';

function candidate(words: string): Candidate {
  const where = { seq: 1, session: null, episode: null, validFrom: 0 };
  return { ...where, kind: 'fact', uses: 0, about: [], proposed: false, valid: true, words, stems: '', context: '' };
}

function term(word: string, frequency: number, longer: KnownTerm['longer'] = []): KnownTerm {
  return { word, stem: word, weight: 1, frequency, longer, known: [] };
}

/** How well memories with these words match, in a store of 100. */
const scores = (terms: readonly KnownTerm[], ...memories: string[]): number[] =>
  score(memories.map(candidate), { terms, size: 100, weights: WEIGHTS }).map(({ relevance }) => relevance);

it('a word that one memory holds is that rare, however many hold longer words', () => {
  const terms = [term('auth', 1, [{ term: 'authentic', frequency: 40 }]), term('zebra', 3)];
  const [auth = 0, zebra = 0] = scores(terms, 'auth works', 'zebra works');
  expect(auth).toBeGreaterThan(zebra);
});

it('a word that no memory holds is as rare as the longer words that begin with it', () => {
  const terms = [
    term('auth', 0, [{ term: 'authentic', frequency: 40 }]),
    term('zebr', 0, [{ term: 'zebra', frequency: 3 }]),
  ];
  const [auth = 0, zebra = 0] = scores(terms, 'authentic works', 'zebra works');
  expect(zebra).toBeGreaterThan(auth);
  expect(auth).toBeGreaterThan(0);
});

it('one rare word says more than three that every fifth memory holds', () => {
  const terms = [term('quartz', 3), term('method', 20), term('names', 20), term('team', 20)];
  const [rare = 0, common = 0] = scores(terms, 'quartz one two', 'method names team');
  expect(rare).toBeGreaterThan(common);
});
