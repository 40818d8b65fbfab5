import { unavailable } from '../base/errors';
import { requireCode } from '../memory/code-memories';
import { type MemoryOnSymbol, memoriesAround } from '../memory/touched-memories';
import { severity } from '../memory/touches';
import { type ChangedSymbol, changesOf } from './changed-symbols';
import { graphFile, unusableGraph } from './code-graph';
import { diffSides } from './diff-sides';
import { gitDiff } from './git-diff';
import type { Project } from './open';

export interface AffectedMemory extends Omit<MemoryOnSymbol, 'touch' | 'moved' | 'before'> {
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
}

export interface AskCheck {
  readonly staged: boolean;
  readonly since: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * The open memories of the active namespace whose code a Git diff moves, changes or removes. Both sides are read from
 * the diff and judged by their text: what was doubtful before is not laid to this change, what is only formatted is not
 * reported, and whether a build has followed the change already makes no difference.
 * @throws SvcError unavailable without a root, a graph, Git or a repository; invalid_input for an unknown revision
 */
export async function checkDiff(project: Pick<Project, 'memory' | 'graph'>, asked: AskCheck): Promise<DiffCheck> {
  const { memory } = project;
  requireCode(memory);
  const root = project.graph?.root;
  const graph = await project.graph?.current();
  if (root !== undefined && project.graph?.damaged()) throw unusableGraph(graphFile(root));
  if (root === undefined || !graph) {
    throw unavailable(
      'There is no code graph, so that no memory is linked to code',
      'Build it with "svc build", then check again',
    );
  }
  const diff = await gitDiff({ ...asked, root });
  const sides = diffSides(memory.code, diff);
  const paths = diff.files.flatMap(({ old_path }) => (old_path === undefined ? [] : [old_path]));
  const affected = new Map<string, AffectedMemory & { symbols: ChangedSymbol[] }>();
  for (const { touch, moved, before, ...node } of await memoriesAround(memory, paths, await sides.hashesBefore())) {
    const known = affected.get(node.id)?.symbols ?? [];
    const changes = (await changesOf(sides, { touch, moved, before })).filter((one) => !known.some(isSame(one)));
    if (changes.length === 0) continue;
    const symbols = [...known, ...changes];
    affected.set(node.id, { ...node, symbols, verdict: worst(symbols) });
  }
  return {
    base: asked.since ?? 'HEAD',
    compared: asked.staged ? 'index' : 'working tree',
    changed_files: diff.files.length,
    memories: [...affected.values()].sort((a, b) => severity(b.verdict) - severity(a.verdict)),
  };
}

function isSame(one: ChangedSymbol): (other: ChangedSymbol) => boolean {
  const text = JSON.stringify(one);
  return (other) => JSON.stringify(other) === text;
}

function worst(symbols: readonly ChangedSymbol[]): ChangedSymbol['verdict'] {
  return symbols.reduce<ChangedSymbol['verdict']>(
    (found, { verdict }) => (severity(verdict) > severity(found) ? verdict : found),
    'moved',
  );
}
