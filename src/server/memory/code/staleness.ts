/** Compares memories with the files that they are about. */
import { timestamp } from '../../base/clock';
import { isProposal } from '../layers';
import type { Memory, WritableMemory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { requireCode } from './memories-of-file';
import {
  isDoubtful,
  isSamePlace,
  type LocatedSymbol,
  locateTouches,
  TOUCH_COLUMNS,
  type Touch,
  type Verdict,
  worstVerdict,
} from './touches';
import { weakLinksOf } from './weak-links';

export interface StaleNode {
  readonly node_id: string;
  readonly file_path: string;
  readonly memory_date: string;
  readonly file_mtime: string;
  /** Judged from the symbol's text, not from the clock. */
  readonly verdict: Verdict;
  /** Where the symbol is, when it is not where it was linked. */
  readonly now?: PlaceNow;
  /** The verdict is on the file as a whole, not on a function that the memory is about. */
  readonly whole_file?: true;
  /** Only everyday words have led it to this file. */
  readonly weak?: true;
  /** It waits for a person, as a proposal, and is not put up for review beside that. */
  readonly proposed?: true;
}

export interface MissingNode {
  readonly node_id: string;
  readonly file_path: string;
  readonly verdict: Verdict;
  /** As of a stale one: it is in another file now, and changed there. */
  readonly whole_file?: true;
  /** Where the symbol is that was in it; absent where it is gone. */
  readonly now?: PlaceNow;
  /** As of a stale one. */
  readonly proposed?: true;
}

/** Where a symbol is; lines are counted from 1. */
export interface PlaceNow {
  readonly file_path: string;
  readonly name: string;
  readonly start_line: number;
  readonly end_line: number;
}

export interface StalenessReport {
  readonly checked: number;
  readonly stale: number;
  readonly missing: number;
  readonly clean: number;
  readonly stale_nodes: StaleNode[];
  readonly missing_nodes: MissingNode[];
}

/** A pair that people should look at. */
export interface Doubt {
  readonly node_id: string;
  readonly file_path: string;
  readonly reason: 'stale' | 'missing';
  readonly verdict: Verdict;
  /** Hashes of the symbols' present text: a doubt that was settled comes back only when they change. */
  readonly seen: string;
}

export interface StalenessCheck {
  readonly report: StalenessReport;
  readonly doubts: readonly Doubt[];
}

interface PairRow {
  readonly node_id: string;
  readonly recorded_at: string;
  readonly proposed: 0 | 1;
}

const PAIR_COLUMNS = `n.id AS node_id, n.recorded_at, ${isProposal('n')} AS proposed`;

interface TouchedPair extends PairRow {
  /** Places of its touches in the list of all. */
  readonly touches: number[];
}

/**
 * Compares every (memory, file) pair of the active namespace with the working files: by the clock and by the text,
 * which the clock knows little of: a file that was moved keeps its time (docs/behaviour.md, "Staleness"). Reads files:
 * not for inside a transaction.
 * @throws SvcError unavailable with the home store, which has no root
 */
export async function checkStaleness(memory: Memory): Promise<StalenessCheck> {
  requireCode(memory);
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const all = await memory.sql.all<Touch & PairRow>(
    `SELECT ${PAIR_COLUMNS}, ${TOUCH_COLUMNS}
     FROM mem_links AS t CROSS JOIN mem_nodes AS n ON n.seq = t.node
     WHERE +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL
     ORDER BY t.node, t.file_path, t.name, t.hash`,
    { ns },
  );
  const everywhere = await locateTouches(memory, all);
  const rows = all.filter((_, i) => !everywhere[i]?.outside);
  const located = everywhere.filter((one) => !one.outside);
  const pairs = new Map<string, TouchedPair>();
  const modified = new Map<string, number | undefined>();
  for (const [i, { node_id, recorded_at, proposed, file_path }] of rows.entries()) {
    const pair = pairs.get(`${node_id} ${file_path}`) ?? { node_id, recorded_at, proposed, touches: [] };
    pair.touches.push(i);
    pairs.set(`${node_id} ${file_path}`, pair);
    if (!modified.has(file_path)) modified.set(file_path, await memory.code.modifiedAt(file_path));
  }

  const stale_nodes: StaleNode[] = [];
  const missing_nodes: MissingNode[] = [];
  const doubts: Doubt[] = [];
  const weak = (await weakPairs(memory, ns)).filter(({ node_id, file_path }) => !pairs.has(`${node_id} ${file_path}`));
  for (const { node_id, recorded_at, proposed, touches } of pairs.values()) {
    const file_path = rows[touches[0] ?? -1]?.file_path ?? '';
    const now = touches.map((i) => located[i] ?? { verdict: 'gone' as const });
    const verdict = worstVerdict(now.map((symbol) => symbol.verdict));
    const worst = touches.flatMap((i, j) => (now[j]?.verdict === verdict ? [{ key: rows[i], now: now[j] }] : []));
    const place = placeOf(worst);
    const isFile = verdict === 'changed' && worst.every(({ key }) => key?.code_type === 'file');
    const notes = { ...(isFile ? { whole_file: true as const } : {}), ...proposedNote(proposed) };
    const seen = now.map(({ symbol }) => symbol?.hash ?? '').join(' ');
    const mtime = modified.get(file_path);
    if (mtime === undefined) {
      // In a folder that may not be looked into it may stand as it was.
      if (verdict === 'not judged' && (await memory.code.leftOut?.(file_path)) !== undefined) continue;
      missing_nodes.push({ node_id, file_path, verdict, ...place, ...notes });
      if (proposed === 0) doubts.push({ node_id, file_path, reason: 'missing', verdict, seen });
      continue;
    }
    // The clock says nothing of a file that came with its old time; called clean, its new text would stay unnoticed.
    if (mtime <= Date.parse(recorded_at) && !isDoubtful(verdict)) continue;
    const dates = { memory_date: recorded_at, file_mtime: timestamp(mtime) };
    stale_nodes.push({ node_id, file_path, ...dates, verdict, ...place, ...notes });
    if (proposed === 0) doubts.push({ node_id, file_path, reason: 'stale', verdict, seen });
  }
  // They were made on no text, so that only the clock speaks.
  for (const { node_id, recorded_at, proposed, file_path, seen } of weak) {
    const mtime = await memory.code.modifiedAt(file_path);
    if (mtime === undefined || mtime <= Date.parse(recorded_at)) continue;
    const stale = { node_id, file_path, memory_date: recorded_at, file_mtime: timestamp(mtime) };
    stale_nodes.push({ ...stale, verdict: 'unchanged', weak: true, ...proposedNote(proposed) });
    if (proposed === 0) doubts.push({ node_id, file_path, reason: 'stale', verdict: 'unchanged', seen });
  }
  const checked = pairs.size + weak.length;
  const report = {
    checked,
    stale: stale_nodes.length,
    missing: missing_nodes.length,
    clean: checked - stale_nodes.length - missing_nodes.length,
    stale_nodes,
    missing_nodes,
  };
  return { report, doubts };
}

function proposedNote(proposed: 0 | 1): { readonly proposed?: true } {
  return proposed === 1 ? { proposed: true } : {};
}

interface WeakPair extends PairRow {
  readonly file_path: string;
  /** As of a doubt. */
  readonly seen: string;
}

/** Every (memory, file) pair that weak links make. */
async function weakPairs(memory: Memory, ns: number): Promise<WeakPair[]> {
  const links = await weakLinksOf<Omit<WeakPair, 'file_path' | 'seen'>>(memory, ns, PAIR_COLUMNS);
  const pairs = new Map<string, WeakPair>();
  for (const { node, symbol } of links) {
    const pair = `${node.node_id} ${symbol.file_path}`;
    const before = pairs.get(pair);
    const seen = before ? `${before.seen} ${symbol.hash}` : symbol.hash;
    pairs.set(pair, { ...node, file_path: symbol.file_path, seen });
  }
  return [...pairs.values()];
}

/** The first that is not where it was linked. */
function placeOf(worst: readonly { key: Touch | undefined; now: LocatedSymbol }[]): { now?: PlaceNow } {
  for (const { key, now } of worst) {
    if (!key || !now.symbol || isSamePlace(key, now.symbol)) continue;
    const { file_path, name, start_line, end_line } = now.symbol;
    return { now: { file_path, name, start_line, end_line } };
  }
  return {};
}

/**
 * Puts doubts into the review queue. A pair that waits there already is not queued twice; one that was settled comes
 * back only when its symbols' text has changed since. A memory that was purged after the check leaves no trace here; one
 * that is shared has no row of its own in the store of who did not share it.
 * @returns whether rows were written
 */
export async function queueForReview(memory: WritableMemory, doubts: readonly Doubt[]): Promise<boolean> {
  if (doubts.length === 0) return false;
  const rows = doubts.map(({ node_id, file_path, reason, verdict, seen }) => [
    node_id,
    file_path,
    reason,
    verdict,
    seen,
    memory.shared.has(node_id) && !memory.shared.foreign,
  ]);
  const written = await memory.sql.run(
    `INSERT OR IGNORE INTO mem_review_queue (node_id, file_path, reason, verdict, seen, queued_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, $now FROM json_each($rows)
     WHERE (value ->> 5 OR EXISTS (SELECT 1 FROM mem_nodes WHERE id = value ->> 0)) AND value ->> 4 IS NOT (
       SELECT q.seen FROM mem_review_queue AS q
       WHERE q.node_id = value ->> 0 AND q.file_path = value ->> 1 AND q.settled_at IS NOT NULL
       ORDER BY q.id DESC LIMIT 1)`,
    { rows: JSON.stringify(rows), now: timestamp(memory.clock()) },
  );
  return written > 0;
}
