/** Prints a page of memories in the order of time. */

import { nothingFound } from '../base/nothing-found';
import { shownId } from '../base/shown';
import type { Chronicle } from '../memory/people/chronicle';
import { nodeSummaryLine } from './node-page';

/** A page of the chronicle at a terminal: one memory a line, and how many there are. */
export function renderChronicle({ entries, within, more, nearest }: Chronicle): string {
  if (entries.length === 0) return nothingFound('Nothing is remembered of this', nearest);
  const lines = entries.map(nodeSummaryLine);
  const last = entries.at(-1);
  if (more && last) lines.push(`(${entries.length} of ${within}; older ones with --before ${shownId(last.id)})`);
  return lines.join('\n');
}
