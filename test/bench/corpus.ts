import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, seededRandom } from '../support/random';

/** One memory as `memory_import` takes it. */
export interface CorpusMemory {
  readonly content: string;
  readonly kind: string;
  readonly entities: readonly string[];
}

/** A question whose answer is known: the memory that its words were taken from. */
export interface CorpusQuery {
  readonly text: string;
  /** The place of that memory in the corpus. */
  readonly target: number;
}

/**
 * `words`: three, four or six words that tell something, as they are. `question`: the same in a sentence.
 * `common`: the telling words among as many of the commonest, like the sentences that people write.
 */
export const QUERY_CLASSES = ['words', 'question', 'common'] as const;
export type QueryClass = (typeof QUERY_CLASSES)[number];

export interface Corpus {
  readonly memories: readonly CorpusMemory[];
  /** Memories that are not in the corpus, to be stored later. */
  more(count: number): CorpusMemory[];
  queries(kind: QueryClass, count: number): CorpusQuery[];
}

const SEED = 20_260;
const MARKDOWN_FILES = 600;
const SMALLEST_FILE = 3_000;
const CHARACTERS_OF_A_FILE = 60_000;
const WORD = /[a-z]{2,14}/g;
/** This many of the commonest words tell nothing about a memory. */
const COMMONEST = 150;
const FEWEST_WORDS = 20;
const MOST_WORDS = 40;
const ENTITIES = 500;
const KINDS = ['fact', 'fact', 'fact', 'decision', 'action', 'outcome', 'procedure', 'preference'];
const WORDS_OF_A_QUERY = [3, 4, 6];

let vocabulary: Vocabulary | undefined;

/**
 * `size` memories of 20 to 40 words, each drawn as often as in the Markdown files of the installed packages: real words
 * with real frequencies, which is what full-text search spends its time on. The same for the same packages.
 */
export function makeCorpus(size: number): Corpus {
  vocabulary ??= readVocabulary();
  const words = vocabulary;
  const random = seededRandom(SEED);
  const entities = Array.from({ length: ENTITIES }, () => `${words.telling(random)}-${words.telling(random)}`);
  const more = (count: number): CorpusMemory[] =>
    Array.from({ length: count }, () => {
      const length = FEWEST_WORDS + random.below(MOST_WORDS - FEWEST_WORDS + 1);
      const about = random.below(3) === 0 ? 2 : 1;
      return {
        content: Array.from({ length }, () => words.draw(random)).join(' '),
        kind: random.of(KINDS),
        entities: Array.from({ length: about }, () => random.of(entities)),
      };
    });
  const memories = more(size);
  return { memories, more, queries: (kind, count) => makeQueries(memories, words, kind, count) };
}

function makeQueries(
  memories: readonly CorpusMemory[],
  vocabulary: Vocabulary,
  kind: QueryClass,
  count: number,
): CorpusQuery[] {
  const random = seededRandom(SEED + 1 + QUERY_CLASSES.indexOf(kind));
  const queries: CorpusQuery[] = [];
  while (queries.length < count) {
    const target = random.below(memories.length);
    const words = [...new Set(memories[target]?.content.split(' '))];
    const telling = words.filter((word) => word.length > 2 && !vocabulary.commonest.has(word));
    const wanted = WORDS_OF_A_QUERY[queries.length % WORDS_OF_A_QUERY.length] ?? 3;
    if (telling.length < wanted) continue;
    const chosen = Array.from({ length: wanted }, (_, i) => telling[Math.floor((i * telling.length) / wanted)] ?? '');
    const mixed = kind === 'common' ? chosen.flatMap((word) => [vocabulary.common(random), word]) : chosen;
    queries.push({ text: `${kind === 'question' ? 'what did we say about ' : ''}${mixed.join(' ')}`, target });
  }
  return queries;
}

interface Vocabulary {
  readonly commonest: ReadonlySet<string>;
  draw(random: Random): string;
  /** One of the commonest, each as often as it is written. */
  common(random: Random): string;
  /** A word that is not among the commonest. */
  telling(random: Random): string;
}

function readVocabulary(): Vocabulary {
  const counts = new Map<string, number>();
  for (const file of markdownFiles()) {
    const text = readFileSync(file, 'utf8').slice(0, CHARACTERS_OF_A_FILE).toLowerCase();
    for (const [word] of text.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words: string[] = [];
  const upTo: number[] = [];
  let total = 0;
  for (const [word, count] of counts) {
    if (count === 1) continue; // names and hashes, mostly
    total += count;
    words.push(word);
    upTo.push(total);
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a);
  const commonest = new Set(byCount.slice(0, COMMONEST).map(([word]) => word));
  const draw = (random: Random): string => {
    const drawn = random.below(total);
    let low = 0;
    let high = upTo.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) <= drawn) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? '';
  };
  const drawOne = (random: Random, fits: (word: string) => boolean): string => {
    for (;;) {
      const word = draw(random);
      if (fits(word)) return word;
    }
  };
  return {
    commonest,
    draw,
    common: (random) => drawOne(random, (word) => commonest.has(word)),
    telling: (random) => drawOne(random, (word) => word.length > 2 && !commonest.has(word)),
  };
}

function markdownFiles(): string[] {
  // What was made or installed besides lies in .cache, and is another each time.
  const packages = readdirSync('node_modules').filter((name) => !name.startsWith('.'));
  const files = packages
    .flatMap((name) => readdirSync(join('node_modules', name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const long: string[] = [];
  for (const file of files) {
    if (long.length === MARKDOWN_FILES) break;
    if (readFileSync(file).length >= SMALLEST_FILE) long.push(file);
  }
  return long;
}
