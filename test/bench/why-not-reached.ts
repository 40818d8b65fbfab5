import type { Goal } from './goals';

/** Why a goal is missed where it is: looked into, and tried to mend. */
const REASONS: readonly (readonly [goals: RegExp, why: string])[] = [
  [
    /^(?:long messages|devmem|dialogues|conventions|commits): evidence/,
    'The table of what is not found says how much of it holds no word of the question. The table of sets left out has the most that any ' +
      'weight brings, chosen on the very set: what is missing there cannot be had by weights. What one set gains by one of them (the trust in ' +
      'neighbours, the share of rare words, what an entity counts) another one loses.',
  ],
  [
    /^devmem: words of the answer/,
    'The answers of this set are in words of their own: with nearly all evidence in the answer, at 2,000 tokens, a ninth of the words is ' +
      'missing still.',
  ],
  [
    /^recall at (?:1,000|10,000)/,
    'Five statements, the words of 80 candidates and their neighbours, and a pipe are the same at any size; raw FTS5 asks one statement in the ' +
      'process of the benchmark. Timed one by one at 1,000: statements half of it, the pipe a fifteenth, the rest scoring and printing. In ' +
      'larger stores the search itself counts, and there the goals are reached.',
  ],
  [
    /^memory_store at .* with a value/,
    'A text that states a value is compared with what is there. That is a search of its own, and takes as long as one. It runs while the ' +
      'disk writes, and the counts of words that it needs are kept.',
  ],
];

/** A sentence for each kind of goal that was missed in this run. */
export function whyNotReached(goals: readonly Goal[]): string[] {
  const missed = goals.filter(({ reached }) => !reached);
  const lines = REASONS.flatMap(([pattern, why]) => {
    const names = missed.filter(({ what }) => pattern.test(what)).map(({ what }) => what.split(/[:,]/, 1)[0] ?? '');
    return names.length === 0 ? [] : [`- ${[...new Set(names)].join(', ')}: ${why}`];
  });
  return lines.length === 0 ? [] : ['### Why some are not reached', '', ...lines, ''];
}
