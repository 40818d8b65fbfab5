/** The doubtful symbols of a project. */
import type { Store } from '../db/store';
import { type KeptPlace, keepPlaces, placesAt } from '../graph/places';
import { type CodeDoubt, codeDoubts, type KnownFiles } from '../memory/code/doubts';
import { isSamePlace } from '../memory/code/touches';
import type { CodeHandle } from './handle';

/**
 * The symbols with memories that became doubtful; none where there is no code graph to judge from.
 * @param known what the last call found out, see memory/code/doubts
 * @param noted called when the graph has been told where some of them are; without it, nothing is written
 */
export async function projectDoubts(
  project: CodeHandle,
  known: KnownFiles,
  noted: (() => void) | undefined,
): Promise<CodeDoubt[]> {
  const graph = await project.graph?.current();
  if (!graph || project.memory.code.unavailable) return [];
  const doubts = await codeDoubts(project.memory, known);
  if (noted && (await notePlaces(graph, doubts))) noted();
  return doubts;
}

/** So that they are seen there: a commit can tell where one went, and changes no file that would be read again. */
async function notePlaces(graph: Store, doubts: readonly CodeDoubt[]): Promise<boolean> {
  const away = doubts.flatMap(({ key, now }) => (now && !isSamePlace(key, now) ? [{ was: key, now }] : []));
  const paths = new Set(away.map(({ now }) => now.file_path));
  const known = new Set((await placesAt(graph, [...paths])).map(identity));
  const found = away.filter((one) => !known.has(identity(one)));
  if (found.length > 0) await keepPlaces(graph, found, []);
  return found.length > 0;
}

function identity({ was, now }: KeptPlace): string {
  return JSON.stringify([was.file_path, was.code_type, was.name, was.hash, now.file_path, now.code_type, now.name]);
}
