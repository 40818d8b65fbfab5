/** The symbols of a file that have memories. */
import { relative, sep } from 'node:path';
import { doubtedElsewhere, type SeenSymbol } from '../memory/code/doubted-elsewhere';
import { type FileLens, lensesForFile } from '../memory/code/lenses';
import type { CodeHandle } from './handle';

/**
 * The symbols of a file that have open memories; none where there is no code graph to find them by.
 * @param file absolute
 * @param text what an editor has unsaved
 */
export async function fileLenses(project: CodeHandle, file: string, text?: string): Promise<FileLens[]> {
  const path = await pathInGraph(project, file);
  return path === undefined ? [] : lensesForFile(project.memory, path, text);
}

/**
 * Which of the memories in doubt on a symbol of a file are in doubt in other places, too.
 * @param file absolute
 * @param text what an editor has unsaved
 */
export async function inDoubtElsewhere(
  project: CodeHandle,
  ids: readonly string[],
  { file, ...symbol }: Omit<SeenSymbol, 'file_path'> & { readonly file: string },
  text?: string,
): Promise<ReadonlySet<string>> {
  const file_path = await pathInGraph(project, file);
  return file_path === undefined ? new Set() : doubtedElsewhere(project.memory, ids, { ...symbol, file_path }, text);
}

/** Relative to the root, with forward slashes. */
async function pathInGraph({ graph, memory }: CodeHandle, file: string): Promise<string | undefined> {
  if (!graph || memory.code.unavailable) return undefined;
  const way = relative(graph.root, file);
  if (way === '' || way.startsWith('..') || !(await graph.current())) return undefined;
  return way.split(sep).join('/');
}
