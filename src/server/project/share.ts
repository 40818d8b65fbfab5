/** Writes memories of the store into files of the repository, and takes such files back. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { conflict, type SvcError, unavailable } from '../base/errors';
import { isThere } from '../base/paths';
import { bareParameter, parameter, phrase } from '../base/phrase';
import { removeFile, replaceFile } from '../base/replace-file';
import { shownId } from '../base/shown';
import { shownPath } from '../base/text';
import { type SharedNode, undoneShare } from '../memory/history/undone-share';
import type { Memory } from '../memory/memory';
import { namespaceNumber } from '../memory/namespaces';
import { openMemory } from '../memory/open-memory';
import { arrivalOf } from '../memory/origins';
import { type SharedOut, shareOut } from '../memory/share-out';
import { readRows, readShareable, type Shareable } from '../memory/transfer/shareable';
import { readMemory } from '../shared/read-memory';
import { readFile } from '../shared/scan-folder';
import { SHARED_FOLDER } from '../shared/shared-memory';
import { fileNameOf, type WrittenMemory, writeMemory } from '../shared/write-memory';
import type { Project } from './open';
import { noteShare } from './shared-along';
import { isAccepted } from './shared-memories';
import { acceptShared } from './trust-store';

/** A memory and the file that it stands in from now on. */
export interface SharedFile {
  readonly seq: number;
  readonly node_id: string;
  /** Relative to the root, with `/`. */
  readonly path: string;
}

/** What a memory would be as a file. */
export interface PlannedFile extends SharedFile, SharedOut {
  readonly text: string;
  /** Everything in it that somebody wrote, for who looks for secrets. */
  readonly texts: readonly string[];
  /** Ids of what it takes the place of. */
  readonly supersedes: readonly string[];
}

/**
 * The files that memories would become.
 * @param replaces ids of shared memories that they take the place of
 * @throws SvcError as `readShareable`; unavailable where nothing can be shared, conflict for one that is shared
 */
export async function planFiles(
  project: Project,
  memory: Memory,
  ids: readonly string[],
  replaces: readonly string[] = [],
): Promise<PlannedFile[]> {
  const { shared, place, store } = project;
  if (store.refuseWriting) throw store.refuseWriting;
  if (shared.folder === undefined || place.root === undefined) {
    throw unavailable(
      'The store of the home directory belongs to no repository, so nothing in it can be shared',
      'Make a store in the project with "svc-memory init"',
    );
  }
  if (shared.foreign && isThere(shared.folder)) {
    throw unavailable(
      `The files in ${SHARED_FOLDER} came with this folder, and nobody has accepted them`,
      'A person can look at them and accept them with "svc-memory trust". Then share',
    );
  }
  const known = ids.find((id) => shared.has(id));
  if (known !== undefined) {
    throw conflict(
      phrase`${shownId(known)} is shared already`,
      `It stands in ${shownPath(shared.fileOf(known) ?? SHARED_FOLDER)}`,
    );
  }
  const memories = await readShareable(memory, [...new Set(ids)]);
  return memories.map((one) => ({ ...planned(place.root ?? '', inPlaceOf(one, replaces)), in_place_of: replaces }));
}

/** As its file says it where it takes the place of shared memories. */
function inPlaceOf(memory: Shareable, replaces: readonly string[]): Shareable {
  return { ...memory, supersedes: [...new Set([...memory.supersedes, ...replaces])] };
}

function planned(root: string, memory: Shareable): Omit<PlannedFile, 'in_place_of'> {
  const { seq, id, content, rationale, alternatives_rejected, entities, supersedes } = memory;
  const written = writtenOf(memory);
  const path = `${SHARED_FOLDER}/${fileNameOf(written)}`;
  const text = writeMemory(written);
  const back = readMemory(text);
  if (!('memory' in back) || back.memory.content.trim() !== content.trim()) {
    throw conflict(
      phrase`${shownId(id)} cannot be written as a file that says the same again`,
      'Store it in other words, with fewer names or in several memories, and share these',
    );
  }
  if (isThere(join(root, path))) {
    throw conflict(`${shownPath(path)} is there already`, 'Look at it. Move it away, and share again');
  }
  const texts = [content, rationale ?? '', ...alternatives_rejected, ...entities];
  return { seq, node_id: id, path, text, texts, supersedes, written: hashOf(text) };
}

function writtenOf(memory: Shareable): WrittenMemory {
  const { id, kind, content, confidence, valid_from, recorded_at, standing, origin } = memory;
  return {
    ...{ id, kind, content, confidence, valid_from, recorded_at, valid_until: undefined },
    rationale: memory.rationale ?? undefined,
    alternatives_rejected: memory.alternatives_rejected,
    standing: standing === 'confirmed' ? standing : 'stored',
    about: memory.entities,
    links: memory.links,
    supersedes: memory.supersedes,
    superseded_by: [],
    beside: [],
    origin: origin ? { kind: origin.kind, name: origin.name } : undefined,
  };
}

