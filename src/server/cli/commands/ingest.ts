/** `svc ingest`. */
import { Command, InvalidArgumentError } from 'commander';
import { PROVIDER_NAMES, PROVIDERS } from '../../llm/providers';
import type { Cli, ExitStatus } from '../cli';
import { type IngestFlags, ingestOnTerminal } from '../ingest-on-terminal';

const ABOUT = `Bind the sections of Markdown documents to the code that they speak of, so that anyone who asks about the code gets the section. Candidates are chosen on this machine; a language model judges them. It gets the section and, for each candidate, its name, path, signature and doc comment, never a line of a body.

In a folder, changelogs, licences and the like are left out; name one to have it read. Sections that did not change since the same provider and model judged them are not asked about again. Ctrl-C keeps what is done.`;

const DEFAULTS = PROVIDER_NAMES.map(
  (name) => `  ${name.padEnd(10)} ${PROVIDERS[name].defaultModel || 'as the host chooses'}`,
).join('\n');

const AT_ONCE = PROVIDER_NAMES.map((name) => `${name} ${PROVIDERS[name].concurrency}`).join(', ');

const MORE = `
Providers and their default models (--llm none binds without a model what
documents name in backticks or link to):
${DEFAULTS}

Without --llm the first of these is used: the MCP host that this runs in, the
provider in .svc/config.yaml, ANTHROPIC_API_KEY, OPENAI_API_KEY, a model server
on this machine. --explain says which one it is, and why. Keys are read from
the environment only. Nothing goes to a cloud provider before somebody has
agreed, on the terminal (kept for this project) or with --yes.

Examples:
  svc ingest docs
  svc ingest README.md --llm none
  svc ingest docs --llm anthropic --dry-run
`;

const MOST_CONCURRENT = 32;

export function ingestCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('ingest')
    .summary('Bind documents to code')
    .description(ABOUT)
    .argument('[paths...]', 'Markdown files, or folders of them')
    .option('--explain', 'say which provider would be used and why, and do nothing else');
  return addIngestOptions(command)
    .addHelpText('after', MORE)
    .action(async (paths: readonly string[], flags: IngestFlags) => {
      if (paths.length === 0 && !flags.explain)
        command.error("error: missing required argument 'path'", { exitCode: 2 });
      finish(await ingestOnTerminal(cli, paths.length === 0 ? ['.'] : paths, flags));
    });
}

/** The options that `svc sync` has, too. */
export function addIngestOptions(command: Command): Command {
  return command
    .option('--llm <provider>', `who judges: ${PROVIDER_NAMES.join(', ')}, or none`)
    .option('--model <model>', 'the model, where the default of the provider is not wanted')
    .option(
      '--dry-run',
      'show the sections, their candidates, the cost, and exactly what would be sent; contact nobody',
    )
    .option(
      '--yes',
      'send to a cloud provider without asking; without a terminal it is needed, unless somebody agreed on one before',
    )
    .option('--concurrency <n>', `how many questions are asked at once (${AT_ONCE})`, readConcurrency)
    .option('--json', 'print the summary as JSON');
}

function readConcurrency(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= MOST_CONCURRENT) return value;
  throw new InvalidArgumentError(`Give a number from 1 to ${MOST_CONCURRENT}.`);
}
