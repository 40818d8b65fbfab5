/** Asks what a client will ask first, so that its call finds statements, tables, code and verdicts in place. */
import { judgeAhead } from '../project/judge-ahead';
import type { Project } from '../project/open';
import { withoutUses } from '../project/without-uses';
import { callTool } from '../tools/call-tool';
import { memoryRecall } from '../tools/memory-recall';

/** Asks for the briefing, and a question in plain words, and has code judged. Counts no use. @throws what judging does */
export async function warmUp(project: Project): Promise<void> {
  const uncounted: Project = { ...withoutUses(project), log: () => {} };
  const ask = (query: string) => callTool([memoryRecall], uncounted, memoryRecall.name, { query });
  await ask('project context');
  await ask('what was decided about it, and why');
  await judgeAhead(project);
}
