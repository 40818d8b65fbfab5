/** `memory_end_session`: closes the session with a summary. */
import * as z from 'zod/v4';
import { TOOL_SAYS } from '../guidance/sentences';
import { endSession } from '../memory/sessions/end-session';
import { defineTool } from './define-tool';
import { storedText } from './input';

export const memoryEndSession = defineTool({
  name: 'memory_end_session',
  title: 'End the session',
  description: TOOL_SAYS.end,
  effect: 'write',
  positional: ['summary'],
  stores: ['summary'],
  input: z.strictObject({ summary: storedText('What was done, what is open') }),
  output: z.object({ closed_session_id: z.string(), outcome_id: z.string() }),
  run: ({ memory }, { summary }) => endSession(memory, summary),
});
