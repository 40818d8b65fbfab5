import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../db/sql';
import { decode } from '../graph/read-source';
import type { Question } from '../llm/provider';
import { buildCandidateIndex } from './candidate-index';
import { candidatesFor, documentFit } from './candidates';
import { type CodeBase, type CodeBaseSymbol, readCodeBase } from './code-base';
import { type Embedder, localSimilarity } from './local-similarity';
import { hasNewCandidate, type Plan, type PlannedSection, questionOf } from './plan';

/** A section with what is to be asked about it. */
export interface Task {
  readonly planned: PlannedSection;
  readonly candidates: readonly CodeBaseSymbol[];
  /** Undefined when no symbol comes into question: there is nothing to ask. */
  readonly question: Question | undefined;
}

export interface Prepared {
  readonly code: CodeBase;
  readonly tasks: readonly Task[];
}

export interface PrepareOptions {
  readonly root: string;
  readonly termsOf: (text: string) => string;
  /** Ask about sections for which new code comes into question, too. */
  readonly everything: boolean;
  /** False: nobody judges, so that no candidates are needed. */
  readonly asks: boolean;
  /** Asked for only when there is something to embed. */
  readonly embedder: () => Promise<Embedder | undefined>;
  readonly signal: AbortSignal;
}

/** Chooses the candidates of all sections that are to be judged, on this machine. */
export async function prepareTasks(graph: Database, plan: Plan, options: PrepareOptions): Promise<Prepared> {
  const { root, termsOf, everything, asks, embedder, signal } = options;
  const code = await readCodeBase(graph);
  const sections = plan.documents.flatMap((document) => document.sections).filter(({ due }) => due || everything);
  if (sections.length === 0 || !asks) {
    return { code, tasks: sections.map((planned) => ({ planned, candidates: [], question: undefined })) };
  }
  const index = buildCandidateIndex(code, termsOf, (path) => readSource(root, path));
  const model = await embedder();
  const similarity = model && (await localSimilarity(graph, code, model));
  const fits = new Map<string, Float64Array>();
  for (const { file, sections: all } of plan.documents) {
    const read = all.map(({ section }) => section);
    fits.set(file.path, documentFit(index, read, termsOf));
  }
  const tasks: Task[] = [];
  for (const planned of sections) {
    if (signal.aborted) break;
    const candidates = await candidatesFor(index, planned.document, planned.section, termsOf, {
      fit: fits.get(planned.document),
      similarity,
    });
    if (!planned.due && !hasNewCandidate(planned.stored, candidates)) continue;
    tasks.push({
      planned,
      candidates,
      question: candidates.length === 0 ? undefined : questionOf(planned, candidates),
    });
    // Other work of the process, Ctrl-C among it, gets its turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { code, tasks };
}

function readSource(root: string, path: string): string | undefined {
  try {
    return decode(readFileSync(join(root, path)));
  } catch {
    return undefined;
  }
}
