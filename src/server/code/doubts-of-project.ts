/** The doubtful symbols of a project. */
import { type CodeDoubt, codeDoubts, type KnownFiles } from '../memory/code/doubts';
import type { CodeHandle } from './handle';

/**
 * The symbols with memories that became doubtful; none where there is no code graph to judge from.
 * @param known what the last call found out, see memory/code/doubts
 */
export async function projectDoubts(project: CodeHandle, known: KnownFiles): Promise<CodeDoubt[]> {
  const graph = await project.graph?.current();
  return graph && !project.memory.code.unavailable ? codeDoubts(project.memory, known) : [];
}
