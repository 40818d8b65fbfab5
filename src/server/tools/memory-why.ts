/** `memory_why`: explains a decision. */
import * as z from 'zod/v4';
import { nothingFound } from '../base/nothing-found';
import { quoted } from '../base/text';
import { TOOL_SAYS } from '../guidance/sentences';
import { why } from '../memory/why';
import { renderDecision } from '../render/decision';
import { defineTool } from './define-tool';
import { text } from './input';

export const memoryWhy = defineTool({
  name: 'memory_why',
  title: 'Why a decision',
  description: TOOL_SAYS.why,
  effect: 'read',
  positional: ['decision_ref'],
  input: z.strictObject({ decision_ref: text('Id of a decision, or words that describe it') }),
  run: async ({ memory }, { decision_ref }) => {
    const found = await why(memory, decision_ref);
    return found.explained
      ? { decision_ref, items: [found.explained], nearest: [] }
      : { decision_ref, items: [], nearest: found.nearest };
  },
  render: ({ decision_ref, items: [decision], nearest }) =>
    decision ? renderDecision(decision) : nothingFound(`No decision matches ${quoted(decision_ref)}`, nearest),
});
