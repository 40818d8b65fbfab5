/** Walks a folder and finds its sources. */
import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isWithin, readBeginning } from '../base/regular-file';
import { IGNORE_FILE, isIgnored, openRules, type Rules, type UnreadRules } from './ignore-rules';
import { languageOf, mayBeScript } from './language-of';
import type { ParseFailure } from './parse-limit';
import { isWorktree } from './worktrees';

export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly size: number;
  readonly modified_ms: number;
}

/** Why files are left out, in the words of the summary. */
export type SkipReason =
  | 'too large'
  | 'binary'
  | 'generated or minified'
  | 'link'
  | 'no regular file'
  | 'unreadable'
  | 'other work tree'
  | ParseFailure;

/** A file or folder that is left out. */
export interface SkippedFile {
  /** Relative to the root, with forward slashes; a folder's ends in one. */
  readonly path: string;
  readonly reason: SkipReason;
}

export interface SourceFiles {
  readonly files: readonly SourceFile[];
  readonly skipped: readonly SkippedFile[];
  /** Whose rules do not count, because they could not be read. */
  readonly unread_rules: readonly UnreadRules[];
}

/** A larger file is data, whatever its name. */
export const MAX_FILE_BYTES = 1_000_000;
const NEVER = new Set(['.git', '.hg', '.svn', '.svc', 'node_modules']);

/**
 * The files of known languages below the root that version control would keep. Links are not followed.
 * @param below a folder, to look at nothing else
 */
export function sourceFiles(root: string, below = ''): SourceFiles {
  return walkFrom(root, namesIn(below));
}

/** Whether a folder below the root is one that version control would keep. */
export function isKept(root: string, folder: string): boolean {
  let kept = false;
  walkFrom(
    root,
    namesIn(folder),
    () => false,
    () => {
      kept = true;
    },
  );
  return kept;
}

/**
 * Those at this path or below it, by the same rules; none where nothing lies there, or only what is left out. A path is
 * compared as the folder spells it: where the disk does not tell `A.ts` from `a.ts`, only one of them is there.
 */
export function sourceFilesAt(root: string, path: string): SourceFiles {
  return walkFrom(root, path.split('/'));
}

/** The same walk for files of another kind. @param path of a folder; '' for the root */
export function filesBelow(root: string, path: string, wanted: (name: string) => boolean): SourceFiles {
  return walkFrom(root, namesIn(path), wanted);
}

const namesIn = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** Longer is no line that names a program. */
const FIRST_LINE_BYTES = 128;

/** @param file undefined to decide by the name alone, without opening the file */
function isSource(name: string, file: string | undefined): boolean {
  if (languageOf(name) !== undefined) return true;
  if (file === undefined || !mayBeScript(name)) return false;
  const beginning = readBeginning(file, FIRST_LINE_BYTES).bytes;
  return beginning !== undefined && languageOf(name, beginning.toString('latin1')) !== undefined;
}

/** @param way the names to go down by before everything counts; the last may be a file */
function walkFrom(
  root: string,
  way: readonly string[],
  wanted: (name: string, file: string | undefined) => boolean = isSource,
  arrived?: () => void,
): SourceFiles {
  const files: SourceFile[] = [];
  const skipped: SkippedFile[] = [];
  const rules = openRules(root);
  const skip = (path: string, reason: SkipReason): void => void skipped.push({ path, reason });
  const walk = (folder: string, above: readonly Rules[], [only, ...rest]: readonly string[]): void => {
    const entries = list(join(root, folder));
    if (!entries) {
      skip(folder, 'unreadable');
      return;
    }
    // Its files are those of this one, on another branch: each of them would be there twice.
    if (folder !== '' && entries.some(isGitFile) && isWorktree(join(root, folder))) {
      skip(folder, 'other work tree');
      return;
    }
    if (only === undefined && arrived) {
      arrived();
      return;
    }
    const own = entries.some((entry) => entry.name === IGNORE_FILE) ? rules.below(folder) : undefined;
    const all = own ? [...above, own] : above;
    for (const entry of entries) {
      if (only !== undefined && entry.name !== only) continue;
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) {
        if (!NEVER.has(entry.name) && !isIgnored(`${path}/`, all)) walk(`${path}/`, all, rest);
        continue;
      }
      const file = entry.isFile() ? join(root, path) : undefined;
      if (rest.length === 0 && wanted(entry.name, file) && !isIgnored(path, all)) {
        // What a link inside the root leads to is found where it lies.
        if (file === undefined) {
          skip(path, entry.isSymbolicLink() ? 'link' : 'no regular file');
          continue;
        }
        const found = stateOf(root, path);
        if (!found) skip(path, 'unreadable');
        else if (found.size > MAX_FILE_BYTES) skip(path, 'too large');
        else files.push(found);
      }
    }
  };
  walk('', rules.above, way);
  return { files, skipped, unread_rules: rules.unread };
}

/** How many are left out for each reason. */
export function countSkipped(skipped: readonly SkippedFile[]): Map<SkipReason, number> {
  const counts = new Map<SkipReason, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}

/**
 * For paths that no walk has found: a link that stays in the root is followed, and what lies outside of it is not there.
 * Good for one round of questions, because it looks each folder up once.
 */
export function openStates(root: string): (path: string) => SourceFile | undefined {
  const real = quietly(() => realpathSync.native(root));
  const isInside = (path: string): boolean => {
    const there = quietly(() => realpathSync.native(join(root, path)));
    return real !== undefined && there !== undefined && isWithin(real, there);
  };
  const folders = new Map<string, boolean>();
  return (path) => {
    const folder = posix.dirname(path);
    const inside = folders.get(folder) ?? isInside(folder);
    folders.set(folder, inside);
    const found = inside ? quietly(() => lstatSync(join(root, path))) : undefined;
    if (!found?.isSymbolicLink()) return found && stateFrom(path, found);
    return isInside(path) ? stateOf(root, path) : undefined;
  };
}

/** @returns undefined when it is no file that can be looked at */
function stateOf(root: string, path: string): SourceFile | undefined {
  const stats = quietly(() => statSync(join(root, path)));
  return stats && stateFrom(path, stats);
}

function stateFrom(path: string, stats: Stats): SourceFile | undefined {
  return stats.isFile() ? { path, size: stats.size, modified_ms: Math.trunc(stats.mtimeMs) } : undefined;
}

/** What is not there, or not to be looked at, is undefined. */
function quietly<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

const isGitFile = (entry: Dirent): boolean => entry.name === '.git' && entry.isFile();

function list(folder: string): Dirent[] | undefined {
  return quietly(() => readdirSync(folder, { withFileTypes: true }));
}
