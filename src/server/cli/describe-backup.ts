/** Describes a backup in one line. */
import { counted } from '../base/counted';
import type { BackupAccount } from '../project/back-up';

/** `daily, 2026-11-22 10:11, 12 memories` */
export function describeBackup({ kind, at, memories }: BackupAccount): string {
  const held = memories === null ? 'damaged' : counted(memories, 'memory');
  return `${BACKUP_KINDS[kind]}, ${at.slice(0, 10)} ${at.slice(11, 16)}, ${held}`;
}

export const BACKUP_KINDS: Readonly<Record<BackupAccount['kind'], string>> = {
  daily: 'daily',
  made: 'by hand',
  rescued: 'rescued',
  replaced: 'replaced by another',
};
