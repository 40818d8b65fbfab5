import type { CodeBase, CodeBaseSymbol } from './code-base';
import { nGrams, wordsIn } from './n-grams';
import { WEIGHTS } from './weights';

/** Where words or n-grams occur, and how much each place has of them: what BM25 and vectors are computed from. */
export interface Postings {
  readonly of: ReadonlyMap<string | number, Posting>;
  /** How many places there are. What too many of them have tells nothing, costs most, and is left out of `of`. */
  readonly size: number;
  /** Sum of the weights of each place; the length of the vector for n-grams. */
  readonly lengths: Float64Array;
  readonly meanLength: number;
}

export interface Posting {
  readonly at: Int32Array;
  readonly weight: Float32Array;
}

/** The symbols of a code base, ready to be found by what a section says. Places are those in `code.symbols`. */
export interface CandidateIndex {
  readonly code: CodeBase;
  /** Names, doc comments, signatures, paths. */
  readonly described: Postings;
  /** The lines of the symbol itself. */
  readonly bodies: Postings;
  /** Whole files, at the places of `paths`. */
  readonly files: Postings;
  readonly vectors: Postings;
  /** For each symbol the place of its file. */
  readonly fileOf: Int32Array;
  /** For each symbol what its text's score is multiplied by, for what it is. */
  readonly factors: Float64Array;
}

/** The words of a source are read for this index only; nothing of them is kept or sent anywhere. */
export type ReadSource = (path: string) => string | undefined;

/** A word that more than this share of all places has, or more than so many of them, is left out; one that few have is not. */
const MOST_COMMON = 0.25;
const MOST_PLACES = 10_000;
const FEW = 8;
const MOST_LINES = 20_000;
const MOST_BODY_LINES = 200;
const MAX_LINE_LENGTH = 400;
const TYPES = new Set(['interface', 'type']);

export function buildCandidateIndex(
  code: CodeBase,
  termsOf: (text: string) => string,
  readSource: ReadSource,
): CandidateIndex {
  const places = new Map(code.symbols.map((symbol, place) => [symbol, place]));
  const described = newPostings<string>(code.symbols.length);
  const bodies = newPostings<string>(code.symbols.length);
  const files = newPostings<string>(code.byPath.size);
  const vectors = newPostings<number>(code.symbols.length);
  const fileOf = new Int32Array(code.symbols.length);
  for (const [file, [path, symbols]] of [...code.byPath].entries()) {
    const lines = (readSource(path) ?? '').split('\n').slice(0, MOST_LINES);
    const words = lines.map((line) => wordsIn(termsOf(line.slice(0, MAX_LINE_LENGTH))));
    files.add(file, countsOf(words));
    for (const symbol of symbols) {
      const place = places.get(symbol) ?? 0;
      fileOf[place] = file;
      described.add(place, wordsOf(symbol, termsOf));
      const { start_line, end_line } = symbol;
      bodies.add(place, countsOf(words.slice(start_line - 1, Math.min(end_line, start_line + MOST_BODY_LINES))));
      vectors.add(place, gramsOf(symbol));
    }
  }
  return {
    ...{ code, fileOf, vectors: vectors.asVectors() },
    factors: Float64Array.from(code.symbols, (symbol) => factorOf(code, symbol)),
    ...{ described: described.done(), bodies: bodies.done(), files: files.done() },
  };
}

/** What other files use is what people write about; what stands inside of something else is a detail of it. */
function factorOf({ byName }: CodeBase, { bare, name, used_by, code_type }: CodeBaseSymbol): number {
  const users = used_by / Math.max(1, byName.get(bare)?.length ?? 1);
  const used = users > 0 ? WEIGHTS.used * Math.min(1, Math.log2(1 + users) / 3) : 0;
  return 1 + used + (bare === name ? 0 : WEIGHTS.inner) + (TYPES.has(code_type) ? WEIGHTS.type : 0);
}

export function idfOf(size: number, frequency: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}

function wordsOf(symbol: CodeBaseSymbol, termsOf: (text: string) => string): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (terms: string, weight: number): void => {
    for (const term of wordsIn(terms)) counts.set(term, (counts.get(term) ?? 0) + weight);
  };
  count(symbol.nameTerms, WEIGHTS.name);
  count(symbol.docTerms, WEIGHTS.doc);
  count(symbol.pathTerms, WEIGHTS.path);
  count(termsOf(symbol.signature), WEIGHTS.signature);
  return counts;
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

function countsOf(lines: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) for (const word of line) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

interface Growing {
  readonly at: number[];
  readonly weight: number[];
}

function newPostings<Key extends string | number>(size: number) {
  const of = new Map<Key, Growing>();
  const lengths = new Float64Array(size);
  return {
    add(place: number, counts: ReadonlyMap<Key, number>): void {
      for (const [key, weight] of counts) {
        lengths[place] = (lengths[place] ?? 0) + weight;
        const posting = of.get(key);
        if (posting) {
          posting.at.push(place);
          posting.weight.push(weight);
        } else of.set(key, { at: [place], weight: [weight] });
      }
    },
    done(): Postings {
      const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, size);
      return { of: packed(of, size), size, lengths, meanLength };
    },
    asVectors(): Postings {
      lengths.fill(0);
      for (const { at, weight } of of.values()) {
        const idf = idfOf(size, at.length);
        for (const [i, place] of at.entries()) lengths[place] = (lengths[place] ?? 0) + ((weight[i] ?? 0) * idf) ** 2;
      }
      return { of: packed(of, size), size, lengths: lengths.map(Math.sqrt), meanLength: 1 };
    },
  };
}

/** Those that tell something, in half the memory. What was grown is given up one by one. */
function packed<Key>(growing: Map<Key, Growing>, size: number): ReadonlyMap<Key, Posting> {
  const most = Math.max(FEW, Math.min(size * MOST_COMMON, MOST_PLACES));
  const kept = new Map<Key, Posting>();
  for (const [key, { at, weight }] of growing) {
    if (at.length <= most) kept.set(key, { at: Int32Array.from(at), weight: Float32Array.from(weight) });
    growing.delete(key);
  }
  return kept;
}
