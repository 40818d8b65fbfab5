/** A recall, from the question to memories in order. */

import type { NodeKind } from '../../../kinds/kinds';
import type { Reader } from '../../db/sql';
import { type Marked, marked } from '../marks';
import type { Memory } from '../memory';
import { type InquiryInput, inquire } from './inquire';
import { type Ranked, type Reason, rank } from './rank';

export interface RecallInput extends InquiryInput {
  readonly hops: number;
  /** At most this many memories are wanted. */
  readonly limit: number;
}

/** A memory ready to be printed. */
export interface RankedItem extends Marked {
  readonly seq: number;
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  readonly confidence: number;
  readonly recorded_at: string;
  readonly valid_from: string;
  /** Id of the session it was stored in. */
  readonly session_id: string | null;
  /** Size of its printed line, when it was measured before. */
  readonly tokens: number | null;
  /** Missing where nothing was searched for. */
  readonly reasons?: readonly Reason[];
}

/** The columns of a RankedItem, for `SELECT`s on `mem_nodes AS n LEFT JOIN mem_nodes AS s ON s.seq = n.session`. */
export const RANKED_COLUMNS = `n.seq, n.id, n.kind, n.content, n.confidence, n.recorded_at, n.valid_from,
  s.id AS session_id, n.tokens`;

export interface Recalled {
  /** Best first. */
  readonly items: readonly RankedItem[];
  readonly asOf: string;
}

/** Direct hits that are scored; more for budgets that hold more. */
const MIN_CANDIDATES = 80;

/**
 * The memories that answer the question best: full-text search over exact, stemmed and longer forms, relevance handed
 * on to neighbours, and bounded factors that break ties. Never throws on any text.
 */
export async function recall(memory: Memory, input: RecallInput): Promise<Recalled> {
  const inquiry = await inquire(memory, { ...input, dated: true }, Math.max(MIN_CANDIDATES, input.limit));
  // A document is one hop away from what it speaks of.
  const terms = inquiry.query.content.flatMap(({ word, stem }) => (word === stem ? [word] : [word, stem]));
  const reached = input.hops === 0 ? [] : ((await memory.documents?.symbolsFor(terms)) ?? []);
  const order = await rank(memory.sql, inquiry, input.hops, reached);
  const items = await load(memory.sql, order.slice(0, input.limit));
  return { items: items.map((item) => marked(memory, item)), asOf: inquiry.mask.asOf };
}

/** As one JSON text: the driver takes as long for each row as for a hundred values of it. */
async function load(sql: Reader, ranked: readonly Ranked[]): Promise<RankedItem[]> {
  const row = await sql.get<{ items: string }>(
    // JSON has no infinity, which a store file from elsewhere may hold.
    `SELECT json_group_array(json_array(n.seq, n.id, n.kind, n.content, max(-1, min(n.confidence, 2)), n.recorded_at,
                                        n.valid_from, s.id, n.tokens)) AS items
     FROM json_each($seqs) AS asked CROSS JOIN mem_nodes AS n ON n.seq = asked.value
     LEFT JOIN mem_nodes AS s ON s.seq = n.session`,
    { seqs: JSON.stringify(ranked.map(({ seq }) => seq)) },
  );
  const items = JSON.parse(row?.items ?? '[]') as ItemTuple[];
  const reasons = new Map(ranked.map((one) => [one.seq, one.reasons]));
  return items.map(([seq, id, kind, content, confidence, recorded_at, valid_from, session_id, tokens]) => ({
    seq,
    id,
    kind,
    content,
    confidence,
    recorded_at,
    valid_from,
    session_id,
    tokens,
    reasons: reasons.get(seq) ?? [],
  }));
}

type ItemTuple = [number, string, NodeKind, string, number, string, string, string | null, number | null];
