/** Prepares and runs an ingestion. */
import type { Database } from '../db/sql';
import { anyJudgedBut, followSymbols } from '../graph/bindings';
import { codeState } from '../graph/code-state';
import type { TermsOf } from '../graph/graph-rows';
import type { UnreadRules } from '../graph/ignore-rules';
import { noteLeftOutDocuments } from '../graph/left-out-documents';
import type { JudgeName } from '../llm/providers';
import { type CarryOut, carryOut, type FailedSection, type Outcome } from './carry-out';
import { openDocumentReader } from './document-reader';
import { noteJudge, noteSeenCode, seenCode } from './last-run';
import { type Judge, makePlan, type NotParsed, type Plan } from './plan';
import { type GetEmbedder, type PreparedTasks, prepareTasks } from './prepare';
import type { Scope } from './scope';
import type { WithheldSection } from './withheld';

/** Nobody reads a list with more names than this. */
const MOST_NAMED = 200;

export interface IngestOptions {
  readonly root: string;
  /** The folder of the built programs. */
  readonly assets: string;
  readonly scope: Scope;
  readonly judge: Judge;
  /** Look at code that changed as well, not only at documents. */
  readonly followCode: boolean;
  readonly termsOf: TermsOf;
  readonly signal: AbortSignal;
}

/** The work to do, before any model is asked. */
export interface Preparation extends PreparedTasks {
  readonly plan: Plan;
  readonly codeState: string;
}

export interface IngestReport {
  readonly root: string;
  readonly provider: JudgeName;
  readonly model: string;
  readonly documents: { readonly read: number; readonly unchanged: number; readonly removed: number };
  readonly sections: { readonly found: number; readonly asked: number; readonly judged: number };
  readonly bindings: Outcome['bindings'];
  readonly failed: readonly FailedSection[];
  /** Sections that were not sent, because a secret stands in them. */
  readonly withheld: readonly WithheldSection[];
  readonly skipped: Readonly<Record<string, number>>;
  /** The first documents that could not be taken apart. */
  readonly not_parsed: readonly NotParsed[];
  /** The first files whose rules do not count, because they could not be read. */
  readonly unread_rules: readonly UnreadRules[];
  readonly interrupted: boolean;
}

export async function prepareIngest(
  graph: Database,
  options: IngestOptions,
  embedder: GetEmbedder,
): Promise<Preparation> {
  const { root, assets, scope, judge, followCode, signal } = options;
  const state = await codeState(graph);
  const everything = followCode && (await seenCode(graph)) !== state;
  const reader = openDocumentReader(assets);
  const plan = await makePlan(graph, { ...judge, root, scope, everything, reader, signal }).finally(reader.close);
  const prepared = await prepareTasks(graph, plan, { ...options, everything, embedder });
  return { plan, ...prepared, codeState: state };
}

/** @throws SvcError of the provider; what was done before it is kept */
export async function ingest(
  graph: Database,
  { plan, tasks, withheld, codeState: state }: Preparation,
  options: IngestOptions & Pick<CarryOut, 'provider' | 'concurrency' | 'onProgress'>,
): Promise<IngestReport> {
  const { root, scope, judge, followCode } = options;
  const followed = followCode ? await followSymbols(graph) : { changed: 0, removed: 0 };
  await noteJudge(graph, judge);
  // Where only these were judged before, none is left that has not seen this code, even if this run breaks off.
  const due = tasks.flatMap(({ planned: { due, stored } }) => (due && stored ? [stored.id] : []));
  if (!(await anyJudgedBut(graph, due))) await noteSeenCode(graph, state);
  await noteLeftOutDocuments(graph, plan.leftOut, plan.noLongerLeftOut);
  const outcome = await carryOut(graph, plan, tasks, { ...options, places: scope.places });
  const { asked, judged, failed, bindings, interrupted } = outcome;
  // Nobody would ask again about a section that was judged before and has no answer for its new candidates.
  if (followCode && !interrupted && failed.length === 0) await noteSeenCode(graph, state);
  return {
    ...{ root, provider: judge.provider, model: judge.model },
    documents: { read: plan.documents.length, unchanged: plan.unchanged, removed: plan.gone.length },
    sections: { found: plan.documents.reduce((sum, { sections }) => sum + sections.length, 0), asked, judged },
    bindings: {
      ...bindings,
      changed: bindings.changed + followed.changed,
      removed: bindings.removed + followed.removed,
    },
    ...{ skipped: plan.skipped, not_parsed: plan.notParsed.slice(0, MOST_NAMED), failed, withheld },
    ...{ unread_rules: scope.unread_rules.slice(0, MOST_NAMED), interrupted },
  };
}
