/** Prints the answer of memory_timeline. */

import { nothingFound } from '../base/nothing-found';
import { shownId } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { Timeline } from '../memory/timeline';
import { linePrefix, MAX_PRINTED_CONTENT } from './line';

const MAX_TOPIC_LENGTH = 200;

/** The layout of memory_timeline: oldest first, superseded ones marked. */
export function renderTimeline(topic: string, { entries, omitted, partial, earlier, nearest }: Timeline): string {
  if (entries.length === 0 && earlier > 0) {
    return `All that is remembered about '${shown(topic)}' was recorded before "since": ${earlier} memories.`;
  }
  if (entries.length === 0) return nothingFound(`Nothing is remembered about '${shown(topic)}'`, nearest);
  const lines = entries.map((entry) => {
    const marker = entry.superseded_by === null ? '' : ` [superseded by ${shownId(entry.superseded_by)}]`;
    return `${linePrefix(entry, marker)}${cut(oneLine(entry.content), MAX_PRINTED_CONTENT)}`;
  });
  if (omitted > 0) {
    lines.push(`(${omitted} older ones are left out. Narrow down with a longer topic, or with since.)`);
  }
  if (partial > 0) lines.push(`(${partial} more hold only some of these words.)`);
  return [`## Memory timeline: '${shown(topic)}'`, ...lines].join('\n');
}

function shown(topic: string): string {
  return cut(oneLine(topic), MAX_TOPIC_LENGTH);
}
