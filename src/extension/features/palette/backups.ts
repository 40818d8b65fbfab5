/** The commands for backups. */
import * as vscode from 'vscode';
import { counted, shownTime } from '../../kinds';
import { failureOf, type RunProgram, runProgram } from '../../programs';
import { withoutLinks } from '../../stored-text';
import type { Doing, PaletteCommand } from './command';
import { memoryFolder } from './memory-folder';
import { fromJson, runAndTell } from './run-and-tell';

/** Copies of the whole store, made and brought back by the command line that comes with the extension. */
export const BACKUP_COMMANDS: readonly PaletteCommand[] = [
  { command: 'agentMemory.backup', writes: 'memories', needsStore: true, run: backUp },
  { command: 'agentMemory.restoreBackup', writes: 'files', run: restoreBackup },
];

const FILTERS = { SQLite: ['db'] };

async function backUp(doing: Doing): Promise<void> {
  const beside = {
    label: vscode.l10n.t('Keep it with the other backups'),
    description: '~/.svc/backups',
    iconPath: new vscode.ThemeIcon('archive'),
  };
  const elsewhere = {
    label: vscode.l10n.t('Choose a file…'),
    iconPath: new vscode.ThemeIcon('save-as'),
  };
  const title = vscode.l10n.t('Back Up the Store');
  const chosen = await vscode.window.showQuickPick([beside, elsewhere], { title });
  if (!chosen) return;
  const file = chosen === elsewhere ? await fileToWrite(doing, title) : undefined;
  if (chosen === elsewhere && !file) return;
  await runAndTell(doing, {
    title: vscode.l10n.t('Backing up the store'),
    program: 'svc-memory',
    // The dialog has asked whether a file that is there may be replaced.
    arguments: ['backup', '--json', ...(file ? ['--force', '--', file.fsPath] : [])],
    summary: fromJson<{ readonly path: string; readonly memories: number }>(({ path, memories }) =>
      vscode.l10n.t('Backed up {0} to {1}', counted.memories(memories), path),
    ),
    cancelled: vscode.l10n.t('Cancelled; no backup was made.'),
  });
}

function fileToWrite({ place }: Doing, title: string): Thenable<vscode.Uri | undefined> {
  const defaultUri = vscode.Uri.joinPath(place.folder, '..', 'memory-backup.db');
  return vscode.window.showSaveDialog({ title, defaultUri, filters: FILTERS });
}

/** As `svc-memory restore-backup --list --json` gives it. */
interface Backup {
  readonly path: string;
  readonly kind: 'daily' | 'made' | 'rescued' | 'replaced';
  readonly at: string;
  /** null for one that cannot be read. */
  readonly memories: number | null;
}

interface BackupItem extends vscode.QuickPickItem {
  /** None of the row that asks for a file. */
  readonly path?: string;
}

/** What lies in the store's place is kept as another backup, so that nothing is lost by a wrong choice. */
async function restoreBackup(doing: Doing): Promise<void> {
  const title = vscode.l10n.t('Restore a Backup');
  const backups = await listBackups(doing);
  const file = { label: vscode.l10n.t('Choose a file…'), iconPath: new vscode.ThemeIcon('folder-opened') };
  // The first one is chosen by Enter: the newest that holds something, and none that cannot be read.
  const rank = ({ memories }: Backup): number => (memories === null ? 2 : memories === 0 ? 1 : 0);
  const items: BackupItem[] = [...backups.toSorted((one, other) => rank(one) - rank(other)).map(itemOf), file];
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    matchOnDescription: true,
    placeHolder:
      backups.length === 0
        ? vscode.l10n.t('This store has no backup yet')
        : memoryFolder(doing.place).store.exists
          ? vscode.l10n.t('The present contents of the store are kept as another backup')
          : vscode.l10n.t('The store is gone, and the backup takes its place.'),
  });
  if (!chosen) return;
  const path = chosen.path ?? (await fileToRead(title));
  if (path === undefined) return;
  const restore = vscode.l10n.t('Restore');
  const said = await vscode.window.showWarningMessage(
    vscode.l10n.t('Restore this backup?'),
    {
      modal: true,
      detail: detailOf(
        chosen.path === undefined ? path : `${chosen.label}\n${chosen.description ?? ''}`,
        memoryFolder(doing.place).store.exists,
      ),
    },
    restore,
  );
  if (said !== restore) return;
  await runAndTell(doing, {
    title: vscode.l10n.t('Restoring the backup'),
    program: 'svc-memory',
    arguments: ['restore-backup', '--yes', '--json', '--', path],
    summary: fromJson<{ readonly path: string; readonly memories: number; readonly kept: string | null }>(
      ({ path: store, memories, kept }) =>
        kept === null
          ? vscode.l10n.t('Restored {0} to {1}.', counted.memories(memories), store)
          : vscode.l10n.t('Restored {0}. The previous file is kept: {1}', counted.memories(memories), kept),
    ),
    cancelled: vscode.l10n.t('Cancelled; the store was not changed.'),
  });
}

function detailOf(backup: string, isStoreThere: boolean): string {
  const kept = vscode.l10n.t(
    'The backup replaces the store. The present contents of the store are kept as another backup. Programs that use the store continue with the restored one.',
  );
  const back = vscode.l10n.t('The store is gone, and the backup takes its place.');
  return [withoutLinks(backup), isStoreThere ? kept : back].join('\n\n');
}

/** @throws Error whose message is for people */
async function listBackups({ editor, place }: Doing): Promise<readonly Backup[]> {
  const listing: RunProgram = {
    program: 'svc-memory',
    arguments: ['restore-backup', '--list', '--json'],
    folder: memoryFolder(place),
  };
  const ended = await runProgram(editor, listing);
  if (ended.status !== 0) throw new Error(failureOf(ended));
  return JSON.parse(ended.output) as Backup[];
}

function itemOf({ path, kind, at, memories }: Backup): BackupItem {
  const kinds: Readonly<Record<Backup['kind'], string>> = {
    daily: vscode.l10n.t('made automatically, once a day'),
    made: vscode.l10n.t('made manually'),
    rescued: vscode.l10n.t('rescued when the store was lost'),
    replaced: vscode.l10n.t('replaced by another backup'),
  };
  const held = memories === null ? vscode.l10n.t('damaged') : counted.memories(memories);
  return {
    label: shownTime(at),
    description: `${held} · ${kinds[kind]}`,
    iconPath: new vscode.ThemeIcon(memories === null ? 'warning' : 'archive'),
    path,
  };
}

async function fileToRead(title: string): Promise<string | undefined> {
  const [file] = (await vscode.window.showOpenDialog({ title, filters: FILTERS })) ?? [];
  return file?.fsPath;
}
