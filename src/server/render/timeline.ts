import { cut, oneLine } from '../base/text';
import type { Timeline } from '../memory/timeline';
import { linePrefix } from './line';
import { nothingFound } from './nothing-found';

const MAX_TOPIC_LENGTH = 200;

/** The layout of memory_timeline (service.md): oldest first, superseded ones marked. */
export function renderTimeline(topic: string, { entries, omitted, nearest }: Timeline): string {
  if (entries.length === 0) return nothingFound(`Nothing is remembered about '${shown(topic)}'`, nearest);
  const lines = entries.map((entry) => {
    const marker = entry.superseded_by === null ? '' : ` [superseded by ${entry.superseded_by}]`;
    return `${linePrefix(entry, marker)}${oneLine(entry.content)}`;
  });
  if (omitted > 0) {
    lines.push(`(${omitted} older ones are left out. Narrow down with a longer topic, or with since.)`);
  }
  return [`## Memory timeline: '${shown(topic)}'`, ...lines].join('\n');
}

function shown(topic: string): string {
  return cut(oneLine(topic), MAX_TOPIC_LENGTH);
}
