import type { IngestReport } from '../ingest/ingest';
import type { Judge } from '../ingest/plan';
import type { Scope } from '../ingest/scope';
import type { LlmEnvironment } from '../llm/environment';
import { isProviderName, NO_PROVIDER, PROVIDERS } from '../llm/providers';
import type { IndexReport } from '../project/index-code';
import type { Cli, ExitStatus } from './cli';
import { answerOf, mayBeSent } from './ingest-consent';
import { type ChosenJudge, chooseJudge, describeSteps, WAYS } from './ingest-judge';
import { describeDryRun, describeIngest, dryRun } from './ingest-report';
import { showProgress } from './progress';

/** The options that `svc ingest` and `svc sync` share. */
export interface IngestFlags {
  readonly llm?: string;
  readonly model?: string;
  readonly json?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly explain?: true;
  readonly concurrency?: number;
}

export interface IngestTarget {
  /** Look at sections for which code that changed comes into question. */
  readonly followCode: boolean;
  /** @param ingested what was ingested before */
  readonly scopeOf: (root: string, ingested: readonly string[]) => Scope;
}

/** Runs `svc ingest` or `svc sync` from the choice of a provider to the report. */
export async function runIngest(cli: Cli, flags: IngestFlags, target: IngestTarget): Promise<ExitStatus> {
  const { output, signal } = cli;
  // The parsers, the native driver and the providers are loaded only now.
  const [{ ingestSettings, openIngestGround }, ingesting] = await Promise.all([
    import('../project/ingest-ground'),
    import('../ingest/ingest'),
  ]);
  const settings = ingestSettings({ around: cli.around, keys: KEY_PLACES });
  const environment = { ...cli.llm, announcedHosts: settings.announcedHosts };
  const choice = {
    flag: flags.llm,
    model: flags.model,
    config: settings.config,
    environment,
    dry: flags.dryRun === true,
  };
  if (flags.explain) {
    const { steps } = await chooseJudge({ ...choice, last: undefined }, output);
    if (flags.json) await output.json(steps);
    else await output.text(describeSteps(steps));
    return 0;
  }
  // An unknown name is told before anything is built.
  if (!target.followCode && (flags.llm ?? settings.config.provider) !== undefined)
    await chooseJudge({ ...choice, last: undefined, dry: true }, output);
  const reading = showProgress(output, 'Reading code:');
  const ground = await openIngestGround({
    ...cli,
    ...{ assets: cli.programs, keys: KEY_PLACES },
    onProgress: (done, total) => reading.step(done, total),
  });
  reading.end();
  const { root, graph } = ground;
  try {
    const scope = target.scopeOf(root, await ingesting.ingestedPaths(graph));
    const last = target.followCode ? await ingesting.lastJudge(graph) : undefined;
    const judge = await setUp(cli, await chooseJudge({ ...choice, last }, output));
    if (judge === undefined) return 2;
    const options = {
      root,
      scope,
      judge: plain(judge),
      followCode: target.followCode,
      termsOf: ground.termsOf,
      signal,
    };
    const opened = lazyProvider(judge, environment);
    const preparation = await ingesting.prepareIngest(
      graph,
      options,
      flags.dryRun ? async () => undefined : () => opened.embedder(signal),
    );
    if (flags.dryRun) {
      const planned = dryRun(preparation, judge, cli.tokenizer());
      if (flags.json) await output.json(planned);
      else await output.text(describeDryRun(planned));
      return 0;
    }
    const questions = preparation.prepared.tasks.filter(({ question }) => question !== undefined);
    const provider = questions.length > 0 ? await opened.get() : undefined;
    if (provider) {
      const documents = new Set(questions.map(({ planned }) => planned.document)).size;
      const sending = { ...plain(judge), place: provider.place, questions: questions.length, documents };
      if (!(await mayBeSent(cli, sending, ingesting.consentStore(graph), flags.yes === true))) {
        output.note('Nothing was sent.');
        return 1;
      }
    }
    const progress = showProgress(output, 'Judging sections:');
    const start = performance.now();
    const concurrency =
      flags.concurrency ?? (isProviderName(judge.provider) ? PROVIDERS[judge.provider].concurrency : 1);
    let report: IngestReport;
    try {
      report = await ingesting.ingest(graph, preparation, {
        ...options,
        ...{ provider, concurrency, onProgress: (done, total) => progress.step(done, total) },
      });
    } finally {
      progress.end();
      await provider?.close();
    }
    return await tell(cli, flags, report, ground.built, (performance.now() - start) / 1000);
  } finally {
    await graph.close();
  }
}

async function tell(
  { output }: Cli,
  { json }: IngestFlags,
  report: IngestReport,
  built: IndexReport,
  seconds: number,
): Promise<ExitStatus> {
  const code = { indexed: built.indexed, removed: built.removed, files: built.files };
  if (json) await output.json({ ...report, code, seconds: Number(seconds.toFixed(3)) });
  else await output.text(describeIngest(report, code));
  for (const { document, line, problem } of report.failed) output.note(`${document}:${line}: ${problem}`);
  return report.interrupted || report.failed.length > 0 ? 1 : 0;
}

/** Where no rule gives a provider, whoever sits at the terminal is asked. */
async function setUp(
  { ask, output }: Cli,
  chosen: Awaited<ReturnType<typeof chooseJudge>>,
): Promise<ChosenJudge | undefined> {
  if ('provider' in chosen) return chosen;
  for (const line of WAYS) output.note(line);
  const answer = ask && (await answerOf(ask, 'Type "none" to go on without a model, or press Enter to stop: ')).trim();
  return answer === NO_PROVIDER ? { ...chosen, provider: NO_PROVIDER, model: '', socket: undefined } : undefined;
}

function plain({ provider, model }: ChosenJudge): Judge {
  return { provider, model };
}

/** Opens the provider when it is first needed, once. */
function lazyProvider({ provider, model, socket }: ChosenJudge, environment: LlmEnvironment) {
  const open = async () => {
    if (!isProviderName(provider)) return undefined;
    const { openProvider } = await import('../llm/open-provider');
    return openProvider(provider, model, socket, environment);
  };
  let opened: ReturnType<typeof open> | undefined;
  const get = () => {
    opened ??= open();
    return opened;
  };
  return {
    get,
    async embedder(signal: AbortSignal) {
      if (provider !== 'ollama') return undefined;
      const local = await get();
      const { localUrl } = await import('../llm/open-provider');
      const { embeddingModel, ollamaEmbed } = await import('../llm/providers/ollama');
      const name = embeddingModel(local?.localModels ?? []);
      if (name === undefined) return undefined;
      const url = localUrl(environment);
      return { model: name, embed: (texts: readonly string[]) => ollamaEmbed(url, name, texts, signal) };
    },
  };
}

/** How keys look that must not lie in a file, and where they belong. */
const KEY_PLACES = Object.values(PROVIDERS).flatMap(({ keyShape, keyVariable }) =>
  keyShape && keyVariable !== undefined ? [{ shape: keyShape, variable: keyVariable }] : [],
);
