/** `svc-memory consolidate`. */
import { Command } from 'commander';
import { counted } from '../../base/counted';
import { shownDay, shownId, shownShare } from '../../base/shown';
import { cut, oneLine } from '../../base/text';
import type { ConsolidationReport, ShownPair } from '../../memory/consolidation/consolidate';
import type { Cli, ExitStatus } from '../cli';
import { showProgress } from '../progress';
import { addGlobalOptions, globalOptions } from '../tool-command';
import { withProject } from '../with-project';

const ABOUT = `Do the consolidation jobs that ended sessions have queued: close near-duplicates by the newer memory, merge entities that are spelling variants into aliases, and close sessions that were left behind a day ago. Without such a job it looks at the namespace. Nothing is deleted. Ctrl-C keeps what is done.`;

interface Options {
  readonly dryRun?: true;
  readonly all?: true;
  readonly json?: true;
}

export function consolidateCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('consolidate')
    .summary('Close near-duplicates, merge spelling variants')
    .description(ABOUT)
    .option('--dry-run', 'show what would be done, and do nothing')
    .option('--all', 'look at every namespace, not only at those with a waiting job')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExamples:\n  svc-memory consolidate --dry-run\n  svc-memory consolidate\n');
  return addGlobalOptions(command).action(async ({ dryRun, all, json }: Options) => {
    const { output } = cli;
    const progress = showProgress(output, 'Comparing');
    const report = await withProject(cli, globalOptions(command), async (project) => {
      const { consolidate } = await import('../../memory/consolidation/consolidate');
      return consolidate(project, {
        dryRun: dryRun === true,
        everything: all === true,
        signal: cli.signal,
        onProgress: (_, done, total) => progress.step(done, total),
      });
    });
    progress.end();
    if (json) await output.json(report);
    else await output.text(describeConsolidation(report, output.width));
    for (const { namespace, problem } of report.problems) output.note(`${namespace}: ${problem}`);
    finish(report.jobs.failed === 0 ? 0 : 1);
  });
}

/** One line for each change, what it is about cut to the width. */
export function describeConsolidation(report: ConsolidationReport, width: number): string {
  const { dry_run: dry, jobs } = report;
  const line = (start: string, text: string): string => cut(start + oneLine(text), width);
  const pair = ({ older, newer, similarity }: ShownPair): string[] => [
    line('- ', `[${shownId(older.id)}] ${older.content}`),
    line('  ', `by [${shownId(newer.id)}] (${shownShare(similarity)}) ${newer.content}`),
  ];
  const blocks: string[] = [];
  for (const { namespace, merged, closed, in_files } of report.namespaces) {
    if (merged.length > 0) {
      blocks.push(
        [
          `## ${oneLine(namespace)}: ${dry ? 'would merge' : 'merged'} ${counted(merged.length, 'spelling variant')}`,
          ...merged.map(({ kept, variant }) =>
            line('- ', `[${shownId(variant.id)}] ${variant.name} → [${shownId(kept.id)}] ${kept.name}`),
          ),
        ].join('\n'),
      );
    }
    if (closed.length > 0) {
      blocks.push(
        [
          `## ${oneLine(namespace)}: ${dry ? 'would close' : 'closed'} ${counted(closed.length, 'near-duplicate')}`,
          ...closed.flatMap(pair),
        ].join('\n'),
      );
    }
    if (in_files.length > 0) {
      blocks.push(
        [
          `## ${oneLine(namespace)}: left alone ${counted(in_files.length, 'near-duplicate')} in files of the repository`,
          ...in_files.flatMap(pair),
          '"svc-memory review merge <older> <newer>" lets one take the place of the other.',
        ].join('\n'),
      );
    }
  }
  if (report.sessions.length > 0) {
    blocks.push(
      [
        `## ${dry ? 'Would close' : 'Closed'} ${counted(report.sessions.length, 'session')} left behind`,
        ...report.sessions.map(({ id, name, last_write_at, namespace }) =>
          line('- ', `[${shownId(id)}] ${shownDay(last_write_at)} ${namespace}: ${name}`),
        ),
      ].join('\n'),
    );
  }
  const waited = jobs.done + jobs.failed;
  if (waited === 0 && report.unasked !== undefined) {
    const nothing = blocks.length === 0 ? 'Nothing to consolidate. ' : '';
    blocks.push(line(`${nothing}No job waited: `, `the namespace ${report.unasked} was compared.`));
  } else if (waited === 0) blocks.push('No job waits.');
  else blocks.push(dry ? `${counted(jobs.done, 'job')} would be done.` : `${counted(jobs.done, 'job')} done.`);
  return blocks.join('\n\n');
}
