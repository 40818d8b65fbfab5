/** `svc sync`. */
import { Command } from 'commander';
import type { Cli, ExitStatus } from '../cli';
import { type IngestFlags, ingestOnTerminal } from '../ingest-on-terminal';
import { addIngestOptions } from './ingest';

const ABOUT = `Bring the code graph and the bindings of documents up to date: only code files and documents whose content changed are read again, and only sections that changed, or for which new code comes into question, are judged again. Documents are looked for where svc ingest found some before.

Without --llm it goes on with the provider and the model of the last run. Another provider judges all sections again; the code graph is kept.`;

export function syncCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  return addIngestOptions(new Command('sync').summary('Refresh the code graph and the bindings').description(ABOUT))
    .addHelpText('after', '\nExamples:\n  svc sync\n  svc sync --llm ollama\n')
    .action(async (flags: IngestFlags) => {
      finish(await ingestOnTerminal(cli, undefined, flags));
    });
}
