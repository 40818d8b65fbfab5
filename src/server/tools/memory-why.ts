/** `memory_why`: explains a decision. */
import * as z from 'zod/v4';
import { SvcError } from '../base/errors';
import { nothingFound } from '../base/nothing-found';
import { quoted } from '../base/text';
import { TOOL_SAYS } from '../guidance/sentences';
import { type Explanation, type Why, why } from '../memory/why';
import { renderDecision } from '../render/decision';
import { defineTool } from './define-tool';
import { text } from './input';
import { whyOfTeam } from './team-why';

export const memoryWhy = defineTool({
  name: 'memory_why',
  title: 'Why a decision',
  description: TOOL_SAYS.why,
  effect: 'read',
  positional: ['decision_ref'],
  input: z.strictObject({ decision_ref: text('Id of a decision, or words that describe it') }),
  run: async ({ memory, project, signal }, { decision_ref }) => {
    const ofTeam = (): Promise<Explanation | undefined> => whyOfTeam(project, decision_ref, signal);
    const found = await why(memory, decision_ref).catch(async (error: unknown): Promise<Why> => {
      // An id that is none here may be one of the team's.
      const explained = isNotFound(error) ? await ofTeam() : undefined;
      if (explained) return { explained };
      throw error;
    });
    const explained = found.explained ?? (await ofTeam());
    return explained
      ? { decision_ref, items: [explained], nearest: [] }
      : { decision_ref, items: [], nearest: found.explained ? [] : found.nearest };
  },
  render: ({ decision_ref, items: [decision], nearest }) =>
    decision ? renderDecision(decision) : nothingFound(`No decision matches ${quoted(decision_ref)}`, nearest),
});

function isNotFound(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'not_found';
}
