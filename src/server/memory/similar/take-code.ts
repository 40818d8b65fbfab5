/** Makes a memory be about what another one was about whose place it takes. */
import { timestamp } from '../../base/clock';
import { isSamePlace, type SymbolPlace, type TouchRow } from '../code/touches';
import { recorded } from '../history/operations';
import { type AffectedNode, applySideEffects } from '../history/side-effects';
import { MAX_ENTITIES } from '../limits';
import type { WritableMemory } from '../memory';
import { refreshContexts } from '../refresh-contexts';
import type { Located } from '../verify';

/**
 * Gives the newer one the names of the older one, as far as it may have more, and links to the code of the older one as that is
 * now: a person has just said that it holds there.
 * @param older row number
 * @param located where the code of the older one stands
 */
export async function takeCode(
  memory: WritableMemory,
  ns: number,
  { newer, older }: { readonly newer: AffectedNode; readonly older: number },
  located: readonly Located[],
): Promise<void> {
  const { sql } = memory;
  const { seq } = newer;
  const had = await sql.get<{ count: number }>(
    "SELECT count(*) AS count FROM mem_edges WHERE type = 'ABOUT' AND src = $seq",
    { seq },
  );
  const names = await sql.all<{ id: string }>(
    `SELECT e.id FROM mem_edges AS a CROSS JOIN mem_nodes AS e ON e.seq = a.dst
     WHERE a.type = 'ABOUT' AND a.src = $older AND e.tombstoned = 0
       AND NOT EXISTS (SELECT 1 FROM mem_edges AS b WHERE b.type = 'ABOUT' AND b.src = $seq AND b.dst = a.dst)
     ORDER BY a.dst LIMIT $room`,
    { seq, older, room: Math.max(0, MAX_ENTITIES - (had?.count ?? 0)) },
  );
  const there = await sql.all<SymbolPlace>('SELECT file_path, code_type, name FROM mem_links WHERE node = $seq', {
    seq,
  });
  const linked = linksTo(located, timestamp(memory.clock())).filter(
    ([file_path, code_type, name]) => !there.some((place) => isSamePlace(place, { file_path, code_type, name })),
  );
  if (names.length + linked.length === 0) return;
  const side = {
    ...(names.length > 0 ? { about: names.map(({ id }) => id) } : {}),
    ...(linked.length > 0 ? { linked } : {}),
  };
  await recorded(memory, ns, 'link', [{ seq, side }], () => applySideEffects(memory, ns, newer, side));
  await refreshContexts(memory, ns, [seq]);
}

/** What is gone is on no code any more. Of what this branch has in another version the version stays that the link means. */
function linksTo(located: readonly Located[], now: string): readonly TouchRow[] {
  return located.flatMap(({ key, now: { verdict, symbol } }): TouchRow[] => {
    if (verdict === 'gone') return [];
    const { file_path, code_type, name, hash, commit = null } = key;
    const isJudged = symbol !== undefined && verdict !== 'other version';
    if (!isJudged) return [[file_path, code_type, name, hash, now, commit]];
    return [[symbol.file_path, symbol.code_type, symbol.name, symbol.hash, now, symbol.hash === hash ? commit : null]];
  });
}
