/** A recall, from the question to memories in order. */

import type { NodeKind } from '../../../kinds/kinds';
import type { Reader } from '../../db/sql';
import { markedWithCode } from '../code/doubts-of-memories';
import { inEachLayer, OWN_LAYER } from '../layers';
import { type Marked, marked } from '../marks';
import type { Memory } from '../memory';
import { STANDING, type Standing } from '../origins';
import { type Inquiry, type InquiryInput, inquire } from './inquire';
import { withoutKept } from './kept-both';
import type { Ranked, Reasons } from './order';
import { rank } from './rank';

/** Why a memory was found, or is in a briefing, for people and agents; what stands after a name is an id or an entity. */
export type Reason =
  | 'words'
  | `entity ${string}`
  | `neighbour of ${string}`
  | 'document'
  | 'date'
  | `newer than ${string}`
  | BriefingReason;

/** In a briefing: the outcome of the session that ended last, or of another one; a standing memory that a person has confirmed, or not. */
export type BriefingReason = 'last session' | 'recent session' | 'confirmed' | 'standing';

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
  readonly standing: Standing;
  /** Id of the session it was stored in. */
  readonly session_id: string | null;
  /** Size of its printed line, when it was measured before. */
  readonly tokens: number | null;
  /** Missing where memories are listed. */
  readonly reasons?: readonly Reason[];
}

/** The columns of a RankedItem, for `SELECT`s on `mem_nodes AS n`, with the session of `n` as `s`. */
export const RANKED_COLUMNS = `n.seq, n.id, n.kind, n.content, n.confidence, n.recorded_at, n.valid_from,
  ${STANDING} AS standing, s.id AS session_id, n.tokens`;

export interface Recalled {
  /** Best first. */
  readonly items: readonly RankedItem[];
  readonly asOf: string;
  /** Of a briefing: memories that wait until a person keeps them. */
  readonly waiting?: number;
  /** Missing where nothing was searched for. */
  readonly matched?: Matched;
}

/** How many memories match by themselves, among the items or not. */
export interface Matched {
  readonly count: number;
  /** The search stopped there. */
  readonly isLeast: boolean;
}

/** Direct hits that are scored; more for budgets that hold more. */
const MIN_CANDIDATES = 80;

/**
 * The memories that answer the question best: full-text search over exact, stemmed and longer forms, relevance handed
 * on to neighbours, and bounded factors that break ties. Never throws on any text.
 */
export async function recall(memory: Memory, input: RecallInput): Promise<Recalled> {
  const limit = Math.max(MIN_CANDIDATES, input.limit);
  const inquiry = await inquire(memory, { ...input, dated: true, related: true }, limit);
  // A document is one hop away from what it speaks of.
  const terms = inquiry.query.content.flatMap(({ word, stem }) => (word === stem ? [word] : [word, stem]));
  const reached = input.hops === 0 ? [] : ((await memory.documents?.symbolsFor(terms)) ?? []);
  const order = await rank(memory.sql, inquiry, { hops: input.hops, limit }, reached);
  const found = await load(memory.sql, inquiry, order.slice(0, input.limit));
  const items = await withoutKept(memory, inquiry.mask.ns, found);
  const matched = {
    count: order.filter(({ reasons }) => reasons.words).length,
    isLeast: inquiry.found.length >= limit,
  };
  // What the code is today says nothing of another time.
  const shown =
    input.as_of === undefined ? await markedWithCode(memory, items) : items.map((one) => marked(memory, one));
  return { items: shown, asOf: inquiry.mask.asOf, matched };
}

/** As one JSON text: the driver takes as long for each row as for a hundred values of it. */
async function load(sql: Reader, { named }: Inquiry, ranked: readonly Ranked[]): Promise<RankedItem[]> {
  const row = await sql.get<{ items: string }>(
    // JSON has no infinity, which a store file from elsewhere may hold.
    `SELECT json_group_array(json(item)) AS items FROM (SELECT item FROM (${inEachLayer(
      sql,
      (layer) => `SELECT asked.key AS place,
         json_array(n.seq, n.id, n.kind, n.content, max(-1, min(n.confidence, 2)), n.recorded_at,
                    n.valid_from, ${STANDING}, s.id, n.tokens,
                    (SELECT id FROM mem_nodes WHERE seq = asked.value ->> 1),
                    (SELECT id FROM mem_nodes WHERE seq = asked.value ->> 2),
                    (SELECT id FROM mem_nodes WHERE seq = asked.value ->> 3)) AS item
       FROM json_each($seqs) AS asked CROSS JOIN ${layer}.mem_nodes AS n ON n.seq = asked.value ->> 0
       LEFT JOIN ${OWN_LAYER}.mem_nodes AS s ON s.seq = n.session`,
    )}) ORDER BY place)`,
    {
      seqs: JSON.stringify(
        ranked.map(({ seq, reasons, newer }) => [seq, reasons.neighbour ?? null, reasons.older ?? null, newer ?? null]),
      ),
    },
  );
  const items = JSON.parse(row?.items ?? '[]') as ItemTuple[];
  const found = new Map(ranked.map((one) => [one.seq, one.reasons]));
  return items.map(
    ([
      seq,
      id,
      kind,
      content,
      confidence,
      recorded_at,
      valid_from,
      standing,
      session_id,
      tokens,
      neighbour,
      older,
      newer,
    ]) => ({
      seq,
      id,
      kind,
      content,
      confidence,
      recorded_at,
      valid_from,
      standing,
      session_id,
      tokens,
      reasons: told(found.get(seq), named, { neighbour, older }),
      ...(newer === null ? {} : { newer }),
    }),
  );
}

function told(
  reasons: Reasons | undefined,
  named: Inquiry['named'],
  { neighbour, older }: { readonly neighbour: string | null; readonly older: string | null },
): Reason[] {
  if (!reasons) return [];
  const { words, entity, document, date } = reasons;
  const name = entity === undefined ? undefined : named.get(entity);
  return [
    ...(words ? (['words'] as const) : []),
    ...(name === undefined ? [] : [`entity ${name}` as const]),
    ...(neighbour === null ? [] : [`neighbour of ${neighbour}` as const]),
    ...(document ? (['document'] as const) : []),
    ...(date ? (['date'] as const) : []),
    ...(older === null ? [] : [`newer than ${older}` as const]),
  ];
}

type ItemTuple = [
  ...[seq: number, id: string, kind: NodeKind, content: string, confidence: number, recorded_at: string],
  ...[valid_from: string, standing: Standing, session_id: string | null, tokens: number | null],
  ...[neighbour: string | null, older: string | null, newer: string | null],
];
