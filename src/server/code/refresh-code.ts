/** Brings the code graph up to date for saved files. */
import { indexFiles } from '../graph/index-files';
import { codeTerms } from './code-terms';
import { type FollowedCode, followCode } from './follow-code';
import type { CodeHandle } from './handle';

export interface RefreshReport extends FollowedCode {
  /** Files that were read and taken apart again. */
  readonly indexed: number;
  /** Files that the graph knew and that are not there any more, or not to be indexed. */
  readonly removed: number;
}

/**
 * Brings the graph, and the memories' links to it, up to date for these paths, by the rules of a build. Does nothing
 * without a graph: only a build makes one. Safe while other processes build and refresh.
 * @param paths of files or folders that were saved, made, renamed or deleted; relative to the root, with forward
 * slashes
 * @param pace awaited before each file
 */
export async function refreshCode(
  project: CodeHandle,
  paths: readonly string[],
  pace?: () => Promise<void>,
): Promise<RefreshReport> {
  const { graph, extractor } = project;
  const sql = await graph?.current();
  if (!graph || !sql || !extractor || paths.length === 0) return { indexed: 0, removed: 0, linked: 0, reanchored: 0 };
  const { indexed, removed, changes } = await indexFiles(sql, paths, {
    root: graph.root,
    extract: extractor.extract,
    termsOf: codeTerms,
    clock: project.memory.clock,
    pace,
  });
  return { indexed, removed, ...(await followCode(project, changes)) };
}
