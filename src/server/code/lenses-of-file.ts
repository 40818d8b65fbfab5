/** The symbols of a file that have memories. */
import { relative, sep } from 'node:path';
import { type FileLens, lensesForFile } from '../memory/code/lenses';
import type { CodeHandle } from './handle';

/**
 * The symbols of a file that have open memories; none where there is no code graph to find them by.
 * @param file absolute
 * @param text what an editor has unsaved
 */
export async function fileLenses(project: CodeHandle, file: string, text?: string): Promise<FileLens[]> {
  const { graph, memory } = project;
  if (!graph || memory.code.unavailable) return [];
  const way = relative(graph.root, file);
  if (way === '' || way.startsWith('..') || !(await graph.current())) return [];
  return lensesForFile(memory, way.split(sep).join('/'), text);
}
