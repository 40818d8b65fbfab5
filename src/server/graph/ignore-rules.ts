/** Reads `.gitignore` files. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { type Reading, readRegularFile, type Unread } from '../base/regular-file';

/** The rules of one file, for everything below its folder. */
export interface Rules {
  /** The folder that holds the .gitignore, ending in `/`; empty for the root and the folders above it. */
  readonly base: string;
  /** The way from a folder above down to the root, ending in `/`. */
  readonly down: string;
  readonly rules: Ignore;
}

/** A file whose rules do not count, and why it was not read. */
export interface UnreadRules {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly reason: 'leads out of the project' | 'no regular file' | 'too large' | 'unreadable';
}

export const IGNORE_FILE = '.gitignore';
const EXCLUDE_FILE = join('.git', 'info', 'exclude');
/** Each rule is asked about each file. The longest that people write have some ten thousand bytes. */
const MAX_RULES_BYTES = 100_000;

/** What the rules of a root are read with. */
export interface RulesOfRoot {
  /** Those of the repository that the root lies in. */
  readonly above: readonly Rules[];
  /** Those of a folder. @param folder relative to the root, ending in `/`; empty for the root */
  below(folder: string): Rules | undefined;
  /** Grows while rules are read. */
  readonly unread: readonly UnreadRules[];
}

export function openRules(root: string): RulesOfRoot {
  const repository = repositoryAround(root);
  const links = { inside: repository ?? root };
  const unread: UnreadRules[] = [];
  const above = repository === undefined ? [] : rulesAbove(root, repository, unread);
  const below = (base: string) => readRules(unread, root, { base, down: '', file: `${base}${IGNORE_FILE}`, links });
  return { above, below, unread };
}

interface RulesFile {
  readonly base: string;
  readonly down: string;
  /** Relative to the root. */
  readonly file: string;
  readonly links: Reading['links'];
}

function readRules(unread: UnreadRules[], root: string, { base, down, file, links }: RulesFile): Rules | undefined {
  const read = readRegularFile(join(root, file), { max: MAX_RULES_BYTES, links });
  if (read.bytes) return { base, down, rules: ignore().add(read.bytes.toString('utf8')) };
  if (read.why !== 'missing') unread.push({ path: file.split(sep).join('/'), reason: reasonOf(read) });
  return undefined;
}

function reasonOf({ why }: Unread): UnreadRules['reason'] {
  if (why === 'leads out') return 'leads out of the project';
  return why === 'no regular file' || why === 'too large' ? why : 'unreadable';
}

/** A root that the rules of its repository leave out was asked for: then they do not count. */
function rulesAbove(root: string, repository: string, unread: UnreadRules[]): readonly Rules[] {
  const found: Rules[] = [];
  const missed: UnreadRules[] = [];
  const note = (folder: string, down: string, name: string, links: Reading['links']): void => {
    const rules = readRules(missed, root, { base: '', down, file: relative(root, join(folder, name)), links });
    if (rules) found.unshift(rules);
  };
  let down = '';
  for (let folder = root; folder !== repository; ) {
    down = `${basename(folder)}/${down}`;
    folder = dirname(folder);
    note(folder, down, IGNORE_FILE, { inside: repository });
  }
  // Git's own folder comes with no clone, and there are programs that make it of links.
  note(repository, down, EXCLUDE_FILE, 'followed');
  if (down !== '' && isIgnored('', found)) return [];
  unread.push(...missed);
  return found;
}

/** Outside of a repository, rules of the folders above do not count. */
function repositoryAround(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** The nearest .gitignore that says something about the path decides. */
export function isIgnored(path: string, all: readonly Rules[]): boolean {
  for (let i = all.length - 1; i >= 0; i--) {
    const one = all[i];
    if (!one) continue;
    const { ignored, unignored } = one.rules.test(`${one.down}${path.slice(one.base.length)}`);
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
