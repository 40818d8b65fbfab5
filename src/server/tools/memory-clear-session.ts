/** `memory_clear_session`: forgets a session and what was stored in it. */
import * as z from 'zod/v4';
import { clearSession } from '../memory/forget';
import { defineTool } from './define-tool';
import { eraseOf } from './erase-of';
import { forgotten, nodeId } from './input';

export const memoryClearSession = defineTool({
  name: 'memory_clear_session',
  title: 'Clear a session',
  description: 'Forget a session and all that was stored in it.',
  effect: 'destroy',
  idempotent: true,
  positional: ['session_id'],
  input: z.strictObject({
    session_id: nodeId('Id of the session'),
    purge: z.boolean().default(false).describe('Delete for good'),
  }),
  output: forgotten,
  run: ({ memory }, { session_id, purge }) => clearSession(memory, session_id, purge),
  settled: eraseOf,
});
