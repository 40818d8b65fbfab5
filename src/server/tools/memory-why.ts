/** `memory_why`: explains a decision. */
import * as z from 'zod/v4';
import { SvcError } from '../base/errors';
import { nothingFound } from '../base/nothing-found';
import { quoted } from '../base/text';
import { TOOL_SAYS } from '../guidance/sentences';
import { unknownNode } from '../memory/nodes';
import { type Explanation, type Why, why } from '../memory/why';
import { renderDecision } from '../render/decision';
import { defineTool } from './define-tool';
import { text } from './input';
import { TEAM_PREFIX } from './team-node';
import { type ExplainedElsewhere, whyOfTeam } from './team-why';

interface Answer {
  readonly decision_ref: string;
  readonly items: readonly Explanation[];
  /** Names that are like what was asked for, where nothing is meant. */
  readonly nearest: readonly string[];
  readonly notice?: string;
}

export const memoryWhy = defineTool({
  name: 'memory_why',
  title: 'Why a decision',
  description: TOOL_SAYS.why,
  effect: 'read',
  positional: ['decision_ref'],
  input: z.strictObject({ decision_ref: text('Id of a decision, or words that describe it') }),
  run: async ({ memory, project, signal }, { decision_ref }): Promise<Answer> => {
    // By `t:` a person says that the team's is meant.
    const ref = decision_ref.startsWith(TEAM_PREFIX) ? decision_ref.slice(TEAM_PREFIX.length) : undefined;
    const ofTeam = (): Promise<ExplainedElsewhere | undefined> => whyOfTeam(project, ref ?? decision_ref, signal);
    let other: ExplainedElsewhere | undefined;
    const own =
      ref === undefined ? why(memory, decision_ref) : Promise.reject(unknownNode(decision_ref, 'decision_ref'));
    const found = await own.catch(async (error: unknown): Promise<Why> => {
      // An id that is none here may be one of the team's.
      other = isNotFound(error) ? await ofTeam() : undefined;
      if (other) return other;
      throw error;
    });
    if (!found.explained) other = await ofTeam();
    const explained = found.explained ?? other?.explained;
    const notice = other?.notice === undefined ? {} : { notice: other.notice };
    return explained
      ? { decision_ref, items: [explained], nearest: [], ...notice }
      : { decision_ref, items: [], nearest: found.explained ? [] : found.nearest };
  },
  render: ({ decision_ref, items: [decision], nearest, notice }: Answer) =>
    decision
      ? `${renderDecision(decision)}${notice === undefined ? '' : `\n\n${notice}`}`
      : nothingFound(`No decision matches ${quoted(decision_ref)}`, nearest),
});

function isNotFound(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'not_found';
}
