/** Makes a memory be about what another one was about whose place it takes. */
import { timestamp } from '../../base/clock';
import { asItIs, asItWas, hasCode, keyOf } from '../code/kept-code';
import { isSamePlace, type PlacedTouch, type SymbolPlace } from '../code/touches';
import { recorded } from '../history/operations';
import { type AffectedNode, applySideEffects, type TouchRow } from '../history/side-effects';
import { MAX_ENTITIES } from '../limits';
import type { Memory, WritableMemory } from '../memory';
import { refreshContexts } from '../refresh-contexts';
import type { Located } from '../verify';

/**
 * Gives the newer one the names of the older one, as far as it may have more, and links to the code of the older one as that is
 * now: a person has just said that it holds there.
 * @param older row number
 * @param links to the code of the older one, by `linksTo`
 */
export async function takeCode(
  memory: WritableMemory,
  ns: number,
  { newer, older }: { readonly newer: AffectedNode; readonly older: number },
  links: readonly PlacedTouch[],
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
  const now = timestamp(memory.clock());
  const linked = links
    .filter((link) => !there.some((place) => isSamePlace(place, link)))
    .map((link) => rowOf(link, now));
  if (names.length + linked.length === 0) return;
  const side = {
    ...(names.length > 0 ? { about: names.map(({ id }) => id) } : {}),
    ...(linked.length > 0 ? { linked } : {}),
  };
  await recorded(memory, ns, 'link', [{ seq, side }], () => applySideEffects(memory, ns, newer, side));
  await refreshContexts(memory, ns, [seq]);
}

/**
 * The links that a memory gets to the code of another one whose place it takes. Of what is gone it is known to be. Of what is as
 * it was, or is gone as a person has confirmed, what this branch has in another version, or what cannot be looked at, the link
 * stays as it is.
 * Belongs before the transaction, as what finds the code.
 */
export async function linksTo({ code }: Memory, located: readonly Located[]): Promise<readonly PlacedTouch[]> {
  const commit = code.commit?.() ?? null;
  const canLook = await hasCode({ code });
  const links = located.flatMap(({ key, now }): PlacedTouch[] => {
    const { verdict } = now;
    if (!canLook || verdict === 'not judged' || verdict === 'other version') return [asItWas(key)];
    // It may accept what other branches have.
    if (verdict === 'unchanged') return [asItWas(key)];
    return asItIs(now, key).map((one) => ({ ...one, commit }));
  });
  // Two links may have come to one symbol.
  return [...new Map(links.map((link) => [JSON.stringify(keyOf(link)), link])).values()];
}

function rowOf(
  { file_path, code_type, name, hash, commit = null, confirmed = [] }: PlacedTouch,
  now: string,
): TouchRow {
  const row = [file_path, code_type, name, hash, now, commit] as const;
  return confirmed.length === 0 ? row : [...row, confirmed];
}
