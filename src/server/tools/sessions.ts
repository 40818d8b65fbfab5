/** `sessions`: sessions and who holds them, for people. */
import * as z from 'zod/v4';
import { DEFAULT_SESSION_LIMIT, MAX_SESSION_LIMIT } from '../memory/limits';
import { heldSessions } from '../memory/sessions/held-sessions';
import { renderSessions } from '../render/sessions';
import { defineTool } from './define-tool';
import { namespace, optionalNamespace } from './input';
import { MARKS_FIELD } from './marks-field';
import { NODE_FILTER } from './node-filter';
import { ORIGIN } from './nodes';

export const sessions = defineTool({
  name: 'sessions',
  title: 'Sessions and who holds them',
  description: 'Sessions, newest first, with the process that opened each and whether it still holds it.',
  audience: 'human',
  effect: 'read',
  input: z.strictObject({
    open: z.boolean().default(false).describe('Only open sessions'),
    namespace: namespace('Look there; default: the active one').optional(),
    all_namespaces: z.boolean().default(false).describe('All namespaces'),
    ...NODE_FILTER,
    closed: z.boolean().default(false).describe('Count closed and forgotten nodes among those that match'),
    letters: NODE_FILTER.letters.describe('Only sessions with these words in their name or in one of their memories'),
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
      namespace: z.string(),
      current: z.boolean(),
      last_write_at: z.string().nullable(),
      marks: MARKS_FIELD,
      holder: z.object({ pid: z.int(), host: z.string(), client: z.string(), alive: z.boolean() }).nullable(),
      topic: z.string().nullable(),
      origin: ORIGIN,
      valid: z.int(),
      matching: z.int().nullable(),
    }),
  ),
  run: ({ memory }, { open, closed, namespace: named, all_namespaces, limit, kinds, letters, file, symbol }) =>
    heldSessions(memory, {
      ...{ open, closed, limit, kinds, letters, file, symbol },
      namespace: all_namespaces ? undefined : (optionalNamespace(named) ?? memory.scope.namespace),
    }),
  render: renderSessions,
});
