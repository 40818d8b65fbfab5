/** `memory_start_session`: opens a session. */
import * as z from 'zod/v4';
import { currentSession, enterNamespace, openSession } from '../memory/sessions/sessions';
import { defineTool } from './define-tool';
import { namespace, optionalNamespace, storedText } from './input';

export const memoryStartSession = defineTool({
  name: 'memory_start_session',
  title: 'Start a session',
  description: 'Open a session for a task; what is stored belongs to it.',
  effect: 'write',
  positional: ['name'],
  stores: ['name', 'namespace'],
  input: z.strictObject({
    name: storedText('The task in a few words'),
    namespace: namespace('Switch to this namespace first').optional(),
  }),
  output: z.object({ session_id: z.string(), created: z.boolean() }),
  run: async ({ memory }, { name, namespace: wanted }) => {
    const ns = await enterNamespace(memory, optionalNamespace(wanted));
    const current = await currentSession(memory, ns);
    if (current) return { session_id: current.id, created: false };
    return { session_id: (await openSession(memory, ns, name)).id, created: true };
  },
});
