/** What a person wants to look at to trust a store: who stored what, and what nobody has looked at. */
import type { MemoryKind } from '../../../kinds/kinds';
import { HOUR_MS, timestamp } from '../../base/clock';
import type { Reader } from '../../db/sql';
import { READ_BATCH } from '../limits';
import { marked } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { STRUCTURAL_KINDS_SQL } from '../node-kinds';
import { ORIGIN_JSON, type Origin, originIn } from '../origins';
import { type Suspicion, suspicionsOf } from './instruction-like';
import { type NodeSummary, SUMMARY_COLUMNS } from './node-details';

/** What one source has stored. */
export interface AuditedSource {
  readonly origin: Origin | null;
  /** All states. */
  readonly memories: number;
  readonly open: number;
  readonly confirmed: number;
  readonly proposed: number;
  /** recorded_at of the first and the last of them. */
  readonly first: string;
  readonly last: string;
}

/** Many memories of one source in a short time. */
export interface Burst {
  readonly origin: Origin | null;
  /** The hour in which they were recorded, by its beginning. */
  readonly from: string;
  readonly memories: number;
}

type AuditedMemory = NodeSummary & { readonly kind: MemoryKind; readonly origin: Origin | null };

export interface SuspiciousMemory {
  readonly node: AuditedMemory;
  readonly why: readonly Suspicion[];
}

export interface Audit {
  readonly namespace: string;
  /** The store came with the folder, and nobody accepted it. */
  readonly foreign: boolean;
  /** Most memories first. */
  readonly sources: readonly AuditedSource[];
  /** Newest first. */
  readonly bursts: readonly Burst[];
  /** Open memories that no person has confirmed and that read like instructions to an agent, newest first. */
  readonly suspicious: readonly SuspiciousMemory[];
  /** Open decisions that no person has confirmed: the newest, and how many. */
  readonly unseen_decisions: readonly AuditedMemory[];
  readonly unseen_count: number;
  /** Whether some list was cut. */
  readonly more: boolean;
}

/** As many in an hour are more than a conversation brings. */
const BURST = 30;
/** Longest list of each kind. */
const MOST_LISTED = 50;

/** What is in the active namespace, recorded since then. @param since in our own 24-character form */
export async function audit(memory: Memory, since: string | undefined): Promise<Audit> {
  const { sql, scope, foreign } = memory;
  const ns = await namespaceNumber(sql, scope.namespace);
  const from = since ?? '';
  const [sources, bursts, decisions, unseen, suspicious] = await Promise.all([
    sourcesOf(sql, ns, from),
    burstsOf(sql, ns, from),
    unseenDecisions(memory, ns, from),
    sql.get<{ n: number }>(`SELECT count(*) AS n FROM mem_nodes AS n WHERE ${UNSEEN_DECISION}`, { ns, from }),
    suspiciousIn(memory, ns, from),
  ]);
  const count = unseen?.n ?? 0;
  return {
    ...{ namespace: scope.namespace, foreign, sources },
    bursts: bursts.slice(0, MOST_LISTED),
    suspicious: suspicious.slice(0, MOST_LISTED),
    ...{ unseen_decisions: decisions, unseen_count: count },
    more: bursts.length > MOST_LISTED || suspicious.length > MOST_LISTED || count > decisions.length,
  };
}

const SINCE = `n.seq >> 32 = $ns AND n.kind NOT IN (${STRUCTURAL_KINDS_SQL}) AND n.recorded_at >= $from`;
const OPEN = 'n.tombstoned = 0 AND n.valid_until IS NULL';
const UNSEEN_DECISION = `${SINCE} AND ${OPEN} AND n.kind = 'decision' AND n.standing <> 'confirmed'`;

/** By what an origin says: what is read from shared files has a number of its own for the same source. */
async function sourcesOf(sql: Reader, ns: number, from: string): Promise<AuditedSource[]> {
  const rows = await sql.all<Omit<AuditedSource, 'origin'> & { origin: string | null }>(
    `SELECT ${ORIGIN_JSON} AS origin, count(*) AS memories, sum(${OPEN}) AS open, sum(n.standing = 'confirmed') AS confirmed,
            sum(n.standing = 'proposed' AND ${OPEN}) AS proposed, min(n.recorded_at) AS first, max(n.recorded_at) AS last
     FROM mem_nodes AS n WHERE ${SINCE} GROUP BY 1 ORDER BY count(*) DESC, 1`,
    { ns, from },
  );
  return rows.map((row) => ({ ...row, origin: originIn(row.origin) }));
}

async function burstsOf(sql: Reader, ns: number, from: string): Promise<Burst[]> {
  const rows = await sql.all<{ origin: string | null; hour: number; memories: number }>(
    `SELECT ${ORIGIN_JSON} AS origin, CAST(unixepoch(n.recorded_at) / 3600 AS INTEGER) AS hour, count(*) AS memories
     FROM mem_nodes AS n WHERE ${SINCE} GROUP BY 1, hour HAVING count(*) >= ${BURST}
     ORDER BY hour DESC LIMIT ${MOST_LISTED + 1}`,
    { ns, from },
  );
  return rows.map(({ origin, hour, memories }) => ({
    origin: originIn(origin),
    from: timestamp(hour * HOUR_MS),
    memories,
  }));
}

type Row = NodeSummary & { readonly kind: MemoryKind; readonly origin: string | null };
const COLUMNS = `${SUMMARY_COLUMNS}, ${ORIGIN_JSON} AS origin`;
const FROM = 'mem_nodes AS n LEFT JOIN main.mem_nodes AS s ON s.seq = n.session';

async function unseenDecisions(memory: Memory, ns: number, from: string): Promise<AuditedMemory[]> {
  const rows = await memory.sql.all<Row>(
    `SELECT ${COLUMNS} FROM ${FROM} WHERE ${UNSEEN_DECISION} ORDER BY n.seq DESC LIMIT ${MOST_LISTED}`,
    { ns, from },
  );
  return rows.map((row) => audited(memory, row));
}

/** Reads every memory that nobody confirmed, newest first, until there are more than are listed. */
async function suspiciousIn(memory: Memory, ns: number, from: string): Promise<SuspiciousMemory[]> {
  const found: SuspiciousMemory[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; found.length <= MOST_LISTED; ) {
    const rows = await memory.sql.all<Row & { seq: number }>(
      `SELECT n.seq, ${COLUMNS} FROM ${FROM}
       WHERE ${SINCE} AND ${OPEN} AND n.standing <> 'confirmed' AND n.seq < CAST($before AS INTEGER)
       ORDER BY n.seq DESC LIMIT ${READ_BATCH}`,
      { ns, from, before },
    );
    const last = rows.at(-1);
    if (!last) break;
    before = last.seq;
    for (const { seq: _, ...row } of rows) {
      const why = suspicionsOf(row.content);
      if (why.length > 0) found.push({ node: audited(memory, row), why });
    }
  }
  return found;
}

function audited(memory: Memory, row: Row): AuditedMemory {
  return { ...marked(memory, row), origin: originIn(row.origin) };
}
