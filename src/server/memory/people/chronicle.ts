/** Memories in the order of time, counted and page by page. */

import { MEMORY_KINDS, type MemoryKind } from '../../../kinds/kinds';
import { DAY_MS } from '../../base/clock';
import { cut } from '../../base/text';
import { markedWhereOpen } from '../code/doubts-of-memories';
import { findEntities } from '../entities';
import { inEachLayer, OWN_LAYER } from '../layers';
import type { Memory } from '../memory';
import { entityNames, nearest } from '../nearest';
import { findNode, unknownNode } from '../nodes';
import { SUPERSEDED_BY, topicMatch } from '../timeline';
import type { NodeSummary } from './node-details';

/** Longest content of an entry: a list is for choosing, the memory's own page tells the rest. */
const MAX_EXCERPT = 300;

export interface AskChronicle {
  /** Words that the memories hold; absent for all. */
  readonly topic: string | undefined;
  /** Name, alias or id of the entity that they are about. */
  readonly about: string | undefined;
  /** Empty for all six. */
  readonly kinds: readonly MemoryKind[];
  /** Bounds of valid_from, both inclusive, in our own 24-character form. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Stretches of equal length that the memories between the bounds are counted in; 0 counts none. */
  readonly buckets: number;
  readonly limit: number;
  /** Id of the last entry of the page before. */
  readonly before: string | undefined;
}

/** A memory as one mark of a drawing or one line of a list. */
export interface ChronicleEntry extends NodeSummary {
  readonly kind: MemoryKind;
  readonly superseded_by: string | null;
}

export interface ChronicleBucket {
  /** 0 for the stretch that begins at `from`. */
  readonly index: number;
  readonly kind: MemoryKind;
  readonly count: number;
  /** Of these, superseded, refuted or forgotten ones. */
  readonly closed: number;
}

export interface Chronicle {
  /** valid_from of the oldest and of the newest memory asked for, whatever the bounds; null when there is none. */
  readonly first: string | null;
  readonly last: string | null;
  /** Memories asked for, whatever the bounds. */
  readonly total: number;
  /** Those between the bounds. */
  readonly within: number;
  readonly buckets: readonly ChronicleBucket[];
  /** Newest first. */
  readonly entries: readonly ChronicleEntry[];
  /** Whether older entries follow these. */
  readonly more: boolean;
  /** Entity names like the topic, when nothing is found. */
  readonly nearest: readonly string[];
}

/** How the rows asked for are found. */
interface Source {
  readonly ns: number;
  readonly rows: string;
  readonly bound: Readonly<Record<string, string | number>>;
}

/**
 * Memories in the order of time, counted in equal stretches and listed page by page, so that any number of them can be
 * drawn. Closed and forgotten ones are there, too.
 * @throws SvcError not_found for an unknown id in `before`
 */
export async function chronicle(memory: Memory, asked: AskChronicle): Promise<Chronicle> {
  const source = await sourceOf(memory, asked);
  const extent = await memory.sql.get<{ first: string | null; last: string | null; total: number }>(
    `SELECT min(n.valid_from) AS first, max(n.valid_from) AS last, count(*) AS total FROM ${source.rows}`,
    source.bound,
  );
  const { first = null, last = null, total = 0 } = extent ?? {};
  const from = asked.from ?? first ?? '';
  const to = asked.to ?? last ?? '';
  const within = from <= (first ?? '') && to >= (last ?? '') ? total : await countWithin(memory, source, from, to);
  const entries = total === 0 ? [] : await page(memory, source, { from, to, asked });
  return {
    first,
    last,
    total,
    within,
    buckets: asked.buckets === 0 || within === 0 ? [] : await counted(memory, source, from, to, asked.buckets),
    entries: entries.slice(0, asked.limit),
    more: entries.length > asked.limit,
    nearest: total > 0 ? [] : nearest(asked.topic ?? asked.about ?? '', await entityNames(memory, source.ns)),
  };
}

const ALL_KINDS = JSON.stringify(MEMORY_KINDS);

