/** Finds decisions that may explain a change of code. */
import { LENS_ORDER, type NodeKind } from '../../../kinds/kinds';
import { DAY_MS, HOUR_MS, MINUTE_MS, timestamp } from '../../base/clock';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { isValid } from '../people/node-filter';
import { matches } from '../recall/matches';

/** A commit is made at the end of a piece of work; what is noted about it may follow. */
const BEFORE_MS = 4 * HOUR_MS;
const AFTER_MS = 30 * MINUTE_MS;

/**
 * Ids of the open decisions that became valid while a commit was being made, nearest to it first. When something was
 * decided that came from a file without a date is not known.
 */
export async function decisionsAround(memory: Memory, time: string, limit: number): Promise<string[]> {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return [];
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const rows = await memory.sql.all<{ id: string }>(
    `SELECT id FROM mem_nodes
     WHERE seq >> 32 = $ns AND kind = 'decision' AND ${isValid('mem_nodes')} AND standing <> 'proposed'
       AND valid_from BETWEEN $from AND $to
       AND NOT (julianday(recorded_at) - julianday(valid_from) < $moment AND EXISTS (
         SELECT 1 FROM mem_origins AS g WHERE g.id = origin AND g.kind IN ('import', 'document')))
     ORDER BY abs(julianday(valid_from) - julianday($at)), seq LIMIT $limit`,
    {
      ns,
      limit,
      moment: MINUTE_MS / DAY_MS,
      from: timestamp(at - BEFORE_MS),
      to: timestamp(at + AFTER_MS),
      at: timestamp(at),
    },
  );
  return rows.map(({ id }) => id);
}

const NO_WORD = /[^\p{L}\p{M}\p{N}_]+/u;
/** Numbers, as those of versions and issues, are found in any text with numbers. */
const NUMBER = /^(?:v?\p{N}+|\P{L}*)$/iu;

/** Ids of the open decisions that hold words of a phrase, best first. */
export async function decisionsLike(memory: Memory, phrase: string, limit: number): Promise<string[]> {
  const words = phrase.split(NO_WORD).filter((word) => !NUMBER.test(word));
  if (words.length === 0) return [];
  const found = await matches(memory, words.join(' '), { kinds: ['decision'], state: 'valid', limit });
  const rows = await memory.sql.all<{ id: string }>(
    `SELECT n.id FROM json_each($seqs) AS hit CROSS JOIN mem_nodes AS n ON n.seq = hit.value
     WHERE n.standing <> 'proposed' ORDER BY hit.key LIMIT $limit`,
    { seqs: JSON.stringify(found.map(({ seq }) => seq)), limit },
  );
  return rows.map(({ id }) => id);
}

/** In the order in which lenses show kinds. */
export function decisionsFirst<Listed extends { readonly kind: NodeKind }>(memories: readonly Listed[]): Listed[] {
  const kinds: readonly NodeKind[] = LENS_ORDER;
  return memories.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}
