import { relative, sep } from 'node:path';
import { type FileLens, lensesForFile, type MemoryCard, memoryCards, SHOWN_KINDS } from '../memory/file-lenses';
import type { Project } from './open';

/**
 * The symbols of a file that have open memories; none where there is no code graph to find them by.
 * @param file absolute
 * @param text what an editor has unsaved
 */
export async function fileLenses(project: Project, file: string, text?: string): Promise<FileLens[]> {
  const { graph, memory } = project;
  if (!graph || memory.code.unavailable) return [];
  const way = relative(graph.root, file);
  if (way === '' || way.startsWith('..') || !(await graph.current())) return [];
  return lensesForFile(memory, way.split(sep).join('/'), text);
}

export { type FileLens, type MemoryCard, memoryCards, SHOWN_KINDS };
