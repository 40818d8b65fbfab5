/** Prints the answer of memory_timeline. */

import { nothingFound } from '../base/nothing-found';
import { shownId } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { Timeline, TimelineEntry } from '../memory/timeline';
import { linePrefix, MAX_PRINTED_CONTENT } from './line';

const MAX_TOPIC_LENGTH = 200;
const MAX_NAMED = 50;

/** The layout of memory_timeline: oldest first, superseded ones marked; then which of the others hold no longer. */
export function renderTimeline(topic: string, { entries, omitted, partial, earlier, nearest }: Timeline): string {
  if (entries.length === 0 && earlier > 0) {
    return `All that is remembered about '${shown(topic)}' was recorded before "since": ${earlier} memories.`;
  }
  if (entries.length === 0) return nothingFound(`Nothing is remembered about '${shown(topic)}'`, nearest);
  const lines = entries.map((entry) => {
    const marker = entry.superseded_by === null ? '' : ` [superseded by ${shownId(entry.superseded_by)}]`;
    return `${linePrefix(entry, marker)}${cut(oneLine(entry.content), MAX_PRINTED_CONTENT)}`;
  });
  lines.push(...statesOf(entries));
  if (omitted > 0) {
    lines.push(`(${omitted} older ones are left out. Narrow down with a longer topic, or with since.)`);
  }
  if (partial > 0) lines.push(`(${partial} more hold only some of these words.)`);
  return [`## Memory timeline: '${shown(topic)}'`, ...lines].join('\n');
}

/** The form of a line has no place for what became of a memory that nothing superseded, so it is told below. */
function statesOf(entries: readonly TimelineEntry[]): string[] {
  const alone = entries.filter(({ superseded_by }) => superseded_by === null);
  const forgotten = alone.filter(({ tombstoned }) => tombstoned === 1);
  const closed = alone.filter(({ tombstoned, valid_until }) => tombstoned === 0 && valid_until !== null);
  return [['Forgotten', forgotten] as const, ['No longer true', closed] as const].flatMap(([what, some]) =>
    some.length === 0 ? [] : [`(${what}: ${idsOf(some)}.)`],
  );
}

function idsOf(entries: readonly TimelineEntry[]): string {
  const named = entries.slice(-MAX_NAMED).map(({ id }) => shownId(id));
  const rest = entries.length - named.length;
  return `${named.join(', ')}${rest > 0 ? `, and ${rest} older ones` : ''}`;
}

function shown(topic: string): string {
  return cut(oneLine(topic), MAX_TOPIC_LENGTH);
}
