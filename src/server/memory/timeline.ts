/** The memories on a topic, in any state. */

import type { NodeKind } from '../../kinds/kinds';
import type { Reader } from '../db/sql';
import { markedWhereOpen } from './code/doubts-of-memories';
import { isSuperseded } from './edges';
import { alongSuperseding, inEachLayer, notReplaced } from './layers';
import { MAX_TIMELINE_LINES } from './limits';
import type { Marked } from './marks';
import type { Memory } from './memory';
import { entityNames, nearest } from './nearest';
import { MEMORY_KINDS_SQL, STRUCTURAL_KINDS_SQL } from './node-kinds';
import type { Standing } from './origins';
import { parseQuery } from './recall/query';
import { formsWithLonger } from './recall/search';
import { type Survey, surveyStore } from './recall/vocabulary';
import { analyze, stem } from './text/analyze';

export interface TimelineEntry extends Marked {
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  readonly confidence: number;
  readonly recorded_at: string;
  readonly valid_from: string;
  readonly valid_until: string | null;
  readonly tombstoned: 0 | 1;
  readonly standing: Standing;
  readonly superseded_by: string | null;
}

export interface Timeline {
  /** Oldest first. */
  readonly entries: readonly TimelineEntry[];
  /** Older ones that were left out. */
  readonly omitted: number;
  /** Those that hold only some of the topic's words, where too many do and only those with all words are listed. */
  readonly partial: number;
  /** Memories on the topic that were recorded before `since`, when none was recorded later. */
  readonly earlier: number;
  /** Entity names like the topic, when nothing matches. */
  readonly nearest: readonly string[];
}

/** The id of what superseded the node `n`, the latest of several. */
export const SUPERSEDED_BY = `(SELECT id FROM (SELECT newer.seq, newer.id
   FROM mem_edges AS e CROSS JOIN mem_nodes AS newer ON newer.seq = e.src
   WHERE e.type = 'SUPERSEDES' AND e.dst = n.seq AND ${isSuperseded('n', 'newer')} LIMIT -1) ORDER BY seq DESC LIMIT 1) AS superseded_by`;

/** More words of a pasted topic are not looked at. */
const MAX_TOPIC_TERMS = 16;

/** What a topic stands for in the full-text index. */
export interface TopicMatch {
  readonly ns: number;
  /** An FTS5 expression; empty when the store knows none of the words. */
  readonly match: string;
  /** Memories that it finds. */
  readonly found: number;
  /** Those that hold only some of the words, where too many do and only those with all words are asked for. */
  readonly partial: number;
}

/**
 * The memories that hold any of the topic's words, of a name of code ("res.send", "src/store.ts#open") all of its parts;
 * those with all words, where the others would be too many.
 */
export async function topicMatch(memory: Memory, topic: string, from: string): Promise<TopicMatch> {
  const { sql } = memory;
  const { ns, terms } = await termsOf(memory, topic);
  const forms = new Map(terms.slice(0, MAX_TOPIC_TERMS).map((term) => [term.stem, `(${formsWithLonger(term)})`]));
  const named = topic.split(/\s+/u).flatMap((chunk) => wholeName(chunk, forms));
  const single = [...forms.values()];
  const hasNames = named.some((one) => !single.includes(one));
  // A name that nothing has is taken for its words.
  const words = hasNames && (await countMatches(sql, ns, named.join(' OR '), '')) > 0 ? named : single;
  const any = words.join(' OR ');
  const all = words.join(' AND ');
  const total = await countMatches(sql, ns, any, from);
  const strict = total > MAX_TIMELINE_LINES && words.length > 1 ? await countMatches(sql, ns, all, from) : 0;
  return strict > 0
    ? { ns, match: all, found: strict, partial: total - strict }
    : { ns, match: any, found: total, partial: 0 };
}

/** What the store knows of the topic's words: "get" is one of them only where nothing else is, or in a name such as "app.get". */
async function termsOf(memory: Memory, topic: string): Promise<Survey> {
  const query = parseQuery(topic, memory.clock());
  const inNames = new Set(
    topic.split(/\s+/u).flatMap((chunk) => (tokensOf(chunk).length > 1 ? analyze(chunk).words : [])),
  );
  const asked = [...query.content, ...query.function.filter(({ word }) => inNames.has(word))];
  const found = await surveyStore(memory, memory.scope.namespace, asked);
  return found.terms.length > 0 ? found : surveyStore(memory, memory.scope.namespace, query.function);
}

