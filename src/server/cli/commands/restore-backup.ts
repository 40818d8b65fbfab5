/** `svc-memory restore-backup`. */
import { Command } from 'commander';
import { fileOf } from '../../../store-place/store-place';
import { counted } from '../../base/counted';
import { unavailable } from '../../base/errors';
import { shownPath } from '../../base/text';
import type { BackupAccount } from '../../project/back-up';
import type { Restoring } from '../../project/restore-backup';
import { saysYes } from '../ask';
import type { Cli, ExitStatus } from '../cli';
import { BACKUP_KINDS } from '../describe-backup';
import { shownSize } from '../shown-size';
import { addGlobalOptions } from '../tool-command';

const ABOUT = `Bring a store back from a backup: the newest one, one that --list names, or any file that "svc-memory backup" made. What lies in its place is kept as another backup before. It works also where the store is damaged or missing, and programs that have it open go on with what was restored.`;

interface RestoreOptions {
  readonly list?: true;
  readonly yes?: true;
  readonly json?: true;
}

export function restoreBackupCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('restore-backup')
    .summary('Bring the store back from a backup')
    .description(ABOUT)
    .argument('[backup]', 'the name of a backup, or a file; the newest backup when left out')
    .option('--list', 'show the backups of this store, and change nothing')
    .option('--yes', 'do not ask')
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  svc-memory restore-backup --list\n  svc-memory restore-backup\n  svc-memory restore-backup /mnt/usb/memory.db\n',
    );
  return addGlobalOptions(command).action(async (named: string | undefined, { list, yes, json }: RestoreOptions) => {
    if (list) await listBackups(cli, json === true);
    else await restore(cli, named, yes === true, json === true);
    finish(0);
  });
}

async function listBackups({ around, output }: Cli, json: boolean): Promise<void> {
  const { backupsAt, storeToRestore } = await import('../../project/restore-backup');
  const place = storeToRestore(around);
  const backups = await backupsAt(place, around.home);
  if (json) await output.json(backups);
  else if (backups.length === 0) await output.text(`There is no backup of ${shownPath(fileOf(place))} yet.`);
  else await output.text(`Backups of ${shownPath(fileOf(place))}\n${backups.map(lineOf).join('\n')}`);
}

function lineOf({ name, kind, at, memories, size }: BackupAccount): string {
  const held = memories === null ? 'damaged' : counted(memories, 'memory');
  const cells = [`${at.slice(0, 10)} ${at.slice(11, 16)}`, BACKUP_KINDS[kind].padEnd(19), held.padEnd(16)];
  return `${cells.join('  ')}  ${shownSize(size).padEnd(10)}  ${name}`;
}

async function restore(cli: Cli, named: string | undefined, yes: boolean, json: boolean): Promise<void> {
  const { around, git, output } = cli;
  const { restoreBackup, whatToRestore } = await import('../../project/restore-backup');
  const restoring = whatToRestore(around, named);
  await requirePerson(cli, restoring, yes);
  const restored = await restoreBackup(restoring, { home: around.home, git });
  if (json) {
    await output.json({ ...restored, backup: restoring.file });
    return;
  }
  await output.text(`Restored ${counted(restored.memories, 'memory')} to ${shownPath(restored.path)}`);
  if (restored.kept !== null) output.note(`What lay there before is kept: ${shownPath(restored.kept)}`);
}

/** A file that is not a backup of this user may come from anybody: restoring it means accepting it. */
async function requirePerson(cli: Cli, { file, place }: Restoring, yes: boolean): Promise<void> {
  const { isBackup } = await import('../../project/backups');
  if (cli.startedByAgent && !isBackup(cli.around.home, file)) {
    throw unavailable(
      'Only a person can restore a file that is not a backup of this machine, and an agent runs this command',
      'Ask your user to run it in a terminal of their own',
    );
  }
  if (yes) return;
  if (!cli.ask) {
    throw unavailable(
      `${shownPath(file)} would replace ${shownPath(fileOf(place))}, and there is no terminal to ask on`,
      'Run the command in a terminal, or pass --yes',
    );
  }
  if (await saysYes(cli.ask, `${await describe({ file, place })}\nRestore it? [y/N] `)) return;
  throw unavailable('Nothing was restored', 'The store is as it was');
}

async function describe({ file, place }: Restoring): Promise<string> {
  const { held } = await import('../../project/back-up');
  const [backup, now] = [await held(file), await held(fileOf(place))];
  return [
    `${shownPath(file)}\n  ${backup === undefined ? 'cannot be read' : `${counted(backup.memories, 'memory')}, ${shownSize(backup.size_bytes)}`}`,
    `takes the place of ${shownPath(fileOf(place))}\n  ${now === undefined ? 'which is missing or damaged' : `which has ${counted(now.memories, 'memory')} now; they are kept as another backup`}`,
  ].join('\n');
}
