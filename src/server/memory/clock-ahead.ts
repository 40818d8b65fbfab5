/** What is valid, also after a clock was ahead. */
import { MINUTE_MS, timestamp } from '../base/clock';
import type { Memory } from './memory';

/**
 * A clock may have been ahead when something was stored or closed. What is in the store has happened, whatever its date
 * says: such a memory is valid from its recording, and such a closing closes. A `valid_from` that was given and lies
 * behind its own recording is waited for, as ever.
 */

/** Sorts behind every timestamp. */
const NEVER = '~';

/** What VALID binds. */
export interface ValidAt {
  /** In our own 24-character form. */
  readonly asOf: string;
  /** What was recorded later than this was recorded by a clock that was ahead. */
  readonly ahead: string;
}

/** @param asOf now, where it is missing. When in the past something with a wrong date began, nobody knows. */
export function validAt(memory: Memory, asOf: string | undefined): ValidAt {
  const now = timestamp(memory.clock());
  return { asOf: asOf ?? now, ahead: asOf === undefined || asOf >= now ? now : NEVER };
}

/** Of `mem_nodes AS n`, at $asOf; binds $ahead, too. */
export const VALID = `((n.valid_from <= $asOf AND (n.valid_until IS NULL OR (n.valid_until > $asOf AND NOT EXISTS (
    SELECT 1 FROM mem_history AS h CROSS JOIN mem_operations AS o ON o.id = h.operation
    WHERE h.node = n.seq AND o.at > $ahead AND n.valid_until <= o.at))))
  OR (n.valid_from > $asOf AND n.valid_until IS NULL AND n.recorded_at > $ahead AND n.valid_from <= n.recorded_at))`;

/** The latest `valid_from` that VALID may let through: what an index can begin at. */
export function latestValid({ asOf, ahead }: ValidAt): string {
  return ahead === NEVER ? asOf : NEVER;
}

/** No two clocks agree to the second, and nobody needs to know. */
const NOTICEABLE_MS = MINUTE_MS;

/** Whether a memory's date is to be taken with care: it was recorded by a clock that was ahead. */
export function isClockAhead(
  { clock }: Pick<Memory, 'clock'>,
  { recorded_at, valid_from }: { readonly recorded_at: string; readonly valid_from: string },
): boolean {
  return valid_from <= recorded_at && Date.parse(valid_from) > clock() + NOTICEABLE_MS;
}
