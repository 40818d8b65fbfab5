/** Explains a decision that is in the memory of a team. */
import * as z from 'zod/v4';
import type { Memory } from '../memory/memory';
import { type Explanation, type LinkedNode, why } from '../memory/why';
import type { Project } from '../project/open';
import {
  askCopy,
  askTeam,
  type FromCopy,
  type NoAnswer,
  TEAM_ID,
  TEAM_NODE,
  TEAM_TEXT,
  TEAM_TIME,
  teamMarks,
} from './ask-team';

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

/** A decision of the team. */
export interface ExplainedElsewhere {
  readonly explained: Explanation;
  /** That the server does not answer, and of when this is. */
  readonly notice?: string;
}

/** @returns undefined where no team is asked, or it knows none either; it never throws */
export async function whyOfTeam(
  project: Project,
  decision_ref: string,
  signal: AbortSignal,
): Promise<ExplainedElsewhere | undefined> {
  const said = await askTeam(project, 'memory_why', { decision_ref }, ANSWER, signal);
  const { answer, notice } =
    said === 'silent' || said === 'shut' ? await whyOfCopy(project, said, decision_ref, signal) : { answer: said };
  const [found] = answer?.items ?? [];
  if (!found) return undefined;
  const { marks, outcomes, supersedes, ...decision } = found;
  const explained: Explanation = {
    ...decision,
    ...{ standing: 'stored', marks: teamMarks(marks) },
    outcomes: outcomes.map(linked),
    supersedes: supersedes.map(linked),
    replaces: [],
  };
  return { explained, ...(notice === undefined ? {} : { notice }) };
}

function whyOfCopy(
  project: Project,
  noAnswer: NoAnswer,
  decision_ref: string,
  signal: AbortSignal,
): Promise<FromCopy<z.infer<typeof ANSWER>>> {
  const read = async (memory: Memory): Promise<unknown> => {
    const { explained } = await why(memory, decision_ref);
    return { items: explained ? [explained] : [] };
  };
  return askCopy(project, noAnswer, read, ANSWER, signal);
}

function linked({ id, content, marks }: z.infer<typeof LINKED>[number]): LinkedNode {
  return { id, content, marks: teamMarks(marks) };
}
