/** Notices that branches and other references came, went or moved, without starting Git. */
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gitFolders } from './head-commit';

/** Files that hold many references at once, in one form or the other. */
const OF_MANY = ['packed-refs', join('reftable', 'tables.list')];
/** Of a repository with more of them, some changes are seen later. */
const MOST_FOLDERS = 1_000;
const MOST_ENTRIES = 20_000;

/**
 * Another text when any reference of the repository around a folder may be another one. Git replaces the file of a reference, so
 * that the time of its folder says so, and none of the files has to be read.
 * @returns '' without a repository
 */
export async function stateOfReferences(folder: string): Promise<string> {
  const times: string[] = [];
  const git = gitFolders(folder);
  for (const each of git ? new Set([git.own, git.shared]) : []) {
    for (const name of OF_MANY) times.push(await timeOf(join(each, name)));
    const folders = [join(each, 'refs')];
    let entries = 0;
    // Folders that are found are looked at, too.
    for (const path of folders) {
      times.push(await timeOf(path));
      for (const name of entries < MOST_ENTRIES ? await foldersIn(path, () => ++entries < MOST_ENTRIES) : []) {
        if (folders.length < MOST_FOLDERS) folders.push(join(path, name));
      }
    }
  }
  return times.join(' ');
}

/** None of a folder that went meanwhile, or may not be looked into: its own time, or that of the one around it, says so. */
async function foldersIn(path: string, goesOn: () => boolean): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(path, { bufferSize: 1_000 })) {
      if (entry.isDirectory()) names.push(entry.name);
      if (!goesOn()) break;
    }
  } catch {
    // What was read until then is as good as all of it.
  }
  return names;
}

async function timeOf(path: string): Promise<string> {
  try {
    const { mtimeNs, size, ino } = await stat(path, { bigint: true });
    return `${mtimeNs}:${size}:${ino}`;
  } catch {
    return '';
  }
}
