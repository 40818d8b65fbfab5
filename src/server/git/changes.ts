/** Which commits have changed a file. What commits did between two others never changes: it is kept while HEAD stays. */
import { keepNewest } from './known-blobs';
import { type History, reachable } from './renames';
import type { Git } from './run-git';

/** A commit that has changed a file. */
interface Change {
  readonly commit: string;
  /** Of a merge: the parents that have the file otherwise. */
  readonly from: readonly string[] | undefined;
}

/** What does not change with the working files, from one question to the next. */
export interface KnownChanges {
  changes?: Kept;
}

interface Kept {
  /** Another HEAD has another one. */
  readonly history: History;
  /** The newest first. */
  readonly byPath: Map<string, readonly Change[]>;
  /** By the question. */
  readonly answers: Map<string, readonly string[]>;
  children?: ReadonlyMap<string, readonly string[]>;
}

/** `since` a commit: all that it has not. `after` it: those of them that have it behind them. */
export type Which = 'since' | 'after';

export interface Changes {
  /** Reads what commits did to all of these files with one start of Git. */
  read(paths: readonly string[]): Promise<void>;
  /** @returns the newest first; undefined where Git cannot tell, or for a commit that is not in the history */
  find(which: Which, commit: string, path: string): Promise<readonly string[] | undefined>;
}

/** Changes, of all files together. */
const MOST_KNOWN = 100_000;
const MOST_ANSWERS = 10_000;
/** Each merge is compared with each of its parents, whatever the settings say. */
const LOG = [
  ...['-c', 'log.diffMerges=separate', 'log', '--full-history', '-m', '--root', '--no-follow'],
  ...['--pretty=oneline', '--no-abbrev-commit', '--no-decorate', '--no-notes', '--no-color', '--no-ext-diff'],
  ...['--name-only', '-z', '--no-renames', '--relative', '--ignore-submodules=all', '--stdin'],
];
/** Before the first line of its message. */
const COMMIT = /^([0-9a-f]{40,64})(?: \(from ([0-9a-f]{40,64})\))? /;

export function changesIn(git: Git, known: KnownChanges, history: History): Changes {
  const before = known.changes?.history === history ? known.changes : undefined;
  const kept: Kept = before ?? { history, byPath: new Map(), answers: new Map() };
  known.changes = kept;
  const { byPath, answers } = kept;
  const read: Changes['read'] = async (paths) => {
    const open = new Set(paths.filter((path) => isInProject(path) && !byPath.has(path)));
    const found = open.size === 0 ? undefined : await changesOf(git, history, open);
    if (found) keepNewest(byPath, MOST_KNOWN, (changes) => changes.length + 1, found);
  };
  /** Whether a commit is this one, or one of those that are asked about. */
  const within = (which: Which, commit: string): ((one: string) => boolean) => {
    if (which === 'since') {
      const older = reachable(history.parents, commit);
      return (one) => one === commit || !older.has(one);
    }
    kept.children ??= childrenIn(history);
    const later = reachable(kept.children, commit);
    return (one) => later.has(one);
  };
  const answer = (which: Which, commit: string, changes: readonly Change[]): readonly string[] => {
    if (changes.length === 0) return [];
    const isIn = within(which, commit);
    // What only an older branch had otherwise, a merge of it has not changed.
    const isChange = ({ commit: one, from }: Change): boolean =>
      !from || from.some(isIn) || !(history.parents.get(one) ?? []).some(isIn);
    return changes.flatMap((one) => (one.commit !== commit && isIn(one.commit) && isChange(one) ? [one.commit] : []));
  };
  return {
    read,
    async find(which, commit, path) {
      if (!history.parents.has(commit)) return undefined;
      const question = `${which} ${commit}:${path}`;
      const answered = answers.get(question);
      if (answered) return answered;
      await read([path]);
      const changes = byPath.get(path);
      if (!changes) return undefined;
      const found = answer(which, commit, changes);
      if (answers.size >= MOST_ANSWERS) answers.clear();
      answers.set(question, found);
      return found;
    },
  };
}

/** Git is asked by lines, and fails for all where one of them leads out of the repository. */
function isInProject(path: string): boolean {
  return path !== '' && !/[\0\n]|^(?:\/|[A-Za-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path);
}

/** @returns undefined where Git cannot tell */
async function changesOf(
  git: Git,
  { head, oldest }: History,
  paths: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly Change[]> | undefined> {
  const found = new Map([...paths].map((path): [string, Map<string, string[] | undefined>] => [path, new Map()]));
  if (head !== oldest) {
    const { status, out } = await git(LOG, [head, `^${oldest}`, '--', ...paths, ''].join('\n'));
    if (status !== 0) return undefined;
    let [commit, from]: (string | undefined)[] = [];
    for (const field of out.toString().split('\0')) {
      const changes = found.get(field);
      if (!changes) [, commit, from] = COMMIT.exec(field) ?? [];
      else if (commit !== undefined) {
        changes.set(commit, from === undefined ? undefined : [...(changes.get(commit) ?? []), from]);
      }
    }
  }
  return new Map([...found].map(([path, all]) => [path, [...all].map(([commit, from]) => ({ commit, from }))]));
}

function childrenIn({ parents }: History): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const [commit, before] of parents) {
    for (const parent of before) {
      const known = children.get(parent);
      if (known) known.push(commit);
      else children.set(parent, [commit]);
    }
  }
  return children;
}