async function sourceOf(memory: Memory, { topic, about, kinds }: AskChronicle): Promise<Source> {
  const { ns, match } = await topicMatch(memory, topic ?? '', '');
  const wanted = kinds.length === 0 ? ALL_KINDS : JSON.stringify(kinds);
  const ofKind = 'n.kind IN (SELECT value FROM json_each($kinds))';
  const bound = { ns, kinds: wanted };
  if (topic !== undefined && match === '')
    return { ns, rows: 'mem_nodes AS n WHERE n.seq >> 32 = $ns AND 0', bound: { ns } };
  const matching = inEachLayer(
    memory.sql,
    (layer) => `SELECT rowid FROM ${layer}.mem_fts
    WHERE mem_fts MATCH $match AND rowid BETWEEN $ns << 32 AND ($ns << 32) + 4294967295`,
  );
  if (about !== undefined) {
    const entity = (await findEntities(memory.sql, ns, [about])).get(about);
    return {
      ns,
      rows: `mem_edges AS e CROSS JOIN mem_nodes AS n ON n.seq = e.src
        WHERE e.type = 'ABOUT' AND e.dst = $entity AND +(n.seq >> 32) = $ns AND ${ofKind}
        ${topic === undefined ? '' : `AND n.seq IN (${matching})`}`,
      bound: { ...bound, entity: entity?.seq ?? -1, ...(topic === undefined ? {} : { match }) },
    };
  }
  if (topic !== undefined) {
    return {
      ns,
      rows: `(${matching}) AS f CROSS JOIN mem_nodes AS n ON n.seq = f.rowid WHERE +(n.seq >> 32) = $ns AND ${ofKind}`,
      bound: { ...bound, match },
    };
  }
  return { ns, rows: `mem_nodes AS n WHERE n.seq >> 32 = $ns AND ${ofKind}`, bound };
}

async function countWithin(memory: Memory, { rows, bound }: Source, from: string, to: string): Promise<number> {
  const row = await memory.sql.get<{ within: number }>(
    `SELECT count(*) AS within FROM ${rows} AND n.valid_from BETWEEN $from AND $to`,
    { ...bound, from, to },
  );
  return row?.within ?? 0;
}

function counted(
  memory: Memory,
  { rows, bound }: Source,
  from: string,
  to: string,
  buckets: number,
): Promise<ChronicleBucket[]> {
  const days = Math.max(Date.parse(to) - Date.parse(from), 1) / DAY_MS;
  return memory.sql.all<ChronicleBucket>(
    `SELECT min(CAST((julianday(n.valid_from) - julianday($from)) / $days * $buckets AS INTEGER), $buckets - 1) AS "index",
            n.kind AS kind, count(*) AS count, sum(n.valid_until IS NOT NULL OR n.tombstoned) AS closed
     FROM ${rows} AND n.valid_from BETWEEN $from AND $to GROUP BY 1, 2 ORDER BY 1, 2`,
    { ...bound, from, to, days, buckets },
  );
}

interface Page {
  readonly from: string;
  readonly to: string;
  readonly asked: AskChronicle;
}

/** One more than the page holds, where there is one. */
async function page(memory: Memory, { ns, rows, bound }: Source, { from, to, asked }: Page): Promise<ChronicleEntry[]> {
  const last = asked.before === undefined ? undefined : await findNode(memory.sql, ns, asked.before);
  if (asked.before !== undefined && !last) throw unknownNode(asked.before, 'before');
  const found = await memory.sql.all<ChronicleEntry & { readonly seq: number }>(
    `WITH page AS MATERIALIZED (
       SELECT n.seq FROM ${rows} AND n.valid_from BETWEEN $from AND $to
         AND ($day IS NULL OR n.valid_from < $day OR (n.valid_from = $day AND n.seq < $seq))
       ORDER BY n.valid_from DESC, n.seq DESC LIMIT $limit)
     SELECT n.seq, n.id, n.kind, substr(n.content, 1, ${MAX_EXCERPT + 1}) AS content, n.confidence, n.recorded_at, n.valid_from,
            n.valid_until, n.tombstoned, n.standing, s.id AS session_id,
            ${SUPERSEDED_BY}
     FROM page CROSS JOIN mem_nodes AS n ON n.seq = page.seq LEFT JOIN ${OWN_LAYER}.mem_nodes AS s ON s.seq = n.session
     WHERE +(n.seq >> 32) = $ns ORDER BY n.valid_from DESC, n.seq DESC`,
    { ...bound, ns, from, to, day: last?.valid_from ?? null, seq: last?.seq ?? null, limit: asked.limit + 1 },
  );
  const entries = await markedWhereOpen(memory, found);
  return entries.map(({ seq: _, ...entry }) => ({ ...entry, content: cut(entry.content, MAX_EXCERPT) }));
}
