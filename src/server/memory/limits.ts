/** Every bound of the memory domain, by name. */

export const DEFAULT_NAMESPACE = 'default';
export const MAX_NAME_LENGTH = 500;
/** A memory is a note, not a document: a longer text is refused with the advice to split it. In UTF-8. */
export const MAX_CONTENT_BYTES = 100_000;
export const LONGEST_CONTENT = '100 kB';

export function isTooLong(text: string): boolean {
  // A character takes at most three bytes for each of its code units.
  return text.length > MAX_CONTENT_BYTES / 3 && Buffer.byteLength(text) > MAX_CONTENT_BYTES;
}

export const MAX_ENTITIES = 200;

export const CONFIRM_STEP = 0.1;
export const REFUTE_FACTOR = 0.5;

export const DEFAULT_BUDGET_TOKENS = 500;
export const SMALLEST_BUDGET_TOKENS = 50;
export const BRIEFING_BUDGET_TOKENS = 199;
/** A longer line is cut, so that one memory does not take the place of the others. */
export const BRIEFING_LINE_TOKENS = 55;
/** However large the budget, no answer is packed from more memories. */
export const MAX_LOADED_ITEMS = 5_000;
export const DEFAULT_HOPS = 1;
export const MAX_HOPS = 2;

export const DEFAULT_SESSION_LIMIT = 50;
export const MAX_SESSION_LIMIT = 1_000;
export const MAX_TIMELINE_LINES = 1_000;
export const MAX_OUTCOMES = 5;
export const MAX_TOP_ENTITIES = 10;

/** Memories of one session further apart than this belong to different episodes. */
export const EPISODE_GAP_MINUTES = 60;
/** Rows that one statement writes during an import. */
export const IMPORT_BATCH = 1_000;
/** Full-text entries that one statement writes during an import. */
export const FULL_TEXT_BATCH = 5_000;
/** Nodes that one statement reads during an export or a consolidation. */
export const READ_BATCH = 1_000;
