/** Finds the memories whose code a diff touches. */
import { baseBranch } from '../git/base-branch';
import { gitDiff } from '../git/diff';
import { memoriesAround, type OpenMemory, openAmong } from '../memory/code/memories-around-diff';
import { requireCode } from '../memory/code/memories-of-file';
import { type CodeSymbol, isSamePlace, severity } from '../memory/code/touches';
import type { Memory } from '../memory/memory';
import { type ChangedSymbol, changesOf, NO_TEXT_KNOWN, standsThere, stoodAsLinked } from './changed-symbols';
import { type DiffSides, diffSides } from './diff-sides';
import type { CodeHandle } from './handle';
import { insideRoot } from './inside-root';
import { asPath, readName } from './read-name';
import { FILE_TYPE } from './working-files';

export interface AffectedMemory extends OpenMemory {
  /** The worst of its symbols. */
  readonly verdict: ChangedSymbol['verdict'];
  readonly symbols: readonly ChangedSymbol[];
}

export interface DiffCheck {
  /** The revision that was compared with. */
  readonly base: string;
  readonly compared: 'index' | 'working tree';
  readonly changed_files: number;
  /** Worst first. */
  readonly memories: readonly AffectedMemory[];
  /** Changed files with memories that cannot be judged, because one side is left out of the code graph. */
  readonly not_judged: readonly string[];
}

export interface AskCheck {
  readonly staged: boolean;
  readonly since: string | undefined;
  /** Since the branch that this one goes back to, where no revision is named. */
  readonly branch: boolean;
  readonly signal: AbortSignal;
}

/**
 * The open memories of the active namespace whose code a Git diff changes or removes. Both sides are read from
 * the diff and judged by their text: what was doubtful before is not laid to this change, what is only formatted is not
 * reported, and whether a build has followed the change already makes no difference.
 * @throws SvcError unavailable without a root, Git or a repository, or where the graph is damaged; invalid_input for an unknown revision
 */
export async function checkDiff(
  project: Pick<CodeHandle, 'memory' | 'graph' | 'git'>,
  asked: AskCheck,
): Promise<DiffCheck> {
  const { memory } = project;
  requireCode(memory);
  const root = project.graph?.root ?? '';
  // Before the first build, as in a new work tree, both sides are read all the same.
  await project.graph?.current();
  const problem = project.graph?.problem();
  if (problem) throw problem;
  const at = { root, host: project.git, signal: asked.signal };
  const since = asked.since ?? (asked.branch ? await baseBranch(at) : undefined);
  const diff = await gitDiff({ ...at, staged: asked.staged, since });
  const isInside = insideRoot(root);
  const sides = diffSides(memory.code, { ...diff, unchanged: (paths) => diff.unchanged(paths.filter(isInside)) });
  const paths = diff.files.flatMap(({ old_path }) => (old_path === undefined ? [] : [old_path]));
  const stood = new Set(paths);
  const brought = diff.files.flatMap(({ new_path: path }) => (path === undefined || stood.has(path) ? [] : [path]));
  const notJudged = new Set<string>();
  const inDiff = new Set(diff.files.map(({ new_path }) => new_path));
  // What follows from a name alone says nothing of the text, unless the memory came with this very change.
  const knowsNoText = (id: string): boolean =>
    memory.shared.byName.has(id) && !inDiff.has(memory.shared.fileOf(id) ?? '');
  const affected = new Map<string, AffectedMemory>();
  const note = (node: OpenMemory, changes: readonly ChangedSymbol[]): void => {
    if (changes.length === 0) return;
    const symbols = [...(affected.get(node.id)?.symbols ?? []), ...changes];
    affected.set(node.id, { ...node, symbols, verdict: worst(symbols) });
  };
  const around = await memoriesAround(memory, { paths, brought, base: diff.base }, await sides.allBefore());
  const named = (await namedBefore(memory, sides, knowsNoText)).map(({ symbol, ...node }) => {
    const touch = { ...symbol, linked_at: '', commit: null, confirmed: '[]', beside: '[]' };
    return { ...node, touch, last: undefined };
  });
  sides.expect([...around, ...named]);
  for (const { touch, last, stands, isGone, ofOtherVersion, ...node } of around) {
    if (!isInside(touch.file_path)) {
      // A link out of the project lies where the source was.
      if (sides.changed(touch.file_path)) notJudged.add(touch.file_path);
      continue;
    }
    const known = affected.get(node.id)?.symbols ?? [];
    const asked = knowsNoText(node.id) ? { ...touch, hash: NO_TEXT_KNOWN, confirmed: '[]' } : touch;
    const all = await changesOf(sides, { touch: asked, last, stands, isGone });
    const changes = all.filter((one) => !known.some(isSame(one)));
    const file = sides.changed(touch.file_path) ?? sides.arrived(touch.file_path);
    if (file && !(await sides.isJudged(file, touch.code_type))) notJudged.add(touch.file_path);
    // What is on another branch's version did not fit before the diff either, unless that is where this one begins or is to go.
    const isLaidToIt =
      changes.length > 0 &&
      (!ofOtherVersion || (await stoodAsLinked(sides, { touch, last })) || (await standsThere(sides, { touch })));
    if (isLaidToIt) note(node, changes);
  }
  for (const { touch, last, ...node } of named) {
    const known = affected.get(node.id)?.symbols ?? [];
    if (known.some(({ was }) => isSamePlace(was, touch))) continue;
    note(node, await changesOf(sides, { touch, last, stands: undefined, isGone: false }));
  }
  return {
    base: since ?? 'HEAD',
    compared: asked.staged ? 'index' : 'working tree',
    changed_files: diff.files.length,
    memories: [...affected.values()].sort((a, b) => severity(b.verdict) - severity(a.verdict)),
    not_judged: [...notJudged].sort(),
  };
}

/** Shared memories that name code which the diff changes: a name that means nothing any more has led to no link. */
async function namedBefore(
  memory: Memory,
  sides: DiffSides,
  isAsked: (id: string) => boolean,
): Promise<(OpenMemory & { readonly symbol: CodeSymbol })[]> {
  const found: { readonly id: string; readonly symbol: CodeSymbol }[] = [];
  for (const [id, names] of memory.shared.byName) {
    if (!isAsked(id)) continue;
    for (const { path, symbol, name } of names.map(readName)) {
      const file = sides.changed(path ?? asPath(name) ?? '');
      if (!file) continue;
      for (const one of await sides.before(file)) {
        if (path === undefined ? one.code_type === FILE_TYPE : one.name === symbol) found.push({ id, symbol: one });
      }
    }
  }
  const open = new Map((await openAmong(memory, [...new Set(found.map(({ id }) => id))])).map((one) => [one.id, one]));
  return found.flatMap(({ id, symbol }) => {
    const one = open.get(id);
    return one ? [{ ...one, symbol }] : [];
  });
}

function isSame(one: ChangedSymbol): (other: ChangedSymbol) => boolean {
  const text = JSON.stringify(one);
  return (other) => JSON.stringify(other) === text;
}

function worst(symbols: readonly ChangedSymbol[]): ChangedSymbol['verdict'] {
  return symbols.reduce<ChangedSymbol['verdict']>(
    (found, { verdict }) => (severity(verdict) > severity(found) ? verdict : found),
    'changed',
  );
}
