/** Explains a decision that is in the memory of a team. */
import * as z from 'zod/v4';
import type { Explanation, LinkedNode } from '../memory/why';
import type { Project } from '../project/open';
import { askTeam, TEAM_ID, TEAM_NODE, TEAM_TEXT, TEAM_TIME, teamMarks } from './ask-team';

const MAX_LISTED = 100;

const LINKED = z
  .array(z.object({ id: TEAM_ID, content: TEAM_TEXT, marks: z.array(z.string()).optional() }))
  .max(MAX_LISTED);
const DECISION = TEAM_NODE.extend({
  kind: z.literal('decision'),
  valid_until: TEAM_TIME.nullable(),
  tombstoned: z.literal([0, 1]),
  rationale: TEAM_TEXT.nullable(),
  alternatives_rejected: z.array(TEAM_TEXT).max(MAX_LISTED),
  outcomes: LINKED,
  supersedes: LINKED,
});
const ANSWER = z.object({ items: z.array(DECISION).max(1) });

/** @returns undefined where no team is asked, or it knows none either; it never throws */
export async function whyOfTeam(
  project: Project,
  decision_ref: string,
  signal: AbortSignal,
): Promise<Explanation | undefined> {
  const answer = await askTeam(project, 'memory_why', { decision_ref }, ANSWER, signal);
  const [found] = answer === undefined || answer === 'silent' ? [] : answer.items;
  if (!found) return undefined;
  const { marks, outcomes, supersedes, ...decision } = found;
  return {
    ...decision,
    ...{ standing: 'stored', marks: teamMarks(marks) },
    outcomes: outcomes.map(linked),
    supersedes: supersedes.map(linked),
  };
}

function linked({ id, content, marks }: z.infer<typeof LINKED>[number]): LinkedNode {
  return { id, content, marks: teamMarks(marks) };
}
