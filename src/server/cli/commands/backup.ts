/** `svc-memory backup`. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { counted } from '../../base/counted';
import { shownPath } from '../../base/text';
import type { Cli, ExitStatus } from '../cli';
import { shownSize } from '../shown-size';
import { addGlobalOptions, globalOptions } from '../tool-command';
import { withProject } from '../with-project';

const ABOUT = `Copy the whole store into one file, as it is at this moment, while others go on working. Without a file it is kept in ~/.svc/backups, beside those that are made by themselves: one before the first write of a day, the newest three of them.

"svc-memory restore-backup" brings one back. A purge deletes the backups in ~/.svc/backups that hold what was purged; files elsewhere are yours.`;

interface BackupOptions {
  readonly force?: true;
  readonly json?: true;
}

export function backupCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('backup')
    .summary('Copy the store into one file')
    .description(ABOUT)
    .argument('[file]', 'the file to write; one in ~/.svc/backups when left out')
    .option('--force', 'write over a file that is there')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExamples:\n  svc-memory backup\n  svc-memory backup /mnt/usb/memory.db\n');
  return addGlobalOptions(command).action(async (file: string | undefined, { force, json }: BackupOptions) => {
    const { output, around } = cli;
    const made = await withProject(cli, globalOptions(command), async (project) => {
      const { backUp } = await import('../../project/back-up');
      return backUp(project, file === undefined ? undefined : resolve(around.cwd, file), force === true);
    });
    if (json) await output.json(made);
    else {
      await output.text(
        `Copied ${counted(made.memories, 'memory')} (${shownSize(made.size_bytes)}) to ${shownPath(made.path)}`,
      );
    }
    finish(0);
  });
}
