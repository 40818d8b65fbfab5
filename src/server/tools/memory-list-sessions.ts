/** `memory_list_sessions`: the sessions of the namespace. */
import * as z from 'zod/v4';
import { DEFAULT_SESSION_LIMIT, MAX_SESSION_LIMIT } from '../memory/limits';
import { listSessions } from '../memory/sessions/list-sessions';
import { defineTool } from './define-tool';
import { MARKS_FIELD } from './marks-field';

export const memoryListSessions = defineTool({
  name: 'memory_list_sessions',
  title: 'List sessions',
  description: 'The sessions of the active namespace, newest first.',
  effect: 'read',
  input: z.strictObject({
    limit: z.int().min(1).max(MAX_SESSION_LIMIT).default(DEFAULT_SESSION_LIMIT).describe('How many'),
  }),
  output: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      recorded_at: z.string(),
      node_count: z.int(),
      valid_until: z.string().nullable(),
      tombstoned: z.union([z.literal(0), z.literal(1)]),
      marks: MARKS_FIELD,
    }),
  ),
  run: ({ memory }, { limit }) => listSessions(memory, limit),
});
