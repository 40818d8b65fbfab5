/** The symbols of a file that documents describe. */
import { relative, sep } from 'node:path';
import { speaksOfFile } from '../graph/find-bindings';
import type { CodeSymbol } from '../memory/code/touches';
import type { CodeHandle } from './handle';

/**
 * The symbols of a file that documents speak of in some place. A file that no document speaks of has none, which costs
 * one look into an index.
 * @param file absolute
 * @param text what an editor has unsaved
 */
export async function boundSymbols(project: CodeHandle, file: string, text?: string): Promise<readonly CodeSymbol[]> {
  const { graph, memory } = project;
  const sql = await graph?.current();
  if (!graph || !sql || memory.code.unavailable) return [];
  const path = relative(graph.root, file).split(sep).join('/');
  if (path === '' || path.startsWith('..') || !(await speaksOfFile(sql, path))) return [];
  return memory.code.inFile(path, text);
}
