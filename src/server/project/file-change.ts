/** A change in the file of a shared memory, and how it is taken back. */
import { join } from 'node:path';
import { timestamp } from '../base/clock';
import { conflict } from '../base/errors';
import { isThere } from '../base/paths';
import { removeFile, replaceFile } from '../base/replace-file';
import { shownPath } from '../base/text';
import type { FoundEvent, NodeState } from '../memory/history/node-history';
import type { Action } from '../memory/history/operations';
import type { Memory } from '../memory/memory';
import { readMemory } from '../shared/read-memory';
import { readFile } from '../shared/scan-folder';

/** What is done to a file. */
export interface Change {
  /** Of the memory. */
  readonly id: string;
  /** What was called. */
  readonly tool: string;
  /** What was done by that to the memory, or to one whose place it takes. */
  readonly action: Action;
  readonly older?: string | undefined;
  readonly root: string;
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** The text of the file; undefined where there is none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** When it was done, and by whom. */
export type Noted = Pick<FoundEvent, 'at' | 'client' | 'host' | 'pid'>;

export function noted({ clock, holder }: Memory): Noted {
  const { client, host, pid } = holder();
  return { at: timestamp(clock()), client, host, pid };
}

/** @throws SvcError as `replaceFile` */
export function writeChange({ root, path, after }: Pick<Change, 'root' | 'path' | 'after'>): void {
  if (after === undefined) removeFile(root, join(root, path));
  else replaceFile(root, join(root, path), after);
}

/** @throws SvcError conflict where the file is not as it was left */
export function requireAsLeft(change: Left, whatElse: string): void {
  if (!isAsLeft(change)) throw conflict(`${shownPath(change.path)} was changed since`, whatElse);
}

type Left = Pick<Change, 'root' | 'path' | 'after'>;

export function isAsLeft({ root, path, after }: Left): boolean {
  const read = readFile(root, root, path);
  return 'text' in read
    ? read.text === after?.replace(/\r\n?/g, '\n')
    : after === undefined && !isThere(join(root, path));
}

/** Whether the history of a memory tells of the change of a file: of a pair, that of both does. */
export function concerns({ id, older }: Pick<Change, 'id' | 'older'>, nodeId: string): boolean {
  return id === nodeId || older === nodeId;
}

/** What a change is to a memory that it concerns. */
export function eventFor(
  { id, older, action, before, after }: Pick<Change, 'id' | 'older' | 'action' | 'before' | 'after'>,
  nodeId: string,
): Pick<FoundEvent, 'action' | 'before' | 'after' | 'other_id'> {
  if (older === nodeId) return { action, before: null, after: null, other_id: id };
  const isNewer = older !== undefined && action === 'supersede';
  return { action: isNewer ? 'replace' : action, ...statesOf({ before, after }), other_id: older ?? null };
}

/** As the texts of the file say. */
function statesOf({ before, after }: Pick<Change, 'before' | 'after'>) {
  const [was, is] = [stateOf(before), stateOf(after)];
  return {
    before: before === undefined && is ? { ...is, tombstoned: 1 as const } : was,
    after: after === undefined && was ? { ...was, tombstoned: 1 as const } : is,
  };
}

function stateOf(text = ''): NodeState | null {
  const found = readMemory(text);
  if (!('memory' in found)) return null;
  const { confidence, valid_until = null, standing } = found.memory;
  return { confidence, valid_until, tombstoned: 0, standing };
}
