import { FUNCTION_WORDS } from '../../src/server/memory/recall/query';
import { analyze } from '../../src/server/memory/text/analyze';
import { percent } from './goals';
import { BUDGETS, type Reply } from './judged-reply';
import type { SetQuality, Shares } from './quality';
import type { SetStore } from './quality-sets';
import { table } from './table';

/** What was not found, one figure for each budget. */
export interface Missed {
  /** Of all evidence. */
  readonly share: Shares;
  /** Of what was missed: where no memory that would do holds a word of the question, in any form. */
  readonly wordless: Shares;
}

interface MissedOfReply {
  /** As a part of the question's evidence. */
  readonly share: number;
  readonly wordless: number;
}

/** Of one reply, for each budget. */
export function missedBy(store: SetStore, { question, missed }: Reply): MissedOfReply[] {
  const asked = new Set([...terms(question.text)].filter((term) => !FUNCTION_WORDS.has(term)));
  const contents = contentsOf(store);
  const sharesWord = (key: string): boolean => [...terms(contents.get(key) ?? '')].some((term) => asked.has(term));
  return missed.map((groups) => ({
    share: groups.length / question.evidence.length,
    wordless: groups.filter((keys) => !keys.some(sharesWord)).length / question.evidence.length,
  }));
}

export function summedUp(rows: readonly (readonly MissedOfReply[])[]): Missed {
  const sum = (i: number, figure: keyof MissedOfReply): number =>
    rows.reduce((total, row) => total + (row[i]?.[figure] ?? 0), 0);
  return {
    share: BUDGETS.map((_, i) => sum(i, 'share') / Math.max(1, rows.length)),
    wordless: BUDGETS.map((_, i) => sum(i, 'wordless') / Math.max(Number.MIN_VALUE, sum(i, 'share'))),
  };
}

export function missedFigures(sets: readonly SetQuality[]): string[] {
  if (sets.length === 0) return [];
  const shares = (figures: Shares): string => figures.map(percent).join(' / ');
  return [
    '### What is not found, and why',
    '',
    ...table(
      [`evidence not found within ${BUDGETS.join(' / ')} tokens`, 'of all', 'of these, without a word of the question'],
      sets.map(({ set, missed }) => [set, shares(missed.share), shares(missed.wordless)]),
    ),
    'A memory without a word of the question can be found through its neighbours, its entities, a date or a related word, and in no',
    'other way: no model is asked. The others hold a word, and others hold more.',
    '',
  ];
}

const known = new WeakMap<SetStore, ReadonlyMap<string, string>>();

function contentsOf(store: SetStore): ReadonlyMap<string, string> {
  const contents =
    known.get(store) ??
    new Map(
      store.memories.flatMap(({ key, content }): [string, string][] => (key === undefined ? [] : [[key, content]])),
    );
  known.set(store, contents);
  return contents;
}

/** Words and stems. */
function terms(text: string): ReadonlySet<string> {
  const { words, stems } = analyze(text);
  return new Set([...words, ...stems]);
}
