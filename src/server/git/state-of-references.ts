/** Notices that branches and other references came, went or moved, without starting Git. */
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gitFolders } from './head-commit';

/** Files that hold many references at once, in one form or the other. */
const OF_MANY = ['packed-refs', join('reftable', 'tables.list')];
/** Of folders of references, and of what is in them: of a repository with more, some changes are seen later. */
const MOST_ENTRIES = 50_000;

/**
 * Another text when any reference of the repository around a folder may be another one. Git replaces the file of a reference, so
 * that the time of its folder says so, and none of the files has to be read.
 * @returns '' without a repository
 */
export async function stateOfReferences(folder: string): Promise<string> {
  const times: string[] = [];
  let left = MOST_ENTRIES;
  const walk = async (path: string): Promise<void> => {
    const time = await timeOf(path);
    times.push(time);
    if (time === '') return;
    for await (const entry of await opendir(path, { bufferSize: 1_000 })) {
      if (--left <= 0) return;
      if (entry.isDirectory()) await walk(join(path, entry.name));
    }
  };
  try {
    const git = gitFolders(folder);
    for (const each of git ? new Set([git.own, git.shared]) : []) {
      for (const name of OF_MANY) times.push(await timeOf(join(each, name)));
      await walk(join(each, 'refs'));
    }
  } catch {
    // A folder that went meanwhile, or may not be looked into: its own time, or that of the one around it, says so.
  }
  return times.join(' ');
}

async function timeOf(path: string): Promise<string> {
  try {
    const { mtimeNs, size, ino } = await stat(path, { bigint: true });
    return `${mtimeNs}:${size}:${ino}`;
  } catch {
    return '';
  }
}
