/** Runs `svc ingest` and `svc sync`: options in, report out. */
import type { Done } from '../ingest/run';
import type { Cli, ExitStatus } from './cli';
import { describeDryRun, describeIngest, describeSteps } from './ingest-report';
import { nobodyAgreed, terminalReporter } from './terminal-reporter';

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

/**
 * @param path undefined for `svc sync`: documents that were ingested before
 * @throws SvcError unavailable without an earlier consent and without a person to ask, and those of the run
 */
export async function ingestOnTerminal(
  cli: Cli,
  paths: readonly string[] | undefined,
  flags: IngestFlags,
): Promise<ExitStatus> {
  const { output, around } = cli;
  // The parsers, the native driver and the providers are loaded only now.
  const { explainChoice, runIngest } = await import('../ingest/run');
  const reporter = terminalReporter(cli);
  const asked = { named: flags.llm, model: flags.model, environment: cli.llm, reporter };
  const dry = flags.dryRun === true;
  if (flags.explain) {
    const steps = await explainChoice(around, asked, dry);
    if (flags.json) await output.json(steps);
    else await output.text(describeSteps(steps));
    return 0;
  }
  const ended = await runIngest({
    ...{ ...cli, ...asked, paths, dry, assets: cli.programs },
    ...{ agreed: flags.yes === true, concurrency: flags.concurrency },
  });
  switch (ended.end) {
    case 'no provider':
      return 2;
    case 'dry run':
      if (flags.json) await output.json(ended.planned);
      else await output.text(describeDryRun(ended.planned));
      return 0;
    case 'not sent':
      // The editor asks its user then, and says what this is about.
      if (flags.json) await output.json({ unsent: ended.sending });
      if (ended.answer === 'nobody') throw nobodyAgreed(ended.sending);
      output.note('Nothing was sent.');
      return 1;
    case 'done':
      return await tellDone(cli, ended, flags.json === true);
  }
}

async function tellDone({ output }: Cli, { report, built, seconds }: Done, json: boolean): Promise<ExitStatus> {
  const code = { indexed: built.indexed, removed: built.removed, files: built.files };
  if (json) await output.json({ ...report, code, seconds: Number(seconds.toFixed(3)) });
  else await output.text(describeIngest(report, code));
  for (const { document, line, problem } of report.failed) output.note(`${document}:${line}: ${problem}`);
  return report.interrupted || report.failed.length > 0 ? 1 : 0;
}
