/** What was done in the store along with a change in the file of a shared memory: both are one step. */
import { doneAt } from '../memory/history/operations-of';
import { undo } from '../memory/history/undo';
import type { Memory } from '../memory/memory';
import type { Project } from './open';

/** An operation of the store. */
export interface Along {
  readonly operation: number;
  /** When and by which process it was done: after a restore, its number may be that of something else. */
  readonly stamp: string;
}

export function isAlong(value: unknown): value is Along {
  const { operation, stamp } = (value ?? {}) as Partial<Along>;
  return typeof operation === 'number' && typeof stamp === 'string';
}

export async function alongOf(memory: Memory, operation: number): Promise<Along | undefined> {
  const stamp = await doneAt(memory, operation);
  return stamp === undefined ? undefined : { operation, stamp };
}

interface UndoneAlong {
  /** The undoing itself. */
  readonly along: Along | undefined;
  readonly node_ids: readonly string[];
}

/** Takes it back in the store; one that somebody has taken back already is in nobody's way. @throws SvcError as `undo` */
export async function undoAlong(project: Project, along: Along | undefined): Promise<UndoneAlong | undefined> {
  if (!along || !(await stands(project.memory, along))) return undefined;
  const { operation, node_ids } = await project.write((memory) => undo(memory, along.operation), 'undo');
  return { along: await alongOf(project.memory, operation), node_ids };
}

async function stands(memory: Memory, { operation, stamp }: Along): Promise<boolean> {
  if ((await doneAt(memory, operation)) !== stamp) return false;
  const row = await memory.sql.get<{ undone_by: number | null }>(
    'SELECT undone_by FROM mem_operations WHERE id = $operation',
    { operation },
  );
  return row?.undone_by === null;
}
