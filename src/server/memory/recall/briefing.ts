/** The briefing for `project context`. */

import { KINDS, MEMORY_KINDS } from '../../../kinds/kinds';
import { DAY_MS, timestamp } from '../../base/clock';
import { latestValid, VALID, validAt } from '../clock-ahead';
import { markedWithCode } from '../code/doubts-of-memories';
import { marked } from '../marks';
import type { Memory } from '../memory';
import { NO_NAMESPACE } from '../namespaces';
import { likenessOf } from '../similar/likeness';
import { valueSentences } from '../similar/value-sentences';
import { bothKept } from './kept-both';
import { type BriefingReason, RANKED_COLUMNS, type RankedItem, type Recalled, type RecallInput } from './recall';

/** Outcomes of sessions that ended earlier are left out: docs/behaviour.md, "Briefing". */
const BRIEFING_DAYS = 30;
/** Of each kind, newest first, and again of what a person has confirmed. */
const MAX_ITEMS = 40;
/** Confirmed memories are looked for among this many of the newest of a kind, which bounds the time. */
const LOOKED_AT = 5_000;
/** A memory of less confidence comes after the others. */
const DOUBTFUL = 0.5;
/** All words but the value agree, or nearly all: of two such memories the older one tells nothing. */
const SAME_BUT_VALUE = 0.9;

export function asksForBriefing(query: string): boolean {
  return query.trim().replace(/\s+/g, ' ').toLowerCase() === 'project context';
}

/**
 * The latest outcome of a session leads. Then come decisions and conventions (procedures and preferences) by turns, those
 * that a person has confirmed before the others, each newest first; then the other outcomes of the last 30 days.
 */
export async function briefing(memory: Memory, input: RecallInput): Promise<Recalled> {
  const { ns, waiting } = await surveyNamespace(memory, input.namespace ?? memory.scope.namespace);
  const at = validAt(memory, input.as_of);
  const { asOf } = at;
  // A stranger's words open no conversation: docs/behaviour.md, "Briefing".
  if (memory.foreign) return { items: [], asOf };
  const since = timestamp(Date.parse(asOf) - BRIEFING_DAYS * DAY_MS);
  // Kind by kind, so that the index on kind and valid_from gives the newest of each without a sort.
  const newestOf = (kind: string, from: string, condition: string): string =>
    `SELECT * FROM (
       SELECT ${RANKED_COLUMNS} FROM ${from} AS n LEFT JOIN main.mem_nodes AS s ON s.seq = n.session
       WHERE n.seq >> 32 = $ns AND n.kind = '${kind}' AND n.tombstoned = 0 AND n.standing <> 'proposed'
         AND n.valid_from <= $latest AND ${VALID} AND n.confidence >= $minConfidence
         AND ($kinds = '[]' OR n.kind IN (SELECT value FROM json_each($kinds))) ${condition}
       ORDER BY n.valid_from DESC LIMIT ${MAX_ITEMS})`;
  const lookedAt = (kind: string): string =>
    `(SELECT * FROM mem_nodes WHERE seq >> 32 = $ns AND kind = '${kind}' AND tombstoned = 0 AND valid_from <= $latest
      ORDER BY valid_from DESC LIMIT ${LOOKED_AT})`;
  const found = await memory.sql.all<RankedItem>(
    `${[
      ...MEMORY_KINDS.filter((kind) => KINDS[kind].standing).flatMap((kind) => [
        newestOf(kind, 'mem_nodes', ''),
        newestOf(kind, lookedAt(kind), "AND n.standing = 'confirmed'"),
      ]),
      newestOf(
        'outcome',
        'mem_nodes',
        `AND n.valid_from >= $since AND EXISTS (SELECT 1 FROM mem_edges WHERE type = 'OCCURRED_IN' AND src = n.seq)`,
      ),
    ].join(' UNION ')} ORDER BY valid_from DESC, recorded_at DESC, seq DESC`,
    {
      ns,
      ...at,
      latest: latestValid(at),
      since,
      minConfidence: input.min_confidence,
      kinds: JSON.stringify(input.kinds),
    },
  );
  const items = inOrder(found).slice(0, MAX_ITEMS);
  const told = (await withoutOlder(memory, ns, items)).map((item) => ({ ...item, reasons: [reasonFor(item, items)] }));
  const shown = input.as_of === undefined ? await markedWithCode(memory, told) : told.map((one) => marked(memory, one));
  return { items: shown, asOf, waiting };
}

/** Of items, newest first: what a conversation begins with, first. */
function inOrder(found: readonly RankedItem[]): RankedItem[] {
  const outcomes = found.filter(({ kind }) => kind === 'outcome');
  const standing = found.filter(({ kind }) => kind !== 'outcome').sort((a, b) => tierOf(a) - tierOf(b));
  const decisions = standing.filter(({ kind }) => kind === 'decision');
  const conventions = standing.filter(({ kind }) => kind !== 'decision');
  const turns = Array.from({ length: Math.max(decisions.length, conventions.length) }, (_, i) => [
    ...decisions.slice(i, i + 1),
    ...conventions.slice(i, i + 1),
  ]);
  // So that the next session knows where the last one stopped.
  return [...outcomes.slice(0, 1), ...turns.flat(), ...outcomes.slice(1)];
}

function reasonFor(item: RankedItem, items: readonly RankedItem[]): BriefingReason {
  if (item.kind === 'outcome') return item === items[0] ? 'last session' : 'recent session';
  return item.standing === 'confirmed' ? 'confirmed' : 'standing';
}

function tierOf({ standing, confidence }: RankedItem): number {
  if (confidence < DOUBTFUL) return 2;
  return standing === 'confirmed' ? 0 : 1;
}

/**
 * Without those that say what a newer one says with another value, unless a person has confirmed the older one alone, or wants
 * both.
 */
async function withoutOlder(memory: Memory, ns: number, items: readonly RankedItem[]): Promise<readonly RankedItem[]> {
  const stated = new Map(items.map((item) => [item, valueSentences(item.content)]));
  const replaced = items.flatMap((item) => {
    const newer = items.filter(
      (other) =>
        other.valid_from > item.valid_from &&
        tierOf(other) <= tierOf(item) &&
        likenessOf(stated.get(item) ?? [], stated.get(other) ?? [], () => 1) >= SAME_BUT_VALUE,
    );
    return item.kind === 'outcome' || newer.length === 0 ? [] : [{ item, newer }];
  });
  if (replaced.length === 0) return items;
  const areKept = await bothKept(memory, ns);
  const leftOut = replaced.filter(({ item, newer }) => newer.some((other) => !areKept(item, other)));
  return items.filter((item) => leftOut.every((one) => one.item !== item));
}

async function surveyNamespace({ sql }: Memory, name: string): Promise<{ ns: number; waiting: number }> {
  const row = await sql.get<{ ns: number; waiting: number }>(
    `SELECT at.ns, (SELECT count(*) FROM main.mem_nodes AS n WHERE n.standing = 'proposed'
                      AND n.kind NOT IN ('entity', 'session') AND n.tombstoned = 0
                      AND n.valid_until IS NULL AND +(n.seq >> 32) = at.ns) AS waiting
     FROM mem_namespaces AS at WHERE at.name = $name`,
    { name },
  );
  return row ?? { ns: NO_NAMESPACE, waiting: 0 };
}
