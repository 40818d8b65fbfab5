/** Moves the links of memories after their symbols. */
import type { GraphChanges } from '../graph/write-graph';
import { type Located, reanchor, touchedPlaces } from '../memory/code/anchors';
import { linkOlderMemories, MOST_NAMES, matchOlderMemories } from '../memory/code/link-older';
import type { CodeHandle } from './handle';

export interface FollowedCode {
  /** Links that memories stored before have now. */
  readonly linked: number;
  /** Links that were put on another place, because their symbol went there. */
  readonly reanchored: number;
}

/**
 * Brings the memories' links to what the graph says now: those whose symbol went elsewhere follow it, and memories that
 * were stored before a symbol was there are linked to it.
 * @param changes what is new in the graph; without it, the whole graph counts as new
 */
export async function followCode(project: CodeHandle, changes: GraphChanges | undefined): Promise<FollowedCode> {
  const { memory } = project;
  if (memory.code.unavailable || changes?.paths.size === 0) return { linked: 0, reanchored: 0 };
  // Files are read before the transactions, so that other writers do not wait.
  const places = await touchedPlaces(memory, changes);
  const located = places.length === 0 ? [] : await memory.code.locate(places);
  const found = places.flatMap((key, i): Located[] => (located[i]?.symbol ? [{ key, now: located[i] }] : []));
  const names = changes && changes.names.size <= MOST_NAMES ? changes.names : undefined;
  const reanchored = found.length === 0 ? 0 : await project.write((writable) => reanchor(writable, found));
  const matched = await matchOlderMemories(memory, names);
  const linked = matched.size === 0 ? 0 : await project.write((writable) => linkOlderMemories(writable, matched));
  return { linked, reanchored };
}
