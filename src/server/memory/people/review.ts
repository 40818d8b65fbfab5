/** What waits for a person to look at. */

import type { MemoryKind } from '../../../kinds/kinds';
import {
  type Doubtful,
  isDoubtful,
  type LocatedSymbol,
  locateTouches,
  TOUCH_COLUMNS,
  type Touch,
} from '../code/touches';
import { weight } from '../code/weight';
import { entityVariants } from '../consolidation/entity-variants';
import { type DuplicatePair, isKeptInFile, keptPairs, nearDuplicates, pairKey } from '../consolidation/near-duplicates';
import { isProposal } from '../layers';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { nearPairs } from '../similar/near-pairs';
import type { NodeSummary } from './node-details';

/** A memory that waits for a person, because the code it is about is no longer what or where it was. */
export interface ReviewEntry {
  /** Number of the entry. */
  readonly id: number;
  readonly namespace: string;
  readonly node: NodeSummary;
  /** Whether its file is there now, whatever was so when it was queued. */
  readonly reason: 'stale' | 'missing';
  readonly verdict: Doubtful;
  readonly queued_at: string;
  /** The symbol as it was when the memory was linked to it or confirmed; of what is gone where it stood last, as far as that is known. */
  readonly was: { readonly file_path: string; readonly code_type: string; readonly name: string };
  /** When that was. */
  readonly linked_at: string;
  /** Where it stands now; null when it is gone. */
  readonly now: PlaceNow | null;
}

export interface PlaceNow {
  readonly file_path: string;
  readonly code_type: string;
  readonly name: string;
  readonly start_line: number;
  readonly end_line: number;
}

export interface NearDuplicatePair {
  readonly namespace: string;
  readonly kind: MemoryKind;
  /** Of near-duplicates the Jaccard of the stems, 0.9 to 1; of others what `memory_store` compares, 0.6 to 1. */
  readonly similarity: number;
  readonly newer: { readonly id: string; readonly content: string; readonly valid_from: string };
  readonly older: { readonly id: string; readonly content: string; readonly valid_from: string };
}

/** Entries that are read and judged at once. */
const PORTION = 200;

interface EntryRow extends Touch, NodeSummary {
  readonly entry: number;
  readonly queued_at: string;
}

/**
 * What waits in the review queue of the active namespace, oldest entry first, judged again from the working files: what
 * is as it was before does not need a person. Of several symbols in a file the worst counts. Proposals are left out: they
 * wait already, and a person reads them before they count.
 */
export async function reviewEntries(memory: Memory, limit: number): Promise<ReviewEntry[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const found: ReviewEntry[] = [];
  for (let after = 0; found.length < limit; ) {
    const rows = await readPortion(memory, ns, after, PORTION);
    const last = rows.at(-1);
    if (!last) break;
    after = last.entry;
    found.push(...(await judge(memory, rows)));
  }
  return found.slice(0, limit);
}

/** Whether a review lists this entry now. */
export async function isListed(memory: Memory, entry: number): Promise<boolean> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const rows = await readPortion(memory, ns, entry - 1, 1);
  const listed = await judge(
    memory,
    rows.filter((row) => row.entry === entry),
  );
  return listed.length > 0;
}

/** Those that are in doubt as their code is now. */
async function judge(memory: Memory, rows: readonly EntryRow[]): Promise<ReviewEntry[]> {
  const located = await locateTouches(memory, rows);
  const worst = new Map<number, Judged>();
  for (const [i, row] of rows.entries()) {
    const now: LocatedSymbol = located[i] ?? { verdict: 'gone' };
    if (now.outside) continue;
    const before = worst.get(row.entry);
    if (!before || weightOf({ row, now }) > weightOf(before)) worst.set(row.entry, { row, now });
  }
  const entries: ReviewEntry[] = [];
  for (const { row, now } of worst.values()) {
    if (!isDoubtful(now.verdict)) continue;
    const isThere = (await memory.code.modifiedAt((now.stood ?? row).file_path)) !== undefined;
    entries.push(
      entryOf(memory.scope.namespace, row, now, { verdict: now.verdict, reason: isThere ? 'stale' : 'missing' }),
    );
  }
  return entries;
}

interface Judged {
  readonly row: EntryRow;
  readonly now: LocatedSymbol;
}

