/** Which memories are on the code that the filter of the side bar names. */
import type { NodeSummary } from '../../../protocol/tool-values';
import type { Memories, Place } from '../../memories';
import type { AskedOfMemories } from './view-state';

/**
 * Those of these open memories that the lists of memories have under `@file` and `#symbol`; undefined where the filter has
 * neither. The server says so: it knows what code is called now.
 */
export async function onNamedCode(
  memories: Memories,
  place: Place,
  { file, symbol }: Pick<AskedOfMemories, 'file' | 'symbol'>,
  ids: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  if (file === '' && symbol === '') return undefined;
  const asked = [...new Set(ids)];
  if (asked.length === 0) return new Set();
  const input = { ids: asked, file, symbol, limit: asked.length };
  return new Set((await memories.call<NodeSummary[]>(place, 'nodes', input)).map(({ id }) => id));
}
