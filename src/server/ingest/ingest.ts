import type { Database } from '../db/sql';
import { codeState, followSymbols, ingestedPaths } from '../graph/bindings';
import { readFact, writeFact } from '../graph/write-graph';
import type { Provider } from '../llm/provider';
import { NO_PROVIDER } from '../llm/providers';
import { carryOut, type FailedSection, type Outcome } from './carry-out';
import type { Embedder } from './local-similarity';
import { type Judge, makePlan, type Plan } from './plan';
import { type Prepared, prepareTasks } from './prepare';
import type { Scope } from './scope';

export interface IngestOptions {
  readonly root: string;
  readonly scope: Scope;
  readonly judge: Judge;
  /** Look at code that changed as well, not only at documents. */
  readonly followCode: boolean;
  readonly termsOf: (text: string) => string;
  readonly signal: AbortSignal;
}

/** What is to be done, before anybody is asked. */
export interface Preparation {
  readonly plan: Plan;
  readonly prepared: Prepared;
  readonly codeState: string;
}

export interface IngestReport {
  readonly root: string;
  readonly provider: string;
  readonly model: string;
  readonly documents: { readonly read: number; readonly unchanged: number; readonly removed: number };
  readonly sections: { readonly found: number; readonly asked: number; readonly judged: number };
  readonly bindings: Outcome['bindings'];
  readonly failed: readonly FailedSection[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly interrupted: boolean;
}

/** Name of the fact that says for which state of the code all sections were looked at. */
const SEEN_CODE = 'ingest_seen_code';
/** Names of the facts that say who judged last. */
const LAST_PROVIDER = 'ingest_provider';
const LAST_MODEL = 'ingest_model';

export async function prepareIngest(
  graph: Database,
  options: IngestOptions,
  embedder: () => Promise<Embedder | undefined>,
): Promise<Preparation> {
  const { root, scope, judge, followCode, termsOf, signal } = options;
  const state = await codeState(graph);
  const everything = followCode && (await readFact(graph, SEEN_CODE)) !== state;
  const plan = await makePlan(graph, { ...judge, root, scope, everything });
  const asks = judge.provider !== NO_PROVIDER;
  const prepared = await prepareTasks(graph, plan, { root, termsOf, everything, asks, embedder, signal });
  return { plan, prepared, codeState: state };
}

/** @throws SvcError of the provider; what was done before it is kept */
export async function ingest(
  graph: Database,
  { plan, prepared, codeState: state }: Preparation,
  options: IngestOptions & {
    readonly provider: Provider | undefined;
    readonly concurrency: number;
    readonly onProgress: (done: number, total: number) => void;
  },
): Promise<IngestReport> {
  const { root, scope, judge, followCode, signal } = options;
  const followed = followCode ? await followSymbols(graph) : { changed: 0, removed: 0 };
  await writeFact(graph, LAST_PROVIDER, judge.provider);
  await writeFact(graph, LAST_MODEL, judge.model);
  const outcome = await carryOut(graph, plan, prepared, { ...options, places: scope.places });
  const { asked, judged, failed, bindings, interrupted } = outcome;
  if (followCode && !signal.aborted) await writeFact(graph, SEEN_CODE, state);
  return {
    ...{ root, provider: judge.provider, model: judge.model },
    documents: { read: plan.documents.length, unchanged: plan.unchanged, removed: plan.gone.length },
    sections: { found: plan.documents.reduce((sum, { sections }) => sum + sections.length, 0), asked, judged },
    bindings: {
      ...bindings,
      changed: bindings.changed + followed.changed,
      removed: bindings.removed + followed.removed,
    },
    ...{ failed, skipped: plan.skipped, interrupted },
  };
}

/** Who judged last; undefined when nobody did. */
export async function lastJudge(graph: Database): Promise<Judge | undefined> {
  const provider = await readFact(graph, LAST_PROVIDER);
  return provider === undefined ? undefined : { provider, model: (await readFact(graph, LAST_MODEL)) ?? '' };
}

export { ingestedPaths };

/** Consent to a cloud provider is given once for a project and a server, and lies beside what it is about. */
export function consentStore(graph: Database) {
  const nameOf = (provider: string, place: string): string => `ingest_consent:${provider}:${place}`;
  return {
    given: async (provider: string, place: string) => (await readFact(graph, nameOf(provider, place))) !== undefined,
    remember: async (provider: string, place: string) =>
      void (await writeFact(graph, nameOf(provider, place), 'given')),
  };
}