const weightOf = ({ row, now }: Judged): number => weight(now.verdict, row.code_type);

function readPortion({ sql }: Memory, ns: number, after: number, limit: number): Promise<EntryRow[]> {
  return sql.all<EntryRow>(
    `SELECT q.id AS entry, q.queued_at,
            n.id, n.kind, n.content, n.confidence, n.recorded_at, n.valid_from, n.valid_until, n.tombstoned,
            n.standing, s.id AS session_id, ${TOUCH_COLUMNS}
     FROM (
       SELECT w.* FROM mem_review_queue AS w CROSS JOIN mem_nodes AS m ON m.id = w.node_id
       WHERE w.settled_at IS NULL AND w.id > $after AND +(m.seq >> 32) = $ns AND m.tombstoned = 0
         AND m.valid_until IS NULL AND NOT ${isProposal('m')}
         AND EXISTS (SELECT 1 FROM mem_links WHERE node = m.seq AND file_path = w.file_path)
       ORDER BY w.id LIMIT $limit
     ) AS q
     CROSS JOIN mem_nodes AS n ON n.id = q.node_id
     LEFT JOIN main.mem_nodes AS s ON s.seq = n.session
     CROSS JOIN mem_links AS t ON t.node = n.seq AND t.file_path = q.file_path
     WHERE +(n.seq >> 32) = $ns ORDER BY q.id, t.name`,
    { ns, after, limit },
  );
}

function entryOf(
  namespace: string,
  row: EntryRow,
  { symbol, stood = row }: LocatedSymbol,
  judged: Pick<ReviewEntry, 'verdict' | 'reason'>,
): ReviewEntry {
  const { id, kind, content, confidence, recorded_at, valid_from, valid_until, tombstoned, standing, session_id } = row;
  return {
    id: row.entry,
    namespace,
    node: { id, kind, content, confidence, recorded_at, valid_from, valid_until, tombstoned, standing, session_id },
    ...judged,
    queued_at: row.queued_at,
    was: { file_path: stood.file_path, code_type: stood.code_type, name: stood.name },
    linked_at: row.linked_at,
    now: symbol
      ? {
          file_path: symbol.file_path,
          code_type: symbol.code_type,
          name: symbol.name,
          start_line: symbol.start_line,
          end_line: symbol.end_line,
        }
      : null,
  };
}

/** The pairs that a consolidation of the active namespace would close. Compares all of its open memories. */
export async function duplicatesToReview(memory: Memory): Promise<NearDuplicatePair[]> {
  const { namespace } = memory.scope;
  const ns = await namespaceNumber(memory.sql, namespace);
  const variants = await entityVariants(memory, ns);
  const pairs = await nearDuplicates(memory, ns, {
    sameEntity: new Map(variants.map(({ kept, variant }) => [variant.seq, kept.seq])),
  });
  return notKeptInFiles(memory, pairs).map((pair) => shownPair(namespace, pair));
}

/**
 * Pairs of the active namespace that say nearly the same, most alike first, for a person alone to decide about: no
 * consolidation closes one. Compares all of its open memories.
 * @param duplicates what it would close, of which nothing is to be decided here
 */
export async function nearToReview(
  memory: Memory,
  duplicates: readonly NearDuplicatePair[],
): Promise<NearDuplicatePair[]> {
  const { namespace } = memory.scope;
  const ns = await namespaceNumber(memory.sql, namespace);
  const kept = await keptPairs(memory, ns);
  const pairs = await nearPairs(memory, ns, {
    ids: new Set(duplicates.map(({ older }) => older.id)),
    isKept: (one, other) => kept.has(pairKey(one, other)),
  });
  return notKeptInFiles(memory, pairs).map((pair) => shownPair(namespace, pair));
}

function notKeptInFiles(memory: Memory, pairs: readonly DuplicatePair[]): readonly DuplicatePair[] {
  return pairs.filter((pair) => !isKeptInFile(memory, pair));
}

function shownPair(namespace: string, { kind, newer, older, similarity }: DuplicatePair): NearDuplicatePair {
  return {
    namespace,
    kind,
    similarity,
    newer: { id: newer.id, content: newer.content, valid_from: newer.valid_from },
    older: { id: older.id, content: older.content, valid_from: older.valid_from },
  };
}
