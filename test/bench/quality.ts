import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Weights } from '../../src/server/memory/recall/weights';
import type { Project } from '../../src/server/project/open';
import type { PackedMemories } from '../../src/server/render/packed-memories';
import { openTokenizer, type TokenCounter } from '../../src/server/render/tokens';
import { callTool } from '../../src/server/tools/call-tool';
import { MEMORY_TOOLS } from '../../src/server/tools/registry';
import { seededRandom } from '../support/random';
import { tokens } from './fill-budget';
import { type Answer, BUDGETS, judged, type Reply } from './judged-reply';
import { type Missed, missedBy, summedUp } from './missed';
import { type Difference, difference } from './paired-difference';
import { askPlainSearch } from './plain-search';
import type { QualitySet, SetQuestion, SetStore } from './quality-sets';
import { ROOT } from './servers';
import { withStoredSet } from './stored-set';
import { timed, timing } from './timing';

export const SYSTEMS = ['svc-memory', 'raw FTS5'] as const;
export type System = (typeof SYSTEMS)[number];

/** Means over questions, from 0 to 1 where they are shares; one for each budget. */
export type Shares = readonly number[];

export interface SystemQuality {
  /** The share of the labelled evidence that came back. */
  readonly evidence: Shares;
  /** The answer's words that came back, where the set has answers. */
  readonly answerWords?: Shares;
  /** Memories in an answer. */
  readonly items: Shares;
  /** Of the questions whose first labelled line is evidence or outdated: those where it is outdated. */
  readonly outdatedFirst?: number;
  /** Median of a call, in milliseconds. */
  readonly ms: number;
  /** The evidence again, by the style of the question. */
  readonly byStyle: Readonly<Record<string, { readonly questions: number; readonly evidence: Shares }>>;
}

export interface SetQuality {
  readonly set: string;
  readonly questions: number;
  readonly memories: number;
  readonly systems: Readonly<Record<System, SystemQuality>>;
  /** What ours finds more of the evidence than plain search, for each budget. */
  readonly difference: readonly Difference[];
  /** By ours. */
  readonly missed: Missed;
  /** Answers of ours, and how many of them were larger than their budget. */
  readonly answers: number;
  readonly overBudget: number;
}

export interface QualityOptions {
  /** Questions of each set, drawn with a seed; all of them where it is missing. */
  readonly sample?: number | undefined;
  /** Others than those of the program. */
  readonly weights?: Weights | undefined;
}

/** Asks the questions of a set through the tool, in this process, and of full-text search with its answer packed alike. */
export async function measureQuality(set: QualitySet, options: QualityOptions = {}): Promise<SetQuality> {
  const replies: Record<System, Reply[]> = { 'svc-memory': [], 'raw FTS5': [] };
  const missed: ReturnType<typeof missedBy>[] = [];
  let overBudget = 0;
  for (const store of sampled(set, options.sample)) {
    if (store.questions.length === 0) continue;
    await withStoredSet(store, tokenizer(), async (stored) => {
      const project = onlyReading(stored.project, options.weights);
      for (const question of store.questions) {
        const { answers, ms } = await ask(project, question);
        overBudget += answers.filter(({ text, value }) => tokens(text) > value.budget).length;
        const reply = judged(stored, question, answers, ms);
        replies['svc-memory'].push(reply);
        missed.push(missedBy(store, reply));
      }
      replies['raw FTS5'].push(...(await askPlainSearch(stored, store, tokenizer())));
    });
  }
  const questions = replies['svc-memory'].length;
  return {
    set: set.name,
    questions,
    memories: set.stores.reduce((sum, { memories }) => sum + memories.filter(({ key }) => key).length, 0),
    systems: { 'svc-memory': summary(replies['svc-memory']), 'raw FTS5': summary(replies['raw FTS5']) },
    difference: BUDGETS.map((_, i) =>
      difference(
        replies['svc-memory'].map(({ found }) => found[i] ?? 0),
        replies['raw FTS5'].map(({ found }) => found[i] ?? 0),
      ),
    ),
    missed: summedUp(missed),
    answers: questions * BUDGETS.length,
    overBudget,
  };
}