const tokensOf = (chunk: string): string[] => chunk.split(/[^\p{L}\p{N}\p{M}_+]+/u).filter(Boolean);

/** @returns an expression that what holds the whole of it matches; none where the store does not know some part */
function wholeName(chunk: string, forms: ReadonlyMap<string, string>): string[] {
  const known = (word: string): string[] => {
    const form = forms.get(stem(word));
    return form === undefined ? [] : [form];
  };
  const parts = tokensOf(chunk).map((token) => {
    const [whole = '', ...pieces] = analyze(token).words;
    if (pieces.length === 0 || whole !== pieces.join('')) return either([whole, ...pieces].flatMap(known));
    // "sendFile" is found as it is, and where all of its words are.
    const together = pieces.map(known);
    const all = together.some(({ length }) => length === 0) ? [] : [`(${together.flat().join(' AND ')})`];
    return either([...known(whole), ...all]);
  });
  if (parts.length === 0 || parts.includes('')) return [];
  return [parts.length === 1 ? parts.join('') : `(${parts.join(' AND ')})`];
}

function either(expressions: readonly string[]): string {
  return expressions.length > 1 ? `(${expressions.join(' OR ')})` : expressions.join('');
}

/** All memories on a topic, superseded and forgotten ones included, with the whole chain of what superseded what. */
export async function timeline(memory: Memory, topic: string, since: string | undefined): Promise<Timeline> {
  const { sql } = memory;
  const from = since ?? '';
  const { ns, match, found, partial } = await topicMatch(memory, topic, from);
  const { entries, matched } = await newestEntries(sql, ns, match, from);
  return {
    // Of too many files those of the newest are judged.
    entries: (await markedWhereOpen(memory, entries)).reverse().map(({ seq: _, ...entry }) => entry),
    omitted: found - matched,
    partial,
    earlier: found === 0 && since !== undefined ? await countMatches(sql, ns, match, '') : 0,
    nearest: found > 0 ? [] : nearest(topic, await entityNames(memory, ns)),
  };
}

/** A query of the memories that match. */
const matching = (sql: Reader): string =>
  inEachLayer(
    sql,
    (layer) => `SELECT n.seq, n.valid_from, n.recorded_at
  FROM ${layer}.mem_fts AS f CROSS JOIN ${layer}.mem_nodes AS n ON n.seq = f.rowid
  WHERE mem_fts MATCH $match AND f.rowid BETWEEN $ns << 32 AND ($ns << 32) + 4294967295
    AND n.kind IN (${MEMORY_KINDS_SQL}) AND n.recorded_at >= $from ${notReplaced(sql, layer, 'n')}`,
  );

async function countMatches(sql: Reader, ns: number, match: string, from: string): Promise<number> {
  if (match === '') return 0;
  const row = await sql.get<{ n: number }>(`SELECT count(*) AS n FROM (${matching(sql)})`, { ns, match, from });
  return row?.n ?? 0;
}

/** The newest matches and whatever their chains of SUPERSEDES lead to, newest first; the oldest go where these are too many. */
async function newestEntries(
  sql: Reader,
  ns: number,
  match: string,
  from: string,
): Promise<{ entries: (TimelineEntry & { readonly seq: number })[]; matched: number }> {
  if (match === '') return { entries: [], matched: 0 };
  const rows = await sql.all<TimelineEntry & { seq: number; matched: number }>(
    `WITH RECURSIVE
       newest (seq) AS MATERIALIZED (
         SELECT seq FROM (${matching(sql)})
         ORDER BY valid_from DESC, recorded_at DESC, seq DESC LIMIT ${MAX_TIMELINE_LINES}),
       chain (seq) AS (
         SELECT seq FROM newest
         ${alongSuperseding(sql)})
     SELECT n.seq, n.id, n.kind, n.content, n.confidence, n.recorded_at, n.valid_from, n.valid_until, n.tombstoned,
            n.standing, n.seq IN newest AS matched, ${SUPERSEDED_BY}
     FROM chain CROSS JOIN mem_nodes AS n ON n.seq = chain.seq
     WHERE +(n.seq >> 32) = $ns AND n.kind NOT IN (${STRUCTURAL_KINDS_SQL}) AND n.recorded_at >= $from
     ORDER BY n.valid_from DESC, n.recorded_at DESC, n.seq DESC LIMIT ${MAX_TIMELINE_LINES}`,
    { ns, match, from },
  );
  const entries = rows.map(({ matched: _, ...entry }) => entry);
  return { entries, matched: rows.reduce((sum, row) => sum + row.matched, 0) };
}
