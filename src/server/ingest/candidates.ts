/** Chooses the candidates for a section. */
import type { TermsOf } from '../graph/graph-rows';
import type { CandidateIndex } from './candidate-index';
import type { CodeBaseSymbol } from './code-base';
import { FUNCTION_WORDS } from './function-words';
import { type Mention, mentionsIn } from './mentions';
import { nGrams, wordsIn } from './n-grams';
import { idfOf, type Postings } from './postings';
import type { Section } from './sections';
import { WEIGHTS } from './weights';

/** What a model gets to judge for one section. */
export const CANDIDATES = 10;

/** How alike section and symbols are by a model's embedding, by the place of the symbol. */
export type Similarity = (section: Section) => Promise<Float64Array>;

export interface CandidateOptions {
  /** How well each file fits the whole document, from documentFit. */
  readonly fit?: Float64Array | undefined;
  /** In place of the hashed vectors. */
  readonly similarity?: Similarity | undefined;
}

/** How many are looked at for spreading over files. */
const CROWD = 6 * CANDIDATES;
/** The best symbols, which hand relevance on. */
const PARENTS = 12;

/** The symbols that a section may speak of, best first, chosen on this machine. */
export async function candidatesFor(
  index: CandidateIndex,
  document: string,
  section: Section,
  { fit, similarity }: CandidateOptions = {},
): Promise<CodeBaseSymbol[]> {
  const { code } = index;
  const words = queryWords(section, index.termsOf);
  const query = keysOf(index, words);
  const described = scaled(bm25(index.described, query));
  const bodies = scaled(bm25(index.bodies, query));
  const files = scaled(bm25(index.files, query));
  const grams = nGrams([...words.keys()].join(' '));
  const vectors = scaled(similarity ? await similarity(section) : cosine(index.vectors, grams));
  const { named, files: namedFiles } = whatIsNamed(mentionsIn(code, document, section));
  const own = code.symbols.map((symbol, i) => {
    const text =
      WEIGHTS.described * (described[i] ?? 0) +
      WEIGHTS.body * (bodies[i] ?? 0) +
      WEIGHTS.file * (files[index.fileOf[i] ?? 0] ?? 0) +
      WEIGHTS.document * (fit?.[index.fileOf[i] ?? 0] ?? 0) +
      WEIGHTS.embedding * (vectors[i] ?? 0);
    if ((described[i] ?? 0) + (bodies[i] ?? 0) + (vectors[i] ?? 0) === 0 && !named.has(symbol)) return 0;
    return (
      text * (index.factors[i] ?? 1) +
      (named.get(symbol) ?? 0) +
      (namedFiles.has(symbol.file_path) ? WEIGHTS.inNamedFile : 0)
    );
  });
  const linked = handedOn(index, own);
  const best = bestOfFiles(index, own);
  const scores = own.map((score, i) => {
    const all = score + (linked.get(i) ?? 0);
    if (all === 0) return 0;
    const [first = 0, second = 0, third = 0] = best[index.fileOf[i] ?? 0] ?? [];
    const others = score < second ? first + second : score < first ? first + third : second + third;
    return all + WEIGHTS.together * others;
  });
  const scored = strongest(scores, CROWD).flatMap((i) => {
    const symbol = code.symbols[i];
    return symbol ? [{ symbol, score: scores[i] ?? 0 }] : [];
  });
  for (const path of namedFiles) {
    const symbol = code.files.get(path);
    // Above what only sounds alike.
    if (symbol) scored.push({ symbol, score: 2 * (named.get(symbol) ?? 0) });
  }
  return spread(scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score));
}

/** How well each file fits a document as a whole, at most 1: what its sections speak of lies close together. */
export function documentFit(index: CandidateIndex, sections: readonly Section[]): Float64Array {
  const fit = new Float64Array(index.files.size);
  for (const section of sections) {
    const files = scaled(bm25(index.files, keysOf(index, queryWords(section, index.termsOf))));
    for (const [i, score] of files.entries()) fit[i] = (fit[i] ?? 0) + score ** 2;
  }
  return scaled(fit);
}

/** The best, each counting a little less for every one of its file that is there already: details must not crowd out. */
function spread(scored: readonly { symbol: CodeBaseSymbol; score: number }[]): CodeBaseSymbol[] {
  const left = [...scored];
  const taken: CodeBaseSymbol[] = [];
  const ofFile = new Map<string, number>();
  const worth = ({ symbol, score }: { symbol: CodeBaseSymbol; score: number }): number =>
    score * WEIGHTS.crowded ** (ofFile.get(symbol.file_path) ?? 0);
  while (taken.length < CANDIDATES && left.length > 0) {
    let best = 0;
    for (const [i, one] of left.entries()) if (worth(one) > worth(left[best] ?? one)) best = i;
    const [{ symbol } = { symbol: undefined }] = left.splice(best, 1);
    if (!symbol) break;
    taken.push(symbol);
    ofFile.set(symbol.file_path, (ofFile.get(symbol.file_path) ?? 0) + 1);
  }
  return taken;
}

