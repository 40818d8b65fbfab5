/** `svc build`. */
import { Command } from 'commander';
import { counted } from '../../base/counted';
import type { IndexReport } from '../../project/index-code';
import type { Cli, ExitStatus } from '../cli';
import { describeNotParsed, namedLines } from '../not-parsed';
import { showProgress } from '../progress';
import { describeUnreadRules } from '../unread-rules';

const ABOUT = `Build the code graph of a project in .svc/graph.db: definitions, calls, imports, inheritance. Files that .gitignore names are left out, and those that did not change since the last build are not read again. Memories of the project's store are linked to the code that they are about.

Without a path it is the project that the current folder lies in. A folder inside it is read again alone, and what lies outside stays as it is. Ctrl-C keeps what is done; the next build goes on from there.`;

export function buildCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  return new Command('build')
    .summary('Build or refresh the code graph')
    .description(ABOUT)
    .argument('[path]', 'the folder to build')
    .option('--json', 'print the summary as JSON')
    .option('--verbose', 'name the files that are left out')
    .addHelpText('after', '\nExamples:\n  svc build\n  svc build packages/server --json\n')
    .action(async (path: string | undefined, { json, verbose }: { json?: true; verbose?: true }) => {
      const { output } = cli;
      const progress = showProgress(output, 'Reading');
      // The parser and the native driver are loaded only now.
      const { indexCode } = await import('../../project/index-code');
      const report = await indexCode({
        ...cli,
        path,
        assets: cli.programs,
        onProgress: (done, total, share) => progress.step(done, total, share),
      });
      progress.end();
      if (json) await output.json(report);
      else await output.text(describeBuild(report, verbose === true));
      finish(report.interrupted ? 1 : 0);
    });
}

function describeBuild(report: IndexReport, verbose: boolean): string {
  const { files, indexed, removed, symbols, references, skipped, linked, reanchored, seconds } = report;
  const left = Object.entries(skipped).map(([reason, count]) => `${count} ${reason}`);
  return [
    `${report.interrupted ? 'Interrupted. So far the' : 'The'} code graph ${report.graph} has`,
    `${counted(files, 'file')}, ${counted(symbols, 'definition')} and ${counted(references, 'reference')}.`,
    `Read ${counted(indexed, 'file')}, removed ${removed}, in ${seconds.toFixed(1)} s.`,
    ...(left.length === 0 ? [] : [`Left out: ${left.join(', ')}.`]),
    ...(verbose ? namedLines(report.skipped_files) : describeNotParsed(report.not_parsed, '--verbose')),
    ...describeUnreadRules(report.unread_rules),
    ...(linked === 0 ? [] : [`Linked memories to code: ${linked}.`]),
    ...(reanchored === 0 ? [] : [`Links that followed their code to another place: ${reanchored}.`]),
  ].join('\n');
}
