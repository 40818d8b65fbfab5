/** Runs an ingestion, from the settings of the project to the last binding. */

import type { Surroundings } from '../../store-place/locate';
import { codeTerms } from '../code/code-terms';
import type { Store } from '../db/store';
import { ingestedPaths } from '../graph/bindings';
import type { LlmEnvironment } from '../llm/environment';
import { type OpenedProvider, openProvider } from '../llm/open-provider';
import { NO_PROVIDER, PROVIDERS } from '../llm/providers';
import { namedProvider, type Step } from '../llm/select-provider';
import { requireGraphFile } from '../project/code-graph';
import { consentsOf } from '../project/consents';
import { type IndexOptions, type IndexReport, indexCode } from '../project/index-code';
import { type Choice, type ChooseJudge, chooseJudge } from './choose-judge';
import { type Answer, askConsent } from './consent';
import { type DryRun, dryRun } from './dry-run';
import { type IngestOptions, type IngestReport, ingest, type Preparation, prepareIngest } from './ingest';
import { lastJudge } from './last-run';
import type { Judge } from './plan';
import type { Reporter, Sending } from './reporter';
import { scopeOf, scopeOfPlaces } from './scope';
import { ingestSettings } from './settings';

/** Who is to judge, as far as it was said. */
interface Asked extends Pick<ChooseJudge, 'named' | 'model'> {
  readonly environment: LlmEnvironment;
  readonly reporter: Reporter;
}

export interface RunIngest extends Omit<IndexOptions, 'path' | 'onProgress'>, Asked {
  /** Documents, or folders of them; undefined: what was ingested before, and code that changed since (`svc sync`). */
  readonly paths: readonly string[] | undefined;
  /** Say what would be done, and contact nobody. */
  readonly dry: boolean;
  /** The person who started the run has agreed to sending, for this once. */
  readonly agreed: boolean;
  /** How many questions are asked at once; default: as many as suit the provider. */
  readonly concurrency: number | undefined;
}

export interface Done {
  readonly end: 'done';
  readonly report: IngestReport;
  /** What bringing the code graph up to date did. */
  readonly built: IndexReport;
  /** For judging alone. */
  readonly seconds: number;
}

/** How a run ended. Nothing was sent or bound unless it is `done`. */
export type RunEnd =
  | Done
  | { readonly end: 'no provider' }
  | { readonly end: 'dry run'; readonly planned: DryRun }
  | { readonly end: 'not sent'; readonly sending: Sending; readonly answer: Exclude<Answer, 'yes'> };

/** The rules that choose a provider, as far as they were looked at. Nothing is built or read. @throws SvcError as runIngest */
export async function explainChoice(around: Surroundings, asked: Asked, dry: boolean): Promise<readonly Step[]> {
  return (await chooseJudge({ ...asked, settings: ingestSettings(around), last: undefined, dry })).steps;
}

/**
 * Binds documents to code. The code graph is brought up to date first, however far an earlier build got: documents are
 * bound to the code as it is now. What was done before an error or Ctrl-C is kept.
 * @throws SvcError for the configuration file, an unknown provider, a path that is no document, of the provider, and
 * where no graph can be built
 */
export async function runIngest(run: RunIngest): Promise<RunEnd> {
  const { around, paths, reporter, assets, signal } = run;
  const settings = ingestSettings(around);
  const { root } = settings;
  // An unknown name is reported before anything is built.
  namedProvider({ flag: run.named, file: settings.config.provider });
  const reading = reporter.begin('reading code');
  let built: IndexReport;
  let graph: Store;
  try {
    built = await indexCode({ ...run, path: root, onProgress: (done, total) => reading.step(done, total) });
    graph = await requireGraphFile(root, { home: around.home, git: run.git }, false);
  } finally {
    reading.end();
  }
  try {
    const followCode = paths === undefined;
    const scope = followCode ? scopeOfPlaces(root, await ingestedPaths(graph)) : scopeOf(root, around.cwd, paths);
    const last = followCode ? await lastJudge(graph) : undefined;
    const chosen = await agreeOnJudge(await chooseJudge({ ...run, settings, last }), reporter);
    if (!chosen) return { end: 'no provider' };
    const options = { root, assets, scope, judge: chosen.judge, followCode, termsOf: codeTerms, signal };
    return await judgeSections(run, { graph, built, chosen, options });
  } finally {
    await graph.close();
  }
}

interface Ground {
  readonly graph: Store;
  readonly built: IndexReport;
  readonly chosen: Chosen;
  readonly options: IngestOptions;
}

async function judgeSections(run: RunIngest, { graph, built, chosen, options }: Ground): Promise<RunEnd> {
  const { dry, reporter } = run;
  const { root, judge } = options;
  const open = openOnce(chosen, run.environment, root);
  const embedder = async () => (dry || judge.provider !== 'ollama' ? undefined : (await open(0))?.embedder);
  const preparation = await prepareIngest(graph, options, embedder);
  if (dry) return { end: 'dry run', planned: dryRun(preparation, judge, run.tokenizer()) };
  const asking = preparation.tasks.filter(({ question }) => question !== undefined);
  const provider = asking.length > 0 ? await open(asking.length) : undefined;
  if (provider && judge.provider !== NO_PROVIDER) {
    const sending = { provider: judge.provider, model: judge.model, host: provider.place, ...sizeOf(asking) };
    const consents = consentsOf(run.around.home, root);
    const answer = await askConsent(sending, { consents, agreed: run.agreed, reporter });
    if (answer !== 'yes') return { end: 'not sent', sending, answer };
  }
  const judging = reporter.begin('judging sections');
  const start = performance.now();
  const own = judge.provider === NO_PROVIDER ? 1 : PROVIDERS[judge.provider].concurrency;
  let report: IngestReport;
  try {
    report = await ingest(graph, preparation, {
      ...{ ...options, provider, concurrency: run.concurrency ?? own },
      onProgress: (done, total) => judging.step(done, total),
    });
  } finally {
    judging.end();
    await provider?.close();
  }
  return { end: 'done', report, built, seconds: (performance.now() - start) / 1000 };
}

function sizeOf(tasks: Preparation['tasks']): Pick<Sending, 'sections' | 'documents'> {
  return { sections: tasks.length, documents: new Set(tasks.map(({ planned }) => planned.document)).size };
}

interface Chosen extends Pick<Choice, 'socket'> {
  readonly judge: Judge;
}

/** Where no rule gives a provider, the person who started the run is asked. */
async function agreeOnJudge({ judge, socket }: Choice, reporter: Reporter): Promise<Chosen | undefined> {
  if (judge) return { judge, socket };
  return (await reporter.goOnWithoutModel()) ? { judge: { provider: NO_PROVIDER, model: '' }, socket } : undefined;
}

/** Opens the provider when it is first needed: who has nothing to ask needs neither key nor server. */
function openOnce({ judge: { provider, model }, socket }: Chosen, environment: LlmEnvironment, folder: string) {
  let opened: Promise<OpenedProvider> | undefined;
  return async (sections: number): Promise<OpenedProvider | undefined> => {
    if (provider === NO_PROVIDER) return undefined;
    opened ??= openProvider(provider, model, { socket, folder, sections }, environment);
    return opened;
  };
}
