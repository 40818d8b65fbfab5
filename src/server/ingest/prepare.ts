/** Prepares the questions for a model. */
import type { Question } from '../../question/question';
import type { Database } from '../db/sql';
import type { Binding, StoredSection } from '../graph/bindings';
import type { TermsOf } from '../graph/graph-rows';
import { textInside } from '../graph/read-source';
import type { Embedder } from '../llm/provider';
import { NO_PROVIDER } from '../llm/providers';
import { buildCandidateIndex } from './candidate-index';
import { candidatesFor, documentFit } from './candidates';
import { type CodeBaseSymbol, readCodeBase } from './code-base';
import { localSimilarity } from './local-similarity';
import { mentionsIn } from './mentions';
import { obviousBindings } from './obvious-bindings';
import type { Judge, Plan, PlannedSection } from './plan';
import { type WithheldSection, withoutSecrets } from './withheld';

/** A section that is to be judged. */
export interface Task {
  readonly planned: PlannedSection;
  /** Undefined when there is nothing to ask: without a model, or where no symbol comes into question. */
  readonly question: Question | undefined;
  /** The symbols of the question, in its order. */
  readonly candidates: readonly CodeBaseSymbol[];
  /** What is bound without a question. */
  readonly obvious: readonly Binding[];
}

/** Asked only when there is something to embed. */
export type GetEmbedder = () => Promise<Embedder | undefined>;

export interface PrepareOptions {
  readonly root: string;
  readonly judge: Judge;
  readonly termsOf: TermsOf;
  /** Ask about sections for which new code comes into question, too. */
  readonly everything: boolean;
  readonly embedder: GetEmbedder;
  readonly signal: AbortSignal;
}

export interface PreparedTasks {
  readonly tasks: readonly Task[];
  /** No provider gets them. */
  readonly withheld: readonly WithheldSection[];
}

/** Prepares the judging of all sections that need it, on this machine. */
export async function prepareTasks(graph: Database, plan: Plan, options: PrepareOptions): Promise<PreparedTasks> {
  const { root, judge, termsOf, everything, embedder, signal } = options;
  const looked = plan.documents.flatMap((document) => document.sections).filter(({ due }) => due || everything);
  if (looked.length === 0) return { tasks: [], withheld: [] };
  const code = await readCodeBase(graph);
  if (judge.provider === NO_PROVIDER) {
    const tasks = looked.map((planned) => ({
      ...{ planned, question: undefined, candidates: [] },
      obvious: obviousBindings(mentionsIn(code, planned.document, planned.section)),
    }));
    return { tasks, withheld: [] };
  }
  const { sections, withheld } = withoutSecrets(looked);
  const index = buildCandidateIndex(code, termsOf, (path) => textInside(root, path));
  const model = await embedder();
  const similarity = model && (await localSimilarity(graph, code, model, signal));
  const fits = new Map<string, Float64Array>();
  for (const { file, sections: all } of plan.documents) {
    const read = all.map(({ section }) => section);
    fits.set(file.path, documentFit(index, read));
  }
  const tasks: Task[] = [];
  for (const planned of sections) {
    if (signal.aborted) break;
    const { document, section, stored, due } = planned;
    const candidates = await candidatesFor(index, document, section, { fit: fits.get(document), similarity });
    if (due || hasNewCandidate(stored, candidates)) {
      const question = candidates.length === 0 ? undefined : questionOf(planned, candidates);
      tasks.push({ planned, question, candidates, obvious: [] });
    }
    // Other work of the process, Ctrl-C among it, gets its turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { tasks, withheld };
}

/** Whether a candidate is there that was not judged with this section: code that is new, or has a new description. */
function hasNewCandidate(stored: StoredSection | undefined, candidates: readonly CodeBaseSymbol[]): boolean {
  const judged = new Set(stored?.judged);
  return candidates.some(({ summaryHash }) => !judged.has(summaryHash));
}

function questionOf({ document, section }: PlannedSection, candidates: readonly CodeBaseSymbol[]): Question {
  return {
    document,
    heading: section.heading,
    section: section.text,
    candidates: candidates.map(({ code_type, name, file_path, signature, doc }, i) => ({
      ...{ id: `c${i + 1}`, kind: code_type, name, path: file_path, signature, summary: doc },
    })),
  };
}
