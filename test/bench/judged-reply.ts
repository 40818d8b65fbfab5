import type { PackedMemories } from '../../src/server/render/packed-memories';
import type { SetQuestion } from './quality-sets';
import { wordsOf } from './raw-fts';
import type { StoredSet } from './stored-set';

/** In tokens. */
export const BUDGETS = [500, 1000, 2000] as const;

export interface Answer {
  readonly text: string;
  readonly value: PackedMemories;
}

/** What a system gave for one question: one answer for each budget. */
export interface Reply {
  readonly question: SetQuestion;
  readonly found: readonly number[];
  /** Of the evidence, what is not there: the keys of the memories that would do. */
  readonly missed: readonly (readonly (readonly string[])[])[];
  readonly words: readonly number[];
  readonly items: readonly number[];
  /** Whether an outdated memory comes first; undefined where neither it nor evidence is there. */
  readonly outdatedFirst: boolean | undefined;
  readonly ms: number;
}

/** What of the labels is in the answers. The heading repeats the question, whose words are no answer. */
export function judged({ ids }: StoredSet, question: SetQuestion, answers: readonly Answer[], ms: number): Reply {
  const idsOf = (keys: readonly string[]) => keys.map((key) => ids.get(key) ?? '');
  const expected = question.evidence.map(idsOf);
  const outdated = new Set(idsOf(question.outdated ?? []));
  const evidence = new Set(expected.flat());
  const words = wordsOf(question.answer ?? '');
  const missed = answers.map(({ value }) => {
    const there = new Set(value.items.map(({ id }) => id));
    return question.evidence.filter((keys) => !idsOf(keys).some((id) => there.has(id)));
  });
  const first = answers.at(-1)?.value.items.find(({ id }) => evidence.has(id) || outdated.has(id));
  return {
    question,
    found: missed.map((each) => 1 - each.length / expected.length),
    missed,
    words: answers.map(({ text }) => {
      const there = new Set(wordsOf(text.slice(text.indexOf('\n'))));
      return words.filter((word) => there.has(word)).length / words.length;
    }),
    items: answers.map(({ value }) => value.items.length),
    outdatedFirst: outdated.size === 0 || first === undefined ? undefined : outdated.has(first.id),
    ms,
  };
}
