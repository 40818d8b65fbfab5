/** `namespaces`: all namespaces with what they hold, for people. */
import * as z from 'zod/v4';
import { oneLine } from '../base/text';
import { namespaceCounts } from '../memory/people/namespace-counts';
import { defineTool } from './define-tool';
import { MARKS_FIELD } from './marks-field';

export const namespaces = defineTool({
  name: 'namespaces',
  title: 'List namespaces',
  description: 'All namespaces of the store with what they hold; the active one is marked.',
  audience: 'human',
  effect: 'read',
  input: z.strictObject({}),
  output: z.array(
    z.object({
      name: z.string(),
      memories: z.int(),
      closed: z.int(),
      entities: z.int(),
      sessions: z.int(),
      active: z.boolean(),
      marks: MARKS_FIELD,
    }),
  ),
  run: ({ memory }) => namespaceCounts(memory),
  render: (found) =>
    found
      .map(({ name, memories, closed, sessions, active, marks = [] }) => {
        const past = closed === 0 ? [] : [`closed: ${closed}`];
        const counts = [`memories: ${memories}`, ...past, `sessions: ${sessions}`, ...marks].join(', ');
        return `${active ? '*' : '-'} ${oneLine(name)} (${counts})`;
      })
      .join('\n'),
});