/** The share of the evidence that comes back for each budget, without a baseline. */
export async function measureEvidence(set: QualitySet, options: QualityOptions): Promise<Shares> {
  const found: Shares[] = [];
  for (const store of sampled(set, options.sample)) {
    if (store.questions.length === 0) continue;
    await withStoredSet(store, tokenizer(), async (stored) => {
      const project = onlyReading(stored.project, options.weights);
      for (const question of store.questions) {
        const { answers, ms } = await ask(project, question);
        found.push(judged(stored, question, answers, ms).found);
      }
    });
  }
  return means(found);
}

/** Uses would change what is measured next; sizes of lines are kept, as servers do. */
export function onlyReading(project: Project, weights: Weights | undefined): Project {
  const { uses, memory } = project;
  return {
    ...project,
    uses: { note: (printed, measured) => uses.note(printed, measured, false), flush: () => uses.flush() },
    memory: weights === undefined ? memory : { ...memory, weights },
  };
}

export async function ask(
  project: Project,
  { text: query, as_of }: SetQuestion,
): Promise<{ answers: Answer[]; ms: number }> {
  const answers: Answer[] = [];
  let sum = 0;
  for (const budget_tokens of BUDGETS) {
    const input = { query, budget_tokens, ...(as_of === undefined ? {} : { as_of }) };
    const { ms, result } = await timed(() => callTool(MEMORY_TOOLS, project, 'memory_recall', input));
    if (!result.ok) throw new Error(result.text);
    sum += ms;
    // The tool's own type is lost behind its name.
    answers.push({ text: result.text, value: result.value as PackedMemories });
  }
  return { answers, ms: sum / BUDGETS.length };
}

const SEED = 41;

/** The stores with the questions that are drawn. */
export function sampled({ stores }: QualitySet, sample: number | undefined): SetStore[] {
  const all = stores.flatMap(({ questions }) => questions);
  if (sample === undefined || sample >= all.length) return [...stores];
  const random = seededRandom(SEED);
  const order = all.map((question) => ({ question, place: random.below(2 ** 31) })).sort((a, b) => a.place - b.place);
  const drawn = new Set(order.slice(0, sample).map(({ question }) => question));
  return stores.map((store) => ({ ...store, questions: store.questions.filter((question) => drawn.has(question)) }));
}

let opened: TokenCounter | undefined;

/** The tokenizer of the build. */
export function tokenizer(): TokenCounter {
  opened ??= openTokenizer(readFileSync(join(ROOT, 'dist/o200k_base.bin')));
  return opened;
}

function summary(replies: readonly Reply[]): SystemQuality {
  const byStyle: Record<string, { questions: number; evidence: Shares }> = {};
  for (const style of new Set(replies.map(({ question }) => question.style))) {
    const those = replies.filter(({ question }) => question.style === style);
    byStyle[style] = { questions: those.length, evidence: means(those.map(({ found }) => found)) };
  }
  const answered = replies.filter(({ question }) => question.answer !== undefined);
  const placed = replies.flatMap(({ outdatedFirst }) => outdatedFirst ?? []);
  return {
    evidence: means(replies.map(({ found }) => found)),
    ...(answered.length > 0 ? { answerWords: means(answered.map(({ words }) => words)) } : {}),
    items: means(replies.map(({ items }) => items)),
    ...(placed.length > 0 ? { outdatedFirst: placed.filter((outdated) => outdated).length / placed.length } : {}),
    ms: timing(replies.map(({ ms }) => ms)).p50,
    byStyle,
  };
}

export function means(rows: readonly (readonly number[])[]): number[] {
  return BUDGETS.map((_, i) => rows.reduce((sum, row) => sum + (row[i] ?? 0), 0) / rows.length);
}
