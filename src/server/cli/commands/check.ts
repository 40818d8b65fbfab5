/** `svc-memory check`. */
import { Command } from 'commander';
import { callTool } from '../../tools/call-tool';
import { check } from '../../tools/check';
import type { Cli, ExitStatus } from '../cli';
import { addGlobalOptions, globalOptions, refusal } from '../tool-command';
import { withProject } from '../with-project';

const ABOUT = `The memories whose code the present Git diff moves, changes or removes: what to read before a commit, and to confirm or supersede after it. Without options it is everything that is not committed yet. Code that was only formatted is not reported.`;

const HELP = `
Examples:
  svc-memory check
  svc-memory check --staged
  svc-memory check --since origin/main --json
  svc-memory check --branch

Exit status: 0 no memory is touched, 1 memories need a look, 2 wrong usage or
no answer (no Git, no repository). As a pre-commit hook that tells and does
not stop: svc-memory check --staged || true
`;

interface Options {
  readonly staged?: true;
  readonly since?: string;
  readonly branch?: true;
  readonly json?: true;
}

export function checkCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('check')
    .summary('Memories that the Git diff touches')
    .description(ABOUT)
    .option('--staged', 'what is staged, instead of the working files')
    .option('--since <revision>', 'everything since this branch, tag or commit')
    .option('--branch', 'everything since this branch left the one that it goes back to')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', HELP);
  return addGlobalOptions(command, 'namespace').action(async ({ staged, since, branch, json }: Options) => {
    const { output } = cli;
    // Whatever goes wrong from here on must not look like memories that need a look.
    finish(2);
    const input = { staged: staged === true, since, branch: branch === true };
    const answer = await withProject(cli, globalOptions(command), (project) =>
      callTool([check], project, check.name, input, { signal: cli.signal }),
    );
    if (!answer.ok) {
      output.error(answer.code, refusal(answer, check));
      return;
    }
    // The tool's own schema has this shape.
    const { memories } = answer.value as { readonly memories: readonly unknown[] };
    finish(memories.length === 0 ? 0 : 1);
    if (json) await output.json(answer.value);
    else await output.text(answer.text);
  });
}
