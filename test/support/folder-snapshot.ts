import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Everything in a folder, by path: what it is, when it was written, and what is in it. Two that are equal tell that
 * nothing was made, changed, touched or removed in between. Links are told as what they lead to, and not followed.
 */
export function folderSnapshot(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(['.', ...names].map((name) => [name, describe(join(folder, name))]));
}

function describe(path: string): string {
  const stats = lstatSync(path, { bigint: true });
  const what = stats.isSymbolicLink()
    ? `link to ${readlinkSync(path)}`
    : stats.isDirectory()
      ? 'folder'
      : stats.isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : 'special';
  return `${what} ${stats.mode.toString(8)} ${stats.mtimeNs}`;
}
