import { SvcError } from '../base/errors';
import type { Database } from '../db/sql';
import {
  type Binding,
  type BindingChanges,
  countBindings,
  noteIngested,
  removeDocuments,
  writeDocument,
  writeJudgement,
} from '../graph/bindings';
import type { TermsOf } from '../graph/graph-rows';
import { NoAnswer, type Provider } from '../llm/provider';
import { readVerdicts } from '../llm/read-verdicts';
import type { Judge, Plan, PlannedSection } from './plan';
import type { Task } from './prepare';

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
 * @throws SvcError of the provider when there is no use in asking on
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
  const judgeOne = async (task: Task, section: number): Promise<void> => {
    if (task.question) asked += 1;
    const bindings = await bindingsOf(task, provider, judge, either);
    const { added, changed, removed } = await writeJudgement(graph, {
      ...{ section, hash: task.planned.section.hash, ...judge, bindings },
      judged: task.candidates.map(({ summaryHash }) => summaryHash),
    });
    changes.added += added;
    changes.changed += changed;
    changes.removed += removed;
    judged += 1;
    if (task.question) answered += 1;
  };
  const queue = tasks.values();
  const lane = async (): Promise<void> => {
    for (const task of queue) {
      if (either.aborted) return;
      const { document, section: read } = task.planned;
      const section = rows.get(task.planned);
      if (section === undefined) continue;
      try {
        await judgeOne(task, section);
      } catch (error) {
        if (either.aborted) return;
        if (!(error instanceof NoAnswer)) {
          fatal = error;
          stop.abort();
          return;
        }
        failed.push({ document, heading: read.heading, line: read.start_line, problem: error.message });
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
    error.message.slice(error.code.length + 2),
    judged === 1 ? 'One section that was judged before is kept' : `${judged} sections that were judged before are kept`,
  );
}
