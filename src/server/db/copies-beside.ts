/** Finds and removes the copies that lie beside a store. */
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { processIsAlive } from '../base/process-is-alive';

/** The backups that migrations left beside the store. */
export function backupsOf(path: string): Promise<string[]> {
  return beside(path, '.backup-');
}

/** The draft of a file that will replace a store. @param process that makes it */
export function replacementOf(path: string, process: number): string {
  return `${path}${REPLACEMENT}${process}`;
}

/** Those of processes that were ended meanwhile. */
export async function removeLeftReplacements(path: string): Promise<void> {
  for (const left of await beside(path, REPLACEMENT)) {
    const pid = Number.parseInt(basename(left).split(REPLACEMENT)[1] ?? '', 10);
    if (!processIsAlive(pid)) await rm(left, { force: true });
  }
}

const REPLACEMENT = '.restoring-';

async function beside(path: string, prefix: string): Promise<string[]> {
  const folder = dirname(path);
  const start = basename(path) + prefix;
  return (await readdir(folder)).filter((name) => name.startsWith(start)).map((name) => join(folder, name));
}

/**
 * Removes old backups of migrations, and drafts that were to replace the store.
 * @returns false where one cannot be removed now: another program has it open, or it is write-protected
 */
export async function removeCopiesBeside(path: string): Promise<boolean> {
  try {
    const copies = [...(await backupsOf(path)), ...(await beside(path, REPLACEMENT))];
    for (const copy of copies) await rm(copy, { force: true });
    return true;
  } catch {
    return false;
  }
}