/** What the best symbols hand on to those that they call, and to those that call them. */
function handedOn({ code }: CandidateIndex, own: readonly number[]): ReadonlyMap<number, number> {
  const handed = new Map<number, number>();
  const hand = (to: number, value: number): void => {
    if ((own[to] ?? 0) > 0) handed.set(to, Math.max(handed.get(to) ?? 0, value));
  };
  for (const parent of strongest(own, PARENTS)) {
    const score = own[parent] ?? 0;
    for (const called of code.calls.get(parent) ?? []) {
      // What stands in the same file has the file's own score already.
      const elsewhere = code.symbols[called]?.file_path !== code.symbols[parent]?.file_path;
      hand(called, (elsewhere ? WEIGHTS.calledElsewhere : WEIGHTS.called) * score);
    }
    for (const caller of code.calledBy.get(parent) ?? []) hand(caller, WEIGHTS.calls * score);
  }
  return handed;
}

/** The places of the highest scores, without putting all of them in order. */
function strongest(scores: readonly number[], count: number): readonly number[] {
  const best: number[] = [];
  for (const [i, score] of scores.entries()) {
    if (best.length === count && score <= (scores[best.at(-1) ?? 0] ?? 0)) continue;
    const at = best.findIndex((other) => (scores[other] ?? 0) < score);
    best.splice(at < 0 ? best.length : at, 0, i);
    if (best.length > count) best.pop();
  }
  return best;
}

function whatIsNamed(mentions: readonly Mention[]) {
  const named = new Map<CodeBaseSymbol, number>();
  const files = new Set<string>();
  for (const { how, symbols } of mentions) {
    const weight = how === 'text' ? WEIGHTS.namedInText : WEIGHTS.named;
    for (const symbol of symbols) {
      if (symbol.code_type === 'file') files.add(symbol.file_path);
      named.set(symbol, Math.max(named.get(symbol) ?? 0, weight / Math.sqrt(symbols.length)));
    }
  }
  return { named, files };
}

/** The words of a section with their weights: words in headings and backticks count more. */
function queryWords({ heading, text, code }: Section, termsOf: TermsOf): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsIn(termsOf(text))) {
    if (!FUNCTION_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const weights = new Map([...counts].map(([word, count]) => [word, 1 + Math.log(count)]));
  const raise = (terms: string, weight: number): void => {
    for (const word of new Set(wordsIn(terms)))
      if (!FUNCTION_WORDS.has(word)) weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  // The last heading is the section's own.
  raise(termsOf(heading.slice(heading.lastIndexOf('›') + 1)), WEIGHTS.heading);
  raise(termsOf(code.join(' ')), WEIGHTS.backticks);
  return weights;
}

/** Those that the code base knows. */
function keysOf({ keys }: CandidateIndex, words: ReadonlyMap<string, number>): ReadonlyMap<number, number> {
  const known = new Map<number, number>();
  for (const [word, weight] of words) {
    const key = keys.get(word);
    if (key !== undefined) known.set(key, weight);
  }
  return known;
}

function bm25(postings: Postings, query: ReadonlyMap<number, number>): Float64Array {
  const { size, lengths, meanLength } = postings;
  const scores = new Float64Array(size);
  for (const [key, asked] of query) {
    const posting = postings.of(key);
    if (!posting) continue;
    const idf = idfOf(size, posting.at.length);
    for (let i = 0; i < posting.at.length; i++) {
      const place = posting.at[i] ?? 0;
      const frequency = posting.weight[i] ?? 0;
      const norm = WEIGHTS.k1 * (1 - WEIGHTS.b + WEIGHTS.b * ((lengths[place] ?? 0) / meanLength));
      scores[place] = (scores[place] ?? 0) + (asked * idf * frequency * (WEIGHTS.k1 + 1)) / (frequency + norm);
    }
  }
  return scores;
}

function cosine(vectors: Postings, query: ReadonlySet<number>): Float64Array {
  const scores = new Float64Array(vectors.size);
  for (const gram of query) {
    const posting = vectors.of(gram);
    if (!posting) continue;
    const idf = idfOf(vectors.size, posting.at.length);
    for (let i = 0; i < posting.at.length; i++) {
      const place = posting.at[i] ?? 0;
      scores[place] = (scores[place] ?? 0) + (posting.weight[i] ?? 0) * idf * idf;
    }
  }
  return scores.map((score, i) => score / (vectors.lengths[i] || 1));
}

/** So that the best is 1. */
function scaled(scores: Float64Array): Float64Array {
  const best = scores.reduce((a, b) => Math.max(a, b), 0);
  return best > 0 ? scores.map((score) => score / best) : scores;
}

/** The three best scores of each file, best first. */
function bestOfFiles({ fileOf }: CandidateIndex, scores: readonly number[]): readonly (readonly number[])[] {
  const best: [number, number, number][] = [];
  for (const [i, score] of scores.entries()) {
    const file = fileOf[i] ?? 0;
    const three = best[file] ?? [0, 0, 0];
    best[file] = three;
    if (score > three[0]) three.splice(0, 3, score, three[0], three[1]);
    else if (score > three[1]) three.splice(1, 2, score, three[1]);
    else if (score > three[2]) three[2] = score;
  }
  return best;
}