/** Writes the files, and notes that this machine began the folder. @throws SvcError as `replaceFile`; then none is left */
export function writeFiles({ place, memory }: Project, home: string, files: readonly PlannedFile[]): void {
  const root = place.root ?? '';
  const written: PlannedFile[] = [];
  try {
    for (const file of files) {
      replaceFile(root, join(root, file.path), file.text);
      written.push(file);
    }
    if (!isAccepted(home, root)) acceptShared(root, home, 'made', memory.clock);
  } catch (error) {
    removeFiles(root, written);
    throw error;
  }
}

export function removeFiles(root: string, files: readonly Pick<SharedFile, 'path'>[]): void {
  for (const { path } of files) removeFile(root, join(root, path));
}

/** On a branch without the folder, this machine still knows that it has shared. */
export function mayHaveShared({ shared, place, home }: Project): boolean {
  const { folder } = shared;
  return folder !== undefined && (isThere(folder) || (place.root !== undefined && isAccepted(home, place.root)));
}

/**
 * After an undoing: where it took back a sharing, or did it again, the files follow the rows. A file that somebody
 * edits meanwhile stays, and counts.
 * @param written a file that is known to be as it was written, though its row is not any more
 */
export async function followUndoing(
  project: Project,
  namespace: string,
  operation: number,
  written?: string,
): Promise<void> {
  const { store, shared, place } = project;
  const { root } = place;
  if (root === undefined || !mayHaveShared(project)) return;
  const share = await undoneShare(store, operation);
  if (!share) return;
  const ids = share.nodes.map(({ id }) => id);
  const rows = await readRows(store, await namespaceNumber(store, namespace), ids);
  for (const node of share.nodes) {
    const memory = rows.get(node.id);
    if (!memory) continue;
    const asShared = writtenOf(inPlaceOf(memory, node.in_place_of));
    const name = shared.fileOf(memory.id) ?? `${SHARED_FOLDER}/${fileNameOf(asShared)}`;
    const path = join(root, name);
    const text = writeMemory(asShared);
    if (share.stands) {
      if (!isThere(path)) replaceFile(root, path, text);
      continue;
    }
    const read = readFile(root, root, name);
    if (name === written || ('text' in read && isAsWritten(read.text, node, asShared))) removeFile(root, path);
  }
  await shared.refresh();
}

/** @throws SvcError conflict for a file that somebody has edited since it was written, or that cannot be read */
export async function requireAsWritten(
  { store, shared, place }: Project,
  namespace: string,
  node: SharedNode,
): Promise<void> {
  const path = shared.fileOf(node.id);
  const memory = (await readRows(store, await namespaceNumber(store, namespace), [node.id])).get(node.id);
  if (path === undefined || place.root === undefined || !memory) return;
  const read = readFile(place.root, place.root, path);
  const isSame = 'text' in read && isAsWritten(read.text, node, writtenOf(inPlaceOf(memory, node.in_place_of)));
  if (!isSame) throw wasEdited(path);
}

export function wasEdited(path: string): SvcError {
  return conflict(
    `${shownPath(path)} was changed since`,
    'Nothing was changed. Take back what was changed in it, and try again. Git has what was committed of the file',
  );
}

/** Of what it takes the place of, only the file may know. @param today what its row would be as a file */
function isAsWritten(text: string, { written }: SharedNode, today: WrittenMemory): boolean {
  if (written === hashOf(text)) return true;
  const found = readMemory(text);
  return 'memory' in found && text === writeMemory({ ...today, supersedes: found.memory.supersedes });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Whether a memory that is to be superseded is a shared one.
 * @returns its id then
 * @throws SvcError conflict for one that is closed, or where what takes its place would wait for a person
 */
export async function readyToReplace(
  { shared }: Project,
  memory: Memory,
  id: string | undefined,
): Promise<string | undefined> {
  if (id === undefined || !shared.has(id)) return undefined;
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  await openMemory(memory.sql, ns, id, 'supersedes');
  if (shared.foreign || arrivalOf(memory).standing === 'proposed') {
    throw conflict(
      phrase`${shownId(id)} given as ${parameter('supersedes')} is shared, and what takes its place would wait for a person`,
      phrase`Store it without ${bareParameter('supersedes')}. A person can keep and share it, and edit ${shownPath(shared.fileOf(id) ?? SHARED_FOLDER)}`,
    );
  }
  return id;
}

/** Moves memories out of the store into their files; what fails leaves no file. The folder is to be looked at afterwards. */
export async function moveIntoFiles(project: Project, files: readonly PlannedFile[]): Promise<void> {
  writeFiles(project, project.home, files);
  try {
    const operation = await project.write((memory) => shareOut(memory, files), 'share');
    noteShare({ operation, paths: files.map(({ path }) => path) });
  } catch (error) {
    removeFiles(project.place.root ?? '', files);
    throw error;
  }
}

/** Shares a memory that was stored to take the place of a shared one. @returns its file */
export async function shareInPlaceOf(project: Project, id: string, replaced: string): Promise<string | undefined> {
  const files = await planFiles(project, project.memory, [id], [replaced]);
  await moveIntoFiles(project, files);
  await project.shared.refresh();
  return files[0]?.path;
}
