/** An index of the symbols that sections may describe. */
import type { TermsOf } from '../graph/graph-rows';
import type { CodeBase, CodeBaseSymbol } from './code-base';
import { nGrams, wordsIn } from './n-grams';
import { newPostings, type Postings } from './postings';
import { WEIGHTS } from './weights';

/** The symbols of a code base, ready to be found by what a section says. Places are those in `code.symbols`. */
export interface CandidateIndex {
  readonly code: CodeBase;
  /** What makes words of a text, here and in sections. */
  readonly termsOf: TermsOf;
  /** The key of each word in postings. */
  readonly keys: ReadonlyMap<string, number>;
  /** Names, doc comments, signatures, paths. */
  readonly described: Postings;
  /** The lines of the symbol itself. */
  readonly bodies: Postings;
  /** Whole files, at the places of `code.byPath`. */
  readonly files: Postings;
  /** By n-grams. */
  readonly vectors: Postings;
  /** For each symbol the place of its file. */
  readonly fileOf: Int32Array;
  /** For each symbol what its text's score is multiplied by, for what it is. */
  readonly factors: Float64Array;
}

/** The words of a source are read for this index only; nothing of them is kept or sent anywhere. */
export type ReadSource = (path: string) => string | undefined;

const MOST_LINES = 20_000;
const MOST_BODY_LINES = 200;
const MAX_LINE_LENGTH = 400;
const TYPES = new Set(['interface', 'type']);

export function buildCandidateIndex(code: CodeBase, termsOf: TermsOf, readSource: ReadSource): CandidateIndex {
  const { symbols, byPath } = code;
  const keys = new Map<string, number>();
  const keyOf = (word: string): number => {
    const known = keys.get(word);
    if (known !== undefined) return known;
    keys.set(word, keys.size);
    return keys.size - 1;
  };
  const keysOf = (terms: string): number[] => wordsIn(terms).map(keyOf);
  const described = newPostings(symbols.length);
  const bodies = newPostings(symbols.length);
  const files = newPostings(byPath.size);
  const vectors = newPostings(symbols.length);
  const fileOf = new Int32Array(symbols.length);
  for (const [file, [path, places]] of [...byPath].entries()) {
    const lines = (readSource(path) ?? '').split('\n').slice(0, MOST_LINES);
    const words = lines.map((line) => keysOf(termsOf(line.slice(0, MAX_LINE_LENGTH))));
    files.add(file, countsOf(words));
    for (const place of places) {
      const symbol = symbols[place];
      if (!symbol) continue;
      const { nameTerms, docTerms, pathTerms, signature, start_line, end_line } = symbol;
      fileOf[place] = file;
      described.add(
        place,
        countsOf([nameTerms, docTerms, pathTerms, termsOf(signature)].map(keysOf), [
          WEIGHTS.name,
          WEIGHTS.doc,
          WEIGHTS.path,
          WEIGHTS.signature,
        ]),
      );
      bodies.add(place, countsOf(words.slice(start_line - 1, Math.min(end_line, start_line + MOST_BODY_LINES))));
      vectors.add(place, gramsOf(symbol));
    }
  }
  return {
    ...{ code, termsOf, keys, fileOf, factors: Float64Array.from(symbols, (symbol) => factorOf(code, symbol)) },
    ...{ vectors: vectors.forVectors(), described: described.forWords() },
    ...{ bodies: bodies.forWords(), files: files.forWords() },
  };
}

/** People write about symbols that other files use, and less about symbols nested in others. */
function factorOf({ byName }: CodeBase, { bare, name, used_by, code_type }: CodeBaseSymbol): number {
  const users = used_by / Math.max(1, byName.get(bare)?.length ?? 1);
  const used = users > 0 ? WEIGHTS.used * Math.min(1, Math.log2(1 + users) / 3) : 0;
  return 1 + used + (bare === name ? 0 : WEIGHTS.inner) + (TYPES.has(code_type) ? WEIGHTS.type : 0);
}

/** A symbol's hashed vector: its words and their n-grams, names before doc comments. */
function gramsOf({ nameTerms, docTerms, pathTerms }: CodeBaseSymbol): Map<number, number> {
  const grams = new Map<number, number>();
  const take = (terms: string, weight: number): void => {
    for (const gram of nGrams(terms)) grams.set(gram, Math.max(grams.get(gram) ?? 0, weight));
  };
  take(docTerms, WEIGHTS.doc);
  take(pathTerms, WEIGHTS.path);
  take(nameTerms, WEIGHTS.name);
  return grams;
}

/** What each key of these texts counts together. @param weights of the texts, where they are not 1 */
function countsOf(texts: readonly (readonly number[])[], weights: readonly number[] = []): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [i, keys] of texts.entries()) {
    const weight = weights[i] ?? 1;
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + weight);
  }
  return counts;
}
