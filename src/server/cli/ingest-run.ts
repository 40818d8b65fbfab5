/** Runs `svc ingest` and `svc sync`. */
import type { IngestReport } from '../ingest/ingest';
import type { Judge } from '../ingest/plan';
import type { Scope } from '../ingest/scope';
import type { LlmEnvironment } from '../llm/environment';
import type { OpenedProvider } from '../llm/open-provider';
import { NO_PROVIDER, PROVIDERS } from '../llm/providers';
import { namedProvider } from '../llm/select-provider';
import type { IndexReport } from '../project/index-code';
import { answerOf } from './ask';
import type { Cli, ExitStatus } from './cli';
import { askConsent, nobodyAgreed, type Sending } from './ingest-consent';
import { type Choice, chooseJudge, describeSteps, WAYS } from './ingest-judge';
import { describeDryRun, describeIngest, dryRun } from './ingest-report';
import { showProgress } from './progress';

/** The options that `svc ingest` and `svc sync` share, and `--explain`. */
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
export async function runIngest(
  cli: Cli,
  flags: IngestFlags,
  { followCode, scopeOf }: IngestTarget,
): Promise<ExitStatus> {
  const { output, signal } = cli;
  // The parsers, the native driver and the providers are loaded only now.
  const [{ ingestSettings, openIngestGround }, { ingestedPaths, lastJudge }, { ingest, prepareIngest }] =
    await Promise.all([import('../project/ingest-ground'), import('../ingest/facts'), import('../ingest/ingest')]);
  const { config, announcedHosts } = ingestSettings({ around: cli.around, keys: KEY_PLACES });
  const dry = flags.dryRun === true;
  const choice = { flag: flags.llm, model: flags.model, config, environment: cli.llm, announcedHosts, dry };
  if (flags.explain) {
    const { steps } = await chooseJudge({ ...choice, last: undefined }, output);
    if (flags.json) await output.json(steps);
    else await output.text(describeSteps(steps));
    return 0;
  }
  // An unknown name is reported before anything is built.
  namedProvider({ flag: flags.llm, file: config.provider });
  const reading = showProgress(output, 'Reading code:');
  const { root, graph, built, termsOf } = await openIngestGround({
    ...cli,
    ...{ assets: cli.programs, keys: KEY_PLACES },
    onProgress: (done, total) => reading.step(done, total),
  });
  reading.end();
  try {
    const scope = scopeOf(root, await ingestedPaths(graph));
    const last = followCode ? await lastJudge(graph) : undefined;
    const chosen = await setUp(cli, await chooseJudge({ ...choice, last }, output));
    if (chosen === undefined) return 2;
    const { judge } = chosen;
    const options = { root, assets: cli.programs, scope, judge, followCode, termsOf, signal };
    const open = openOnce(chosen, cli.llm, root);
    const embedder = async () => (dry || judge.provider !== 'ollama' ? undefined : (await open(0))?.embedder);
    const preparation = await prepareIngest(graph, options, embedder);
    if (dry) {
      const planned = dryRun(preparation, judge, cli.tokenizer());
      if (flags.json) await output.json(planned);
      else await output.text(describeDryRun(planned));
      return 0;
    }
    const asking = preparation.tasks.filter(({ question }) => question !== undefined);
    const provider = asking.length > 0 ? await open(asking.length) : undefined;
    if (provider && judge.provider !== NO_PROVIDER) {
      const documents = new Set(asking.map(({ planned }) => planned.document)).size;
      const what = { host: provider.place, sections: asking.length, documents };
      const sending = { provider: judge.provider, model: judge.model, ...what };
      if (!(await isAgreed(cli, flags, sending, root))) return 1;
    }
    const progress = showProgress(output, 'Judging sections:');
    const start = performance.now();
    const own = judge.provider === NO_PROVIDER ? 1 : PROVIDERS[judge.provider].concurrency;
    let report: IngestReport;
    try {
      report = await ingest(graph, preparation, {
        ...{ ...options, provider, concurrency: flags.concurrency ?? own },
        onProgress: (done, total) => progress.step(done, total),
      });
    } finally {
      progress.end();
      await provider?.close();
    }
    return await tell(cli, flags, report, built, (performance.now() - start) / 1000);
  } finally {
    await graph.close();
  }
}

/** @throws SvcError unavailable without an earlier consent and without a person to ask */
async function isAgreed(cli: Cli, { yes, json }: IngestFlags, sending: Sending, root: string): Promise<boolean> {
  const { output, around } = cli;
  const { consentsOf } = await import('../project/consents');
  const consent = await askConsent(cli, sending, consentsOf(around.home, root), yes === true);
  if (consent === 'yes') return true;
  // The editor asks its user then, and says what this is about.
  if (json) await output.json({ unsent: sending });
  if (consent === 'nobody') throw nobodyAgreed(sending);
  output.note('Nothing was sent.');
  return false;
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

interface Chosen extends Pick<Choice, 'socket'> {
  readonly judge: Judge;
}

/** Where no rule gives a provider, the person at the terminal is asked. */
async function setUp({ ask, output }: Cli, { judge, socket }: Choice): Promise<Chosen | undefined> {
  if (judge) return { judge, socket };
  for (const line of WAYS) output.note(line);
  const answer = ask && (await answerOf(ask, 'Type "none" to go on without a model, or press Enter to stop: ')).trim();
  return answer === NO_PROVIDER ? { judge: { provider: NO_PROVIDER, model: '' }, socket } : undefined;
}

/** Opens the provider when it is first needed: who has nothing to ask needs neither key nor server. */
function openOnce({ judge: { provider, model }, socket }: Chosen, environment: LlmEnvironment, folder: string) {
  let opened: Promise<OpenedProvider> | undefined;
  return async (sections: number): Promise<OpenedProvider | undefined> => {
    if (provider === NO_PROVIDER) return undefined;
    const { openProvider } = await import('../llm/open-provider');
    opened ??= openProvider(provider, model, { socket, folder, sections }, environment);
    return opened;
  };
}

/** How keys look that must not lie in a file, and where they belong. */
const KEY_PLACES = Object.entries(PROVIDERS).flatMap(([provider, { keyShape, keyVariable }]) =>
  keyShape && keyVariable !== undefined ? [{ provider, shape: keyShape, variable: keyVariable }] : [],
);
