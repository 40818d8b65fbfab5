import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Project } from '../../src/server/project/open';
import { callTool } from '../../src/server/tools/call-tool';
import { share } from '../../src/server/tools/share';
import { BUDGETS, judged } from './judged-reply';
import { type Difference, difference } from './paired-difference';
import { ask, means, onlyReading, type Shares, sampled, tokenizer } from './quality';
import { interval, threeShares } from './quality-report';
import type { QualitySet } from './quality-sets';
import { type StoredSet, withProject, withStoredSet } from './stored-set';
import { table } from './table';

/** What recall finds of a set in one store, and when every second of its memories is in a file of the repository. */
export interface SharedQuality {
  readonly set: string;
  readonly questions: number;
  /** How many could be shared. */
  readonly files: number;
  readonly one: Shares;
  readonly half: Shares;
  /** What is found more where half is shared, for each budget. */
  readonly difference: readonly Difference[];
}

export async function measureSharedQuality(set: QualitySet, sample: number | undefined): Promise<SharedQuality> {
  const one: (readonly number[])[] = [];
  const half: (readonly number[])[] = [];
  let files = 0;
  for (const store of sampled(set, sample)) {
    if (store.questions.length === 0) continue;
    const found = async (stored: StoredSet): Promise<(readonly number[])[]> => {
      const project = onlyReading(stored.project, undefined);
      const each: (readonly number[])[] = [];
      for (const question of store.questions) {
        const { answers, ms } = await ask(project, question);
        each.push(judged(stored, question, answers, ms).found);
      }
      return each;
    };
    const folder = mkdtempSync(join(tmpdir(), 'half-shared-'));
    try {
      const ids = await withStoredSet(store, tokenizer(), async (stored) => {
        one.push(...(await found(stored)));
        return stored.ids;
      });
      await withStoredSet(store, tokenizer(), async (stored) => cpSync(stored.folder, folder, { recursive: true }));
      await withProject(folder, tokenizer(), async (project) => {
        files += await shareEverySecond(project, [...ids.values()]);
        half.push(...(await found({ project, ids, folder })));
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return {
    set: set.name,
    questions: one.length,
    files,
    one: means(one),
    half: means(half),
    difference: BUDGETS.map((_, i) =>
      difference(
        half.map((row) => row[i] ?? 0),
        one.map((row) => row[i] ?? 0),
      ),
    ),
  };
}

const AT_ONCE = 200;

/** @returns how many are in files now; what cannot be shared stays in the store */
async function shareEverySecond(project: Project, ids: readonly string[]): Promise<number> {
  const wanted = ids.filter((_, i) => i % 2 === 0);
  const shareAll = async (node_ids: readonly string[]): Promise<number> => {
    const answer = await callTool([share], project, 'share', { node_ids }, { allowSecret: true });
    if (answer.ok) return node_ids.length;
    if (node_ids.length === 1) return 0;
    const middle = Math.ceil(node_ids.length / 2);
    return (await shareAll(node_ids.slice(0, middle))) + (await shareAll(node_ids.slice(middle)));
  };
  let files = 0;
  for (let first = 0; first < wanted.length; first += AT_ONCE) {
    files += await shareAll(wanted.slice(first, first + AT_ONCE));
  }
  return files;
}

export function sharedQualityFigures(sets: readonly SharedQuality[] | undefined): string[] {
  if (sets === undefined || sets.length === 0) return [];
  return table(
    [
      'recall of every second memory shared, in per cent',
      'one store',
      'half of it shared',
      'difference, with its 95 % interval',
    ],
    sets.map(({ set, questions, files, one, half, difference: each }) => [
      `${set} (${questions} questions, ${files} files)`,
      ...[threeShares(one), threeShares(half), each.map(interval).join(' / ')],
    ]),
  );
}
