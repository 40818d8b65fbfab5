import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { languageOf } from './languages';

export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly size: number;
  readonly modified_ms: number;
}

/** Why files are left out, in the words of the summary. */
export type SkipReason = 'too large' | 'binary' | 'generated or minified' | 'link' | 'unreadable';

export interface SourceFiles {
  readonly files: readonly SourceFile[];
  readonly skipped: ReadonlyMap<SkipReason, number>;
}

const MAX_FILE_BYTES = 1_000_000;
const NEVER = new Set(['.git', '.hg', '.svn', '.svc', 'node_modules']);

interface Rules {
  /** The folder that holds the .gitignore, ending in `/` unless it is the root. */
  readonly base: string;
  readonly rules: Ignore;
}

/** The files of known languages below the root that version control would keep. Links are not followed. */
export function sourceFiles(root: string): SourceFiles {
  const files: SourceFile[] = [];
  const skipped = new Map<SkipReason, number>();
  const skip = (reason: SkipReason): void => void skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  const walk = (folder: string, above: readonly Rules[]): void => {
    const entries = list(join(root, folder));
    if (!entries) {
      skip('unreadable');
      return;
    }
    const own = entries.some((entry) => entry.name === '.gitignore') ? rulesOf(root, folder) : undefined;
    const all = own ? [...above, own] : above;
    for (const entry of entries) {
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) {
        if (!NEVER.has(entry.name) && !isIgnored(`${path}/`, all)) walk(`${path}/`, all);
      } else if (languageOf(entry.name) && !isIgnored(path, all)) {
        // What a link inside the root leads to is found where it lies.
        if (!entry.isFile()) {
          skip('link');
          continue;
        }
        const found = stateOf(root, path);
        if (!found) skip('unreadable');
        else if (found.size > MAX_FILE_BYTES) skip('too large');
        else files.push(found);
      }
    }
  };
  walk('', []);
  return { files, skipped };
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

function list(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function rulesOf(root: string, base: string): Rules | undefined {
  try {
    return { base, rules: ignore().add(readFileSync(join(root, base, '.gitignore'), 'utf8')) };
  } catch {
    return undefined;
  }
}

/** The nearest .gitignore that says something about the path decides. */
function isIgnored(path: string, all: readonly Rules[]): boolean {
  for (let i = all.length - 1; i >= 0; i--) {
    const one = all[i];
    if (!one) continue;
    const { ignored, unignored } = one.rules.test(path.slice(one.base.length));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
