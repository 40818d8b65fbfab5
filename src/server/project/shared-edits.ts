/** What this process has changed in the files of shared memories, which no operation of the store could take back. */
import { join } from 'node:path';
import { conflict } from '../base/errors';
import { isThere } from '../base/paths';
import { oneLine, shownPath } from '../base/text';
import type { FoundEvent } from '../memory/history/node-history';
import type { Memory } from '../memory/memory';
import { readMemory } from '../shared/read-memory';
import { MAX_FILE_BYTES } from '../shared/scan-folder';
import { type Along, alongOf, undoAlong } from './along';
import { type Change, concerns, eventFor, type Noted, noted, requireAsLeft, writeChange } from './file-change';
import { keepAlong, keepChange, keepTurn, keptEditsOf, keptWith } from './kept-edits';
import type { Project } from './open';

interface SharedEdit extends Change, Noted {
  /** Whether whoever called knows its number. */
  told: boolean;
  /** It takes back one of these. */
  readonly isUndoing: boolean;
  /** The file was taken away, and somebody else has put it back: when it is gone again, that is not what this did. */
  isBack: boolean;
  /** The number by which it is kept for other processes. */
  kept: number | undefined;
  /** The operation of the store that goes with it. */
  along: Along | undefined;
}

/** What `undo` answers of an operation, as far as people see it. */
export interface UndoneEdit {
  readonly undone: number;
  readonly tool: string;
  readonly operation: number;
  readonly node_ids: readonly string[];
  readonly forgotten_ids: readonly string[];
}

const MOST = 100;
/**
 * By their numbers, oldest first. They are below zero, where no operation of a store is, and by the clock: one of a
 * process that ran before is not taken for one of this.
 */
const edits = new Map<number, SharedEdit>();
let lowest = 0;

/**
 * Writes the file of a shared memory, or takes it away, notes what it was, and reads it again.
 * @throws SvcError as `replaceFile`; conflict for a text that would not be read as a memory
 */
export async function changeShared(project: Project, memory: Memory, change: Change): Promise<void> {
  requireReadable(change);
  const edit: SharedEdit = {
    ...change,
    ...noted(memory),
    told: false,
    isUndoing: false,
    isBack: false,
    kept: undefined,
    along: undefined,
  };
  write(edit);
  edit.kept = await keepChange(project, memory, change);
  await project.shared.refresh();
}

/**
 * Notes that an operation of the store goes with what this process did last in a file, so that both are one step.
 * @param operation undefined where the store was left alone
 */
export async function noteAlong(project: Project, path: string, operation: number | undefined): Promise<void> {
  const edit = [...edits.values()].findLast((one) => one.root === project.place.root && one.path === path);
  const along = operation === undefined ? undefined : await alongOf(project.memory, operation);
  if (!edit || !along) return;
  edit.along = along;
  if (edit.kept !== undefined) await keepAlong(project, edit.kept, along);
}

/** The change in a file that an operation of the store goes with, by the number that this process knows it by. */
export async function editWith(project: Project, operation: number): Promise<number | undefined> {
  const { memory } = project;
  const own = [...edits].find(([, { root, along }]) => root === project.place.root && along?.operation === operation);
  const isThere = own?.[1].along?.stamp === (await alongOf(memory, operation))?.stamp;
  return own && isThere ? own[0] : keptWith(project, memory, operation);
}

function requireReadable({ path, after }: Change): void {
  if (after === undefined) return;
  const read = readMemory(after.replace(/\r\n?/g, '\n'));
  const isLong = Buffer.byteLength(after) > MAX_FILE_BYTES;
  if ('memory' in read && !isLong) return;
  const reason = 'memory' in read ? 'it is too long' : oneLine(read.problem.reason);
  throw conflict(`${shownPath(path)} could not be read any more: ${reason}`, 'Nothing was changed');
}

/** A file that is gone, and what it was. */
export interface RemovedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The file of a memory, where the last that this process did to it is that it removed it. */
export function removedFile({ place }: Project, nodeId: string): RemovedFile | undefined {
  const last = [...edits.values()].findLast(({ root, id }) => root === place.root && id === nodeId);
  if (last?.before === undefined || last.after !== undefined || last.isBack) return undefined;
  return { path: last.path, text: last.before };
}

/** Notes which memories have a file, as after a checkout. @param ids of those that have one */
export function seeFiles(root: string, ids: { has(id: string): boolean }): void {
  for (const edit of edits.values()) {
    // What was looked at may be older than the removal.
    if (edit.root === root && edit.after === undefined && ids.has(edit.id))
      edit.isBack ||= isThere(join(root, edit.path));
  }
}

/** For the history of a memory: what was changed in its file, by this process and by others. */
export async function editsOf(project: Project, memory: Memory, nodeId: string): Promise<FoundEvent[]> {
  const own = [...edits].filter(([, { root }]) => root === project.place.root);
  const ownNumber = (kept: number): number | undefined => own.find(([, edit]) => edit.kept === kept)?.[0];
  const others = own
    .filter(([, edit]) => concerns(edit, nodeId) && !edit.isUndoing && edit.kept === undefined)
    .map(([operation, edit]) => {
      const { tool, at, client, host, pid } = edit;
      const noted = { at, operation, undone_by: null, tool, client, host, pid, along: edit.along?.operation };
      return { ...noted, moved: null, ...eventFor(edit, nodeId) };
    });
  return [...(await keptEditsOf(project, memory, nodeId, ownNumber)), ...others];
}

function write(edit: SharedEdit): number {
  writeChange(edit);
  lowest = Math.min(lowest - 1, -Date.now());
  edits.set(lowest, edit);
  const [oldest] = edits.keys();
  if (edits.size > MOST && oldest !== undefined) edits.delete(oldest);
  return lowest;
}

/** Gives out the number of the last change of this file, once. */
export function takeNumber({ place }: Project, path: string): number | undefined {
  const [number, edit] = [...edits].findLast(([, one]) => one.root === place.root && one.path === path) ?? [];
  if (!edit || edit.told) return undefined;
  edit.told = true;
  return number;
}

/**
 * Takes back what was changed in a file. That can be taken back as well.
 * @throws SvcError conflict where the file is not as it was left, or nobody knows of the change any more
 */
export async function undoEdit(project: Project, number: number): Promise<UndoneEdit> {
  if (project.store.refuseWriting) throw project.store.refuseWriting;
  const edit = edits.get(number);
  if (!edit || edit.root !== project.place.root) throw conflict('This change is not known any more', FROM_GIT);
  const { id, tool, before, after } = edit;
  requireAsLeft(edit, FROM_GIT);
  // First: the store may refuse it.
  const { along, node_ids = [] } = (await undoAlong(project, edit.along)) ?? {};
  const turned: SharedEdit = {
    ...{ ...edit, ...noted(project.memory), before: after, after: before },
    ...{ told: true, isUndoing: !edit.isUndoing, isBack: false, kept: undefined, along },
  };
  const operation = write(turned);
  edits.delete(number);
  if (edit.kept !== undefined) turned.kept = await keepTurn(project, project.memory, edit.kept, along);
  await project.shared.refresh();
  return { undone: number, tool, operation, node_ids: [...new Set([id, ...node_ids])], forgotten_ids: [] };
}

const FROM_GIT = 'Nothing was changed. Git has what was committed of the file';
