import { indexFiles } from '../graph/index-files';
import { codeTerms } from './code-terms';
import { type FollowedCode, followCode } from './follow-code';
import type { Project } from './open';

export interface RefreshReport extends FollowedCode {
  /** Files that were read and taken apart anew. */
  readonly indexed: number;
  /** Files that the graph knew and that are not there any more, or not to be indexed. */
  readonly removed: number;
}

/**
 * Brings the graph, and the memories' links to it, to what lies at these paths now, by the rules of a build. Without a
 * graph nothing is done: whoever wants one has it built. Safe while other processes build and refresh.
 * @param paths of files or folders that were saved, made, renamed or deleted; relative to the root, with forward slashes
 */
export async function refreshCode(project: Project, paths: readonly string[]): Promise<RefreshReport> {
  const { graph, parser } = project;
  const sql = await graph?.current();
  if (!graph || !sql || !parser || paths.length === 0) return { indexed: 0, removed: 0, linked: 0, reanchored: 0 };
  const { indexed, removed, changes } = await indexFiles(sql, paths, {
    root: graph.root,
    parser,
    termsOf: codeTerms,
    clock: project.memory.clock,
  });
  return { indexed, removed, ...(await followCode(project, changes)) };
}
