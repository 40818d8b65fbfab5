/** Prints the answer of memory_why. */
import { shownDay, shownId, shownShare } from '../base/shown';
import { oneLine } from '../base/text';
import type { Explanation, LinkedNode } from '../memory/why';
import { marksOf } from './line';

/** The layout of memory_why; parts without content are left out. */
export function renderDecision(decision: Explanation): string {
  const { alternatives_rejected: rejected, outcomes, supersedes, replaces } = decision;
  const parts = [
    `## Decision: ${shownId(decision.id)}`,
    `**${oneLine(decision.content)}**`,
    `${shownDay(decision.valid_from)} · conf ${shownShare(decision.confidence)}${marksOf(decision.marks)}`,
  ];
  if (decision.tombstoned === 1) parts.push('**State:** forgotten');
  else if (decision.valid_until !== null) parts.push(`**State:** closed ${shownDay(decision.valid_until)}`);
  if (decision.rationale !== null) parts.push(`**Rationale:** ${oneLine(decision.rationale)}`);
  if (rejected.length > 0) parts.push(`**Rejected alternatives:** ${rejected.map(oneLine).join(', ')}`);
  if (outcomes.length > 0) parts.push(`**Outcomes:**\n${list(outcomes)}`);
  if (replaces.length > 0) parts.push(`**Kept, this takes the place of:**\n${list(replaces)}`);
  if (supersedes.length > 0) parts.push(`**Supersedes:**\n${list(supersedes)}`);
  return parts.join('\n\n');
}

function list(nodes: readonly LinkedNode[]): string {
  return nodes.map(({ id, content, marks }) => `- [${shownId(id)}]${marksOf(marks)} ${oneLine(content)}`).join('\n');
}
