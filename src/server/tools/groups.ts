/** `groups`: how many memories there are of each kind, or on each file, for people. */
import * as z from 'zod/v4';
import { counted } from '../base/counted';
import { oneLine } from '../base/text';
import { GROUPED_BY, memoryGroups } from '../memory/people/memory-groups';
import { defineTool } from './define-tool';
import { NODE_FILTER, SESSIONLESS } from './node-filter';

export const groups = defineTool({
  name: 'groups',
  title: 'Count memories by kind or file',
  description: 'How many memories of the active namespace there are of each kind, or on each file.',
  audience: 'human',
  effect: 'read',
  positional: ['by'],
  input: z.strictObject({
    by: z.enum(GROUPED_BY).describe('What they are counted by'),
    ...NODE_FILTER,
    sessionless: SESSIONLESS,
    closed: z.boolean().default(false).describe('Include closed and forgotten ones'),
  }),
  output: z.array(z.object({ name: z.string(), memories: z.int(), missing: z.literal(true).optional() })),
  run: ({ memory }, asked) => memoryGroups(memory, asked),
  render: (found) =>
    found
      .map(({ name, memories, missing }) => {
        const called = name === '' ? '(on no code)' : oneLine(name);
        return `- ${called}: ${counted(memories, 'memory')}${missing ? ' (not there now)' : ''}`;
      })
      .join('\n'),
});
