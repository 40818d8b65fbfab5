/** Brings back the file of a shared memory that was removed. */
import { join } from 'node:path';
import { conflict, SvcError } from '../base/errors';
import { isThere } from '../base/paths';
import { oneLine, shownPath } from '../base/text';
import { openRepository, type Repository } from '../git/open-repository';
import { filesEverNamed, removedFiles } from '../git/removed-files';
import { requireNothingForeign } from '../memory/foreign-turn';
import { isSharedOut } from '../memory/history/undone-share';
import { DEFAULT_NAMESPACE } from '../memory/limits';
import type { Memory } from '../memory/memory';
import { namespaceNumber } from '../memory/namespaces';
import { findNode } from '../memory/nodes';
import { readMemory } from '../shared/read-memory';
import { MAX_FILE_BYTES, mayHoldMemory } from '../shared/scan-folder';
import { SHARED_FOLDER } from '../shared/shared-memory';
import { idOfFile } from '../shared/sync-layer';
import { removals } from './kept-edits';
import type { Project } from './open';
import { changeShared, type RemovedFile, removedFile } from './shared-edits';
import { isAccepted } from './shared-memories';
import { unreadFileOf } from './unread-shared';

/** A shared memory whose file is there again. */
export interface BroughtBack {
  readonly node_id: string;
  /** null when it is open. */
  readonly valid_until: string | null;
  /** Relative to the root, with `/`. */
  readonly path: string;
}

/** Nobody removes more of them in one step; the texts of these are read. */
const MOST_FILES = 1_000;

/**
 * Writes the file of a memory again that was shared, as it was when it was removed.
 * @returns undefined where it was not shared when it was forgotten, or nothing tells what its file was
 * @throws SvcError conflict where something else is in its place; unavailable
 */
export async function restoreShared(
  project: Project,
  memory: Memory,
  id: string,
  signal: AbortSignal,
): Promise<BroughtBack | undefined> {
  const { shared, store, home, place } = project;
  const { root } = place;
  if (shared.folder === undefined || root === undefined || store.refuseWriting) return undefined;
  if (shared.foreign || !isAccepted(home, root) || memory.scope.namespace !== DEFAULT_NAMESPACE) return undefined;
  const own = await findNode(memory.sql, await namespaceNumber(memory.sql, memory.scope.namespace), id);
  // It was in the store again since, and was forgotten there or is there still.
  if (own && (own.tombstoned === 0 || !(await isSharedOut(memory.sql, own.seq)))) return undefined;
  const kept = (await removals(project, memory)).find((one) => one.id === id);
  const found =
    removedFile(project, id) ??
    (kept?.isBack ? undefined : kept) ??
    (await removedInGit(project, root, id, signal)) ??
    // It was back since, and may have been changed then.
    (await everInGit(project, root, id, signal)) ??
    kept;
  const broken = unreadFileOf(project, id);
  if (broken && broken.path !== found?.path) {
    throw conflict(`${shownPath(broken.path)} cannot be read: ${oneLine(broken.reason)}`, 'Mend the file');
  }
  if (!found) return undefined;
  requireNothingForeign(memory);
  const { path, text } = found;
  if (isThere(join(root, path))) {
    throw conflict(`${shownPath(path)} is there already`, 'Look at it. Move it away, and restore again');
  }
  await changeShared(project, memory, {
    id,
    tool: 'restore',
    action: 'restore',
    root,
    path,
    before: undefined,
    after: text,
  });
  const read = readMemory(withoutReturns(text));
  return { node_id: id, valid_until: ('memory' in read ? read.memory.valid_until : undefined) ?? null, path };
}

function suffixOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

type Asked = readonly [project: Pick<Project, 'git'>, root: string, id: string, signal: AbortSignal];

/** What is in Git's index and not in the working tree. Git knows no memory by its id: the name of a file of ours ends with it. */
function removedInGit(...[project, root, id, signal]: Asked): Promise<RemovedFile | undefined> {
  const suffix = suffixOf(id);
  const isLikely = (path: string): boolean => path.includes(suffix);
  const wanted = (paths: readonly string[]): string[] => {
    const all = paths.filter((path) => path.startsWith(`${SHARED_FOLDER}/`) && mayHoldMemory(path));
    return [...all.filter(isLikely), ...all.filter((path) => !isLikely(path))].slice(0, MOST_FILES);
  };
  return inGit([project, root, id, signal], (repository) => removedFiles(repository, SHARED_FOLDER, wanted));
}

/** What a commit has removed, or another branch has. */
function everInGit(...asked: Asked): Promise<RemovedFile | undefined> {
  return inGit(asked, (repository) => filesEverNamed(repository, SHARED_FOLDER, suffixOf(asked[2])));
}

async function inGit(
  [{ git: host }, root, id, signal]: Asked,
  read: (repository: Repository) => Promise<ReadonlyMap<string, string>>,
): Promise<RemovedFile | undefined> {
  try {
    const texts = await read(await openRepository({ root, host, signal }));
    const found = [...texts].find(([path, text]) => idIn(path.slice(SHARED_FOLDER.length + 1), text) === id);
    return found && { path: found[0], text: found[1] };
  } catch (error) {
    // No Git, no repository, or one that cannot be read: nobody knows of the file then.
    if (error instanceof SvcError && !signal.aborted) return undefined;
    throw error;
  }
}

/** @param path below the folder of shared memories */
function idIn(path: string, text: string): string | undefined {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) return undefined;
  const read = readMemory(withoutReturns(text));
  return 'memory' in read ? idOfFile(path, read.memory) : undefined;
}

/** As a file is read, whatever ends its lines. */
function withoutReturns(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
