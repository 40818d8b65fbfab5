/** Who changed the file of a shared memory, as Git has it. */
import { SvcError } from '../base/errors';
import { type CommitsOfFile, commitsOfFile } from '../git/file-commits';
import { type IgnoredFile, ignoredAmong } from '../git/ignored-by';
import type { OpenRepository } from '../git/open-repository';
import type { FoundEvent } from '../memory/history/node-history';
import type { SharedFile } from '../memory/people/node-background';
import type { Project } from './open';

type Asked = Pick<Project, 'place' | 'shared' | 'git' | 'trusted'>;

/** A page waits for Git no longer: where the history is large, it is not known. */
const LIMIT_MS = 1_500;
/** Who shares can wait for an answer that says whether it reaches anybody. */
const SHARE_LIMIT_MS = 10_000;
/** Of the newest. */
const MAX_EVENTS = 10;

/** @param asksGit whether somebody wants to know who changed it */
export async function sharedFile(
  project: Asked,
  nodeId: string,
  { asksGit, signal }: { readonly asksGit: boolean; readonly signal: AbortSignal },
): Promise<SharedFile | undefined> {
  const path = project.shared.fileOf(nodeId);
  if (path === undefined) return undefined;
  const known = asksGit ? await commitsOf(project, path, 1, signal) : undefined;
  const [last] = known?.commits ?? [];
  return {
    path,
    committed: known?.isCommitted ?? null,
    last: last && last.did !== 'took' ? { id: last.id, author: last.author, at: last.at } : null,
  };
}

/** For the history of a shared memory: the commits that changed its file since it was there. */
export async function commitEvents(project: Asked, nodeId: string, signal: AbortSignal): Promise<FoundEvent[]> {
  const path = project.shared.fileOf(nodeId);
  if (path === undefined) return [];
  const { commits } = (await commitsOf(project, path, MAX_EVENTS, signal)) ?? { commits: [] };
  const before = commits.findIndex(({ did }) => did !== 'changed');
  // Two of one second stay in their order.
  return (before < 0 ? commits : commits.slice(0, before))
    .map(({ id, author, at }) => ({
      ...{ at, action: 'commit' as const, operation: null, undone_by: null, tool: null, client: null, host: null },
      ...{ pid: null, before: null, after: null, other_id: null, moved: null, commit: { id, author } },
    }))
    .reverse();
}

function commitsOf(
  project: Asked,
  path: string,
  most: number,
  signal: AbortSignal,
): Promise<CommitsOfFile | undefined> {
  return askGit(project, { signal, limitMs: LIMIT_MS }, (where) => commitsOfFile({ ...where, path, most }));
}

/** The files of shared memories that Git leaves out, each with the rule. @param paths relative to the root */
export async function leftOutByGit(
  project: Asked,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly IgnoredFile[]> {
  if (paths.length === 0) return [];
  const asked = askGit(project, { signal, limitMs: SHARE_LIMIT_MS }, (where) => ignoredAmong({ ...where, paths }));
  return (await asked) ?? [];
}

async function askGit<Answer>(
  { place: { root }, git, trusted }: Asked,
  { signal, limitMs }: { readonly signal: AbortSignal; readonly limitMs: number },
  ask: (where: OpenRepository) => Promise<Answer>,
): Promise<Answer | undefined> {
  // Git is not asked in a folder that nobody trusts.
  if (root === undefined || !trusted || !git) return undefined;
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await ask({ root, host: git, signal: AbortSignal.any([signal, limit]) });
  } catch (error) {
    if (limit.aborted || error instanceof SvcError) return undefined;
    throw error;
  }
}
