import { closeSync, type Dirent, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { languageOf, mayBeScript } from './languages';
import { isWorktree } from './worktrees';

export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly size: number;
  readonly modified_ms: number;
}

/** Why files are left out, in the words of the summary. */
export type SkipReason = 'too large' | 'binary' | 'generated or minified' | 'link' | 'unreadable' | 'other work tree';

/** A file or folder that is left out. */
export interface SkippedFile {
  /** Relative to the root, with forward slashes; a folder's ends in one. */
  readonly path: string;
  readonly reason: SkipReason;
}

export interface SourceFiles {
  readonly files: readonly SourceFile[];
  readonly skipped: readonly SkippedFile[];
}

/** A larger file is data, whatever its name. */
export const MAX_FILE_BYTES = 1_000_000;
const NEVER = new Set(['.git', '.hg', '.svn', '.svc', 'node_modules']);

interface Rules {
  /** The folder that holds the .gitignore, ending in `/`; empty for the root and the folders above it. */
  readonly base: string;
  /** The way from a folder above down to the root, ending in `/`. */
  readonly down: string;
  readonly rules: Ignore;
}

/**
 * The files of known languages below the root that version control would keep. Links are not followed.
 * @param below a folder: only what lies in it
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
export function sourceFilesAt(root: string, path: string): readonly SourceFile[] {
  return walkFrom(root, path.split('/')).files;
}

/** The same walk for files of another kind. @param path of a folder; '' for the root */
export function filesBelow(root: string, path: string, wanted: (name: string) => boolean): SourceFiles {
  return walkFrom(root, namesIn(path), wanted);
}

const namesIn = (path: string): string[] => path.split('/').filter((part) => part !== '');

function isSource(name: string, file: string): boolean {
  return languageOf(name) !== undefined || (mayBeScript(name) && languageOf(name, beginningOf(file)) !== undefined);
}

/** Longer is no line that names a program. */
const FIRST_LINE_BYTES = 128;

function beginningOf(file: string): string {
  try {
    const opened = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(FIRST_LINE_BYTES);
      return bytes.toString('latin1', 0, readSync(opened, bytes, 0, FIRST_LINE_BYTES, 0));
    } finally {
      closeSync(opened);
    }
  } catch {
    return '';
  }
}

/** @param way the names to go down by before everything counts; the last may be a file */
function walkFrom(
  root: string,
  way: readonly string[],
  wanted: (name: string, file: string) => boolean = isSource,
  arrived?: () => void,
): SourceFiles {
  const files: SourceFile[] = [];
  const skipped: SkippedFile[] = [];
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
    const own = entries.some((entry) => entry.name === '.gitignore') ? rulesOf(join(root, folder), folder) : undefined;
    const all = own ? [...above, own] : above;
    for (const entry of entries) {
      if (only !== undefined && entry.name !== only) continue;
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) {
        if (!NEVER.has(entry.name) && !isIgnored(`${path}/`, all)) walk(`${path}/`, all, rest);
      } else if (rest.length === 0 && wanted(entry.name, join(root, path)) && !isIgnored(path, all)) {
        // What a link inside the root leads to is found where it lies.
        if (!entry.isFile()) {
          skip(path, entry.isSymbolicLink() ? 'link' : 'unreadable');
          continue;
        }
        const found = stateOf(root, path);
        if (!found) skip(path, 'unreadable');
        else if (found.size > MAX_FILE_BYTES) skip(path, 'too large');
        else files.push(found);
      }
    }
  };
  walk('', rulesAbove(root), way);
  return { files, skipped };
}

/** How many are left out for each reason. */
export function countSkipped(skipped: readonly SkippedFile[]): Map<SkipReason, number> {
  const counts = new Map<SkipReason, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}

/** @returns undefined when it is no file that can be looked at */
export function stateOf(root: string, path: string): SourceFile | undefined {
  try {
    const stats = statSync(join(root, path));
    return stats.isFile() ? { path, size: stats.size, modified_ms: Math.trunc(stats.mtimeMs) } : undefined;
  } catch {
    return undefined;
  }
}

const isGitFile = (entry: Dirent): boolean => entry.name === '.git' && entry.isFile();

function list(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function rulesOf(folder: string, base: string, down = '', file = '.gitignore'): Rules | undefined {
  try {
    return { base, down, rules: ignore().add(readFileSync(join(folder, file), 'utf8')) };
  } catch {
    return undefined;
  }
}

/** The rules of the repository that the root lies in. A root that they leave out was asked for: then they do not count. */
function rulesAbove(root: string): readonly Rules[] {
  const found: Rules[] = [];
  const note = (rules: Rules | undefined): void => void (rules && found.unshift(rules));
  let down = '';
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder !== root) note(rulesOf(folder, '', down));
    if (existsSync(join(folder, '.git'))) {
      note(rulesOf(folder, '', down, '.git/info/exclude'));
      return down !== '' && isIgnored('', found) ? [] : found;
    }
    // No repository: what lies above is none of its business.
    if (dirname(folder) === folder) return [];
    down = `${basename(folder)}/${down}`;
  }
}

/** The nearest .gitignore that says something about the path decides. */
function isIgnored(path: string, all: readonly Rules[]): boolean {
  for (let i = all.length - 1; i >= 0; i--) {
    const one = all[i];
    if (!one) continue;
    const { ignored, unignored } = one.rules.test(`${one.down}${path.slice(one.base.length)}`);
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
