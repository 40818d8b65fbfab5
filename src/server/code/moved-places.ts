/** Tells which symbols are in other places than they were linked in, without reading a file. */
import type { Reader } from '../db/sql';
import { allPlaces } from '../graph/places';
import type { CameTo, CodeIndex } from '../memory/code/touches';
import { FILE_TYPE } from './working-files';

/**
 * Those that the graph knows, but for what a look at the folder shows to be out of date, as after a change of the
 * branch that no build has followed yet: a place that is not there any more, and a file that is back.
 */
export async function movedPlaces(sql: Reader, modifiedAt: CodeIndex['modifiedAt']): Promise<CameTo[]> {
  const looked = new Map<string, boolean>();
  const isThere = async (path: string): Promise<boolean> => {
    const known = looked.get(path) ?? (await modifiedAt(path)) !== undefined;
    looked.set(path, known);
    return known;
  };
  const moved: CameTo[] = [];
  for (const { was, now, seen } of await allPlaces(sql)) {
    if (!(await isThere(now.file_path))) continue;
    // Of a file that the graph has seen, it knows what has left it; but a file is always where its path is.
    const isKnown = seen && was.code_type !== FILE_TYPE;
    if (isKnown || !(await isThere(was.file_path))) moved.push({ was, now });
  }
  return moved;
}
