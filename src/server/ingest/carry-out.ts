/** Carries out a plan: asks the model, and writes the bindings. */
import { SvcError } from '../base/errors';
import type { Database } from '../db/sql';
import {
  type Binding,
  type BindingChanges,
  countBindings,
  type Judgement,
  noteIngested,
  removeDocuments,
  writeDocument,
  writeJudgements,
} from '../graph/bindings';
import type { TermsOf } from '../graph/graph-rows';
import { NoAnswer, type Provider } from '../llm/provider';
import { readVerdicts } from '../llm/read-verdicts';
import type { Judge, Plan, PlannedSection } from './plan';
import type { Task } from './prepare';

const WRITTEN_TOGETHER = 200;

export interface FailedSection {
  readonly document: string;
  readonly heading: string;
  readonly line: number;
  readonly problem: string;
}

export interface Outcome {
  /** Questions that a model was asked. */
  readonly asked: number;
  readonly judged: number;
  readonly failed: readonly FailedSection[];
  readonly bindings: BindingChanges & { readonly total: number };
  readonly interrupted: boolean;
}

export interface CarryOut {
  readonly judge: Judge;
  /** Undefined where there is no question. */
  readonly provider: Provider | undefined;
  readonly places: readonly string[];
  readonly concurrency: number;
  readonly termsOf: TermsOf;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Writes the documents as they were read, and judges what is to be judged. Each section is written as soon as it is
 * judged, so that Ctrl-C and errors lose nothing that is done. Two runs at once may both pay for a question, and that is
 * all: what is written last counts.
 * @throws SvcError of the provider when asking again would not help
 */
export async function carryOut(
  graph: Database,
  plan: Plan,
  tasks: readonly Task[],
  options: CarryOut,
): Promise<Outcome> {
  const { provider, judge, signal, onProgress } = options;
  const changes = { added: 0, changed: 0, removed: 0 };
  await noteIngested(graph, options.places);
  const { rows, removed } = await writeDocuments(graph, plan, options);
  // After their sections went on to where they were moved.
  changes.removed = removed + (await removeDocuments(graph, plan.gone));
  const failed: FailedSection[] = [];
  let asked = 0;
  let judged = 0;
  let answered = 0;
  let fatal: unknown;
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const judgeAll = async (batch: readonly Task[]): Promise<void> => {
    const judgements: Judgement[] = [];
    for (const task of batch) {
      const section = rows.get(task.planned);
      if (section === undefined) continue;
      if (task.question) asked += 1;
      judgements.push({
        ...{ section, hash: task.planned.section.hash, ...judge },
        bindings: await bindingsOf(task, provider, judge, either),
        judged: task.candidates.map(({ summaryHash }) => summaryHash),
      });
    }
    const { added, changed, removed } = await writeJudgements(graph, judgements);
    changes.added += added;
    changes.changed += changed;
    changes.removed += removed;
    judged += judgements.length;
    answered += batch.filter(({ question }) => question).length;
  };
  const queue = batchesOf(tasks).values();
  const lane = async (): Promise<void> => {
    for (const batch of queue) {
      if (either.aborted) return;
      try {
        await judgeAll(batch);
      } catch (error) {
        if (either.aborted) return;
        if (!(error instanceof NoAnswer)) {
          fatal = error;
          stop.abort();
          return;
        }
        for (const { planned } of batch) {
          const { heading, start_line: line } = planned.section;
          failed.push({ document: planned.document, heading, line, problem: error.message });
        }
      }
      onProgress(judged + failed.length, tasks.length);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, lane));
  if (fatal instanceof SvcError && answered > 0) throw afterSome(fatal, answered);
  if (fatal !== undefined) throw fatal;
  const total = await countBindings(graph);
  return { asked, judged, failed, bindings: { ...changes, total }, interrupted: signal.aborted };
}

/** Each question alone; what needs no answer together, because every write costs a transaction. */
function batchesOf(tasks: readonly Task[]): Task[][] {
  const batches: Task[][] = [];
  let open: Task[] | undefined;
  for (const task of tasks) {
    if (task.question) batches.push([task]);
    else if (open && open.length < WRITTEN_TOGETHER) open.push(task);
    else {
      open = [task];
      batches.push(open);
    }
  }
  return batches;
}

/** @returns the row of each section that was written, and how many bindings went with those that are no more */
async function writeDocuments(graph: Database, plan: Plan, { termsOf, signal }: CarryOut) {
  const rows = new Map<PlannedSection, number>();
  let removed = 0;
  for (const { file, changed, sections } of plan.documents) {
    if (signal.aborted) break;
    if (!changed) {
      for (const one of sections) if (one.stored) rows.set(one, one.stored.id);
      continue;
    }
    const written = await writeDocument(
      graph,
      { path: file.path, content_hash: file.content_hash },
      sections.map(({ section: { heading, hash, start_line, end_line, text }, stored }) => ({
        ...{ stored, heading, hash, start_line, end_line, headingTerms: termsOf(heading), textTerms: termsOf(text) },
      })),
    );
    removed += written.removed;
    for (const [i, one] of sections.entries()) rows.set(one, written.ids[i] ?? 0);
  }
  return { rows, removed };
}

/** The verdicts of a model as they are: nothing is added to them, and nothing but them is written. */
async function bindingsOf(
  { question, candidates, obvious }: Task,
  provider: Provider | undefined,
  judge: Judge,
  signal: AbortSignal,
): Promise<readonly Binding[]> {
  if (!question || !provider) return obvious;
  const answer = await provider.ask(question, signal);
  const places = new Map(question.candidates.map(({ id }, i) => [id, i]));
  return readVerdicts(answer.text, question).flatMap(({ id, confidence, reason }) => {
    const symbol = candidates[places.get(id) ?? -1];
    if (!symbol) return [];
    const { file_path, code_type, name, hash } = symbol;
    return [{ file_path, code_type, name, hash, confidence, reason, provider: judge.provider, model: answer.model }];
  });
}

function afterSome(error: SvcError, judged: number): SvcError {
  return new SvcError(
    error.code,
    error.said,
    judged === 1 ? 'One section that was judged before is kept' : `${judged} sections that were judged before are kept`,
  );
}
