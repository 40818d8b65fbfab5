/** Finds out where the symbols of memories went, and links older memories to code that is new. */

import { keepPlaces, placesAt } from '../graph/places';
import type { GraphChanges } from '../graph/write-graph';
import { linkOlderMemories, MOST_NAMES, matchOlderMemories } from '../memory/code/link-older';
import { linkedPlaces } from '../memory/code/linked-places';
import { isSamePlace, placeIn } from '../memory/code/touches';
import { carryOver } from './carry-over';
import type { CodeHandle } from './handle';

export interface FollowedCode {
  /** Links that memories stored before have now. */
  readonly linked: number;
  /** Symbols of links that are in another place than was known. */
  readonly reanchored: number;
}

/**
 * Notes in the graph where the symbols of links are that are not where they were linked, or were last where they are gone, so
 * that they are found there;
 * and links memories that were stored before a symbol was there.
 * @param changes what is new in the graph; without it, the whole graph counts as new
 * @param links `new` where there are links that were not followed so far, such as of a clone's shared memories
 */
export async function followCode(
  project: CodeHandle,
  changes: GraphChanges | undefined,
  links: 'known' | 'new' = 'known',
): Promise<FollowedCode> {
  const { memory } = project;
  const isKnown = links === 'known';
  if (memory.code.unavailable || (isKnown && changes?.paths.size === 0)) return { linked: 0, reanchored: 0 };
  // Of more names than that, to look at everything is quicker.
  const few = changes && changes.names.size <= MOST_NAMES ? changes : undefined;
  const reanchored = await notePlaces(project, isKnown ? few : undefined);
  // Files are read before the transactions, so that other writers do not wait.
  const matched = await matchOlderMemories(memory, few?.names);
  const linked = matched.size === 0 ? 0 : await project.write((writable) => linkOlderMemories(writable, matched));
  return { linked, reanchored };
}

async function notePlaces({ memory, graph, write }: CodeHandle, changes: GraphChanges | undefined): Promise<number> {
  const sql = await graph?.current();
  if (!graph || !sql) return 0;
  // What was known to be in a file that changed may have left it.
  const known = changes ? await placesAt(sql, [...changes.paths]) : [];
  // What was cut out of one file, and edited before, comes to another one later: its name alone tells of it.
  const among = changes && {
    ...changes,
    paths: new Set([...changes.paths, ...known.map(({ was }) => was.file_path)]),
  };
  const keys = await linkedPlaces(memory, among);
  if (keys.length === 0) return 0;
  const located = await memory.code.locate(keys);
  await carryOver({ memory, write }, keys, located);
  const away = keys.flatMap((was, i) => {
    const now = placeIn(located[i] ?? { verdict: 'gone' }, was);
    return isSamePlace(was, now) ? [] : [{ was, now }];
  });
  const went = new Set(away.map(({ was }) => was));
  return keepPlaces(
    sql,
    away,
    keys.filter((key) => !went.has(key)),
  );
}
