/** `memory_timeline`: the memories on a topic, oldest first. */
import * as z from 'zod/v4';
import { timeline } from '../memory/timeline';
import { renderTimeline } from '../render/timeline';
import { defineTool } from './define-tool';
import { optionalTime, text, time } from './input';

export const memoryTimeline = defineTool({
  name: 'memory_timeline',
  title: 'Timeline of a topic',
  description: 'All memories on a topic, oldest first, superseded ones included.',
  effect: 'read',
  positional: ['topic'],
  input: z.strictObject({
    topic: text('Words to search for'),
    since: time('Only what was recorded since (ISO-8601)').optional(),
  }),
  run: async ({ memory }, { topic, since }) => {
    const { entries: items, ...rest } = await timeline(memory, topic, optionalTime(since, 'since'));
    return { topic, items, ...rest };
  },
  render: ({ topic, items, ...rest }) => renderTimeline(topic, { entries: items, ...rest }),
});
