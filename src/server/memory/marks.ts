/** The marks of a memory. */
import { isClockAhead } from './clock-ahead';
import type { Memory } from './memory';

/**
 * What a reader has to know of a memory before believing it, in the order of the line. `foreign`: it stands in a store
 * that was not made on this machine, and that nobody accepted. `clock ahead`: the clock that dated it was ahead.
 */
export const MARKS = ['foreign', 'clock ahead'] as const;
export type Mark = (typeof MARKS)[number];

export interface Marked {
  /** Missing where there is nothing to say. */
  readonly marks?: readonly Mark[] | undefined;
}

interface Dated {
  readonly valid_from: string;
  readonly recorded_at?: string;
}

/** The same memory with its marks. */
export function marked<Node extends Dated>(memory: Pick<Memory, 'foreign' | 'clock'>, node: Node): Node & Marked {
  const { valid_from, recorded_at } = node;
  const marks: Mark[] = [];
  if (memory.foreign) marks.push('foreign');
  if (recorded_at !== undefined && isClockAhead(memory, { valid_from, recorded_at })) marks.push('clock ahead');
  return marks.length === 0 ? node : { ...node, marks };
}
