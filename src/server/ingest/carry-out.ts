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
import { claimSection, releaseSection } from '../graph/section-claims';
import { NoAnswer, type Provider } from '../llm/provider';
import { NO_PROVIDER } from '../llm/providers';
import { readVerdicts } from '../llm/read-verdicts';
import type { CodeBase } from './code-base';
import { mentionsIn } from './mentions';
import { obviousBindings } from './obvious-bindings';
import type { Judge, Plan, PlannedSection } from './plan';
import type { Prepared, Task } from './prepare';

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
  /** Who is asked; undefined where there is no question, or where `none` judges. */
  readonly provider: Provider | undefined;
  readonly places: readonly string[];
  readonly concurrency: number;
  readonly termsOf: (text: string) => string;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Writes the documents as they were read, and judges what is to be judged. Each section is written as soon as it is
 * judged, so that Ctrl-C and errors lose nothing that is done.
 * @throws SvcError of the provider when there is no use in asking on
 */
export async function carryOut(
  graph: Database,
  plan: Plan,
  { code, tasks }: Prepared,
  options: CarryOut,
): Promise<Outcome> {
  const { provider, judge, signal, onProgress } = options;
  const changes = { added: 0, changed: 0, removed: 0 };
  const note = ({ added, changed, removed }: BindingChanges): void => {
    changes.added += added;
    changes.changed += changed;
    changes.removed += removed;
  };
  for (const place of options.places) await noteIngested(graph, place);
  const rows = await writeDocuments(graph, plan, options, (removed) => {
    changes.removed += removed;
  });
  // After their sections went on to where they were moved.
  if (plan.gone.length > 0) changes.removed += await removeDocuments(graph, plan.gone);
  const failed: FailedSection[] = [];
  let asked = 0;
  let judged = 0;
  let answered = 0;
  let fatal: unknown;
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const queue = tasks.values();
  const lane = async (): Promise<void> => {
    for (const task of queue) {
      if (either.aborted) return;
      const section = rows.get(task.planned);
      if (section === undefined) continue;
      try {
        const { hash } = task.planned.section;
        const asking = provider && task.question ? { section, hash, ...judge } : undefined;
        const claimed = asking ? await claimSection(graph, asking, task.planned.due, Date.now()) : 'ours';
        if (claimed === 'asked') throw new NoAnswer('another run is asking about it');
        if (claimed === 'judged') continue;
        if (asking) asked += 1;
        const bindings = await (judge.provider === NO_PROVIDER
          ? named(code, task)
          : judgedBindings(provider, task, judge, either).catch(async (error: unknown) => {
              if (asking) await releaseSection(graph, asking);
              throw error;
            }));
        const judgedNow = task.candidates.map(({ summaryHash }) => summaryHash);
        note(
          await writeJudgement(graph, {
            ...{ section, hash: task.planned.section.hash, ...judge, judged: judgedNow, bindings },
          }),
        );
        if (asking) await releaseSection(graph, asking);
        judged += 1;
        if (provider && task.question) answered += 1;
      } catch (error) {
        if (either.aborted) return;
        if (!(error instanceof NoAnswer)) {
          fatal ??= error;
          stop.abort();
          return;
        }
        const { document, section: read } = task.planned;
        failed.push({ document, heading: read.heading, line: read.start_line, problem: error.message });
      }
      onProgress(judged + failed.length, tasks.length);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency) }, lane));
  if (fatal instanceof SvcError && answered > 0) throw afterSome(fatal, answered);
  if (fatal !== undefined) throw fatal;
  const total = await countBindings(graph);
  return { asked, judged, failed, bindings: { ...changes, total }, interrupted: signal.aborted };
}

/** @returns the row of each section that may be judged */
async function writeDocuments(
  graph: Database,
  plan: Plan,
  { termsOf, signal }: Pick<CarryOut, 'termsOf' | 'signal'>,
  onRemoved: (bindings: number) => void,
): Promise<ReadonlyMap<PlannedSection, number>> {
  const rows = new Map<PlannedSection, number>();
  for (const { file, changed, sections } of plan.documents) {
    if (signal.aborted) break;
    if (!changed) {
      for (const one of sections) if (one.stored) rows.set(one, one.stored.id);
      continue;
    }
    const { ids, removed } = await writeDocument(
      graph,
      { path: file.path, content_hash: file.content_hash },
      sections.map(({ section, stored }) => ({
        ...{ id: stored?.id, heading: section.heading, hash: section.hash },
        ...{ start_line: section.start_line, end_line: section.end_line },
        ...{ headingTerms: termsOf(section.heading), textTerms: termsOf(section.text) },
      })),
    );
    onRemoved(removed);
    for (const [i, one] of sections.entries()) rows.set(one, ids[i] ?? 0);
  }
  return rows;
}

/** The verdicts of a model as they are: nothing is added to them, and nothing but them is written. */
async function judgedBindings(
  provider: Provider | undefined,
  { question, candidates }: Task,
  judge: Judge,
  signal: AbortSignal,
): Promise<Binding[]> {
  if (!question || !provider) return [];
  const answer = await provider.ask(question, signal);
  const places = new Map(question.candidates.map(({ id }, i) => [id, i]));
  return readVerdicts(answer.text, question).flatMap(({ id, confidence, reason }) => {
    const symbol = candidates[places.get(id) ?? -1];
    if (!symbol) return [];
    const { file_path, code_type, name, hash } = symbol;
    return [{ file_path, code_type, name, hash, confidence, reason, provider: judge.provider, model: answer.model }];
  });
}

function named(code: CodeBase, { planned }: Task): Binding[] {
  return obviousBindings(mentionsIn(code, planned.document, planned.section));
}

function afterSome(error: SvcError, judged: number): SvcError {
  return new SvcError(
    error.code,
    error.message.slice(error.code.length + 2),
    judged === 1 ? 'One section that was judged before is kept' : `${judged} sections that were judged before are kept`,
  );
}
