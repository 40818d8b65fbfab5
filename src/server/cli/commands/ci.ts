/** `svc-memory ci`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { counted } from '../../base/counted';
import { notFound } from '../../base/errors';
import { isThere, upwards } from '../../base/paths';
import { shownPath } from '../../base/text';
import type { Project } from '../../project/open';
import type { ReviewedChange } from '../../render/pull-request';
import { callTool } from '../../tools/call-tool';
import { check } from '../../tools/check';
import type { Cli, ExitStatus } from '../cli';
import { writeComment } from '../github-comment';
import { refusal } from '../tool-command';
import { withProject } from '../with-project';

const ABOUT = `For the runs that check a pull request: the shared memories (.svc/memories) whose code the change touches, as the text of a comment and as SARIF. It reads the files of the repository alone, and no store of this machine; the code graph that it needs is made beside them, and taken away where it was not there. Fetch the whole history first.`;

const HELP = `
Examples:
  svc-memory ci --since origin/main --comment comment.md --sarif memories.sarif
  svc-memory ci --since origin/main --post

Exit status: 0 the check was made, 1 with --fail when memories need a look,
2 wrong usage or no answer.
`;

const MEMORIES = join('.svc', 'memories');

interface Options {
  readonly since: string;
  readonly comment?: string;
  readonly sarif?: string;
  readonly post?: true;
  readonly fail?: true;
  readonly json?: true;
}

export function ciCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  return new Command('ci')
    .summary('Memories that a pull request touches')
    .description(ABOUT)
    .requiredOption('--since <revision>', 'the branch that it goes to, such as origin/main')
    .option('--comment <file>', 'write the text of a comment, in Markdown')
    .option('--sarif <file>', 'write SARIF 2.1.0')
    .option('--post', 'write the comment of the pull request, or renew it, where GitHub runs this')
    .option('--fail', 'end with 1 when memories need a look')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', HELP)
    .action(async (options: Options) => {
      // Whatever goes wrong from here on must not look like memories that need a look.
      finish(2);
      const touched = await withSharedAlone(cli, (project, alone) => review(alone, project, options));
      if (touched !== undefined) finish(options.fail && touched > 0 ? 1 : 0);
    });
}

/** @returns how many memories need a look; undefined where there is no answer */
async function review(cli: Cli, project: Project, options: Options): Promise<number | undefined> {
  const { output, around, version, github } = cli;
  const { since, comment, sarif, post, json } = options;
  const answer = await callTool([check], project, check.name, { since }, { signal: cli.signal });
  if (!answer.ok) {
    output.error(answer.code, refusal(answer, check));
    return undefined;
  }
  const { COMMENT_MARK, renderComment, renderSarif } = await import('../../render/pull-request');
  // The tool's own schema has this shape.
  const found = answer.value as Omit<ReviewedChange, 'fileOf'>;
  const change: ReviewedChange = { ...found, fileOf: (id) => project.shared.fileOf(id) };
  const text = renderComment(change);
  if (comment !== undefined) await writeFile(resolve(around.cwd, comment), text);
  if (sarif !== undefined) {
    await writeFile(resolve(around.cwd, sarif), `${JSON.stringify(renderSarif(change, version), undefined, 2)}\n`);
  }
  if (post) {
    const done = await writeComment(github, text, { mark: COMMENT_MARK, isNews: found.memories.length > 0 });
    output.note(`The comment of the pull request: ${done}.`);
  }
  if (json) await output.json(found);
  else await output.text(answer.text);
  return found.memories.length;
}

/** Runs `work` on the files of the repository, beside an empty store in a home of its own, which is removed after it. */
async function withSharedAlone<Result>(
  cli: Cli,
  work: (project: Project, alone: Cli) => Promise<Result>,
): Promise<Result> {
  const root = [...upwards(cli.around.cwd)].find((folder) => isThere(join(folder, MEMORIES)));
  if (root === undefined) {
    throw notFound(
      `There is no folder ${MEMORIES} from ${shownPath(cli.around.cwd)} upwards`,
      'Share memories with "svc-memory share <ids…>" and commit their files',
    );
  }
  const home = await mkdtemp(join(tmpdir(), 'svc-ci-'));
  let giveBack = (): void => undefined;
  const around = { cwd: root, home, storeFile: join(home, 'memory.db'), projectRoot: root };
  const alone: Cli = { ...cli, around: { ...around, cwd: cli.around.cwd }, namespace: undefined, keep: undefined };
  try {
    const { acceptShared } = await import('../../project/trust-store');
    const { lendGraph } = await import('../../project/code-graph');
    const { indexCode } = await import('../../project/index-code');
    giveBack = lendGraph(root, { of: cli.around.home, to: home });
    // What is merged into the repository was looked at there.
    acceptShared(root, home, 'accepted');
    const report = await indexCode({ ...cli, around, path: undefined, assets: cli.programs, onProgress: () => {} });
    cli.output.note(`Read ${counted(report.files, 'file')}.`);
    return await withProject(alone, {}, (project) => work(project, alone));
  } finally {
    giveBack();
    await rm(home, { recursive: true, force: true });
  }
}
