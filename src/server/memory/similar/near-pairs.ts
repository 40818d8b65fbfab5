/** Finds, of all open memories, those that say nearly the same as a newer one. */
import type { MemoryKind } from '../../../kinds/kinds';
import type { Reader } from '../../db/sql';
import { READ_BATCH } from '../limits';
import type { Memory } from '../memory';
import {
  countsOf,
  LASTING_SQL,
  MOST_COMPARED,
  mostTelling,
  NEARLY_THE_SAME,
  rarest,
  sizeOf,
  weighing,
} from './find-near';
import { likenessOf } from './likeness';

const { parts, least, areApart } = NEARLY_THE_SAME;

export interface PairedMemory {
  /** Row number. */
  readonly seq: number;
  readonly id: string;
  readonly content: string;
  readonly valid_from: string;
}

export interface NearPair {
  readonly kind: MemoryKind;
  readonly newer: PairedMemory;
  readonly older: PairedMemory;
  /** 0.6 to 1. */
  readonly similarity: number;
}

export interface LeftOut {
  /** Ids of memories that are not looked at. */
  readonly ids: ReadonlySet<string>;
  /** Whether a person wants both, by their row numbers. */
  isKept(one: number, other: number): boolean;
}

/**
 * Pairs of one kind that say nearly the same, most alike first: each older memory with the newer one that it is most
 * like. What waits is in none. All open memories are read once, and each is compared with a few, as when it is stored.
 */
export async function nearPairs(
  { sql }: Pick<Memory, 'sql'>,
  ns: number,
  { ids, isKept }: LeftOut,
): Promise<NearPair[]> {
  const stated = (await readStated(sql, ns)).filter(({ id }) => !ids.has(id));
  const { counts, size } = await countStems(sql, ns, new Set(stated.flatMap(({ stems }) => stems)));
  const rowsOf = (stem: string): number => counts.get(stem) ?? 0;
  const weigh = weighing(rowsOf, size);
  const bySeq = new Map(stated.map((one) => [one.seq, one]));
  /** Of those that were looked at, which are newer: by kind and stem. */
  const holders = new Map<string, number[]>();
  const pairs: NearPair[] = [];
  for (const [i, own] of stated.sort(newestFirst).entries()) {
    if (i % READ_BATCH === READ_BATCH - 1) await new Promise((resolve) => setImmediate(resolve));
    // A stem that one alone holds leads to no other.
    const chosen = rarest(
      own.stems.filter((stem) => rowsOf(stem) > 1),
      rowsOf,
    );
    const held = new Map<number, number>();
    for (const [place, stem] of chosen.entries()) {
      for (const seq of holders.get(`${own.kind} ${stem}`) ?? []) held.set(seq, (held.get(seq) ?? 0) | (1 << place));
    }
    const best = mostTelling(chosen, [...held], own.sentences, weigh)
      .flatMap((seq) => (isKept(seq, own.seq) ? [] : (bySeq.get(seq) ?? [])))
      .slice(0, MOST_COMPARED)
      .map((newer) => ({ newer, similarity: likenessOf(own.sentences, newer.sentences, weigh) }))
      .sort((a, b) => b.similarity - a.similarity)
      .find(({ newer, similarity }) => similarity >= least && !areApart(own.content, newer.content));
    if (best) {
      pairs.push({ kind: own.kind, newer: plain(best.newer), older: plain(own), similarity: best.similarity });
    }
    for (const stem of own.stems) {
      const key = `${own.kind} ${stem}`;
      const list = holders.get(key);
      if (list) list.push(own.seq);
      else holders.set(key, [own.seq]);
    }
  }
  return pairs.sort((a, b) => b.similarity - a.similarity || a.older.seq - b.older.seq);
}

interface Stated extends PairedMemory {
  readonly kind: MemoryKind;
  /** What it is compared by: the stems of its text. */
  readonly sentences: readonly ReadonlySet<string>[];
  /** Of all of them. */
  readonly stems: readonly string[];
}

/** Open memories that say enough to be compared. */
async function readStated(sql: Reader, ns: number): Promise<Stated[]> {
  const found: Stated[] = [];
  for (let after = 0; ; ) {
    const rows = await sql.all<PairedMemory & { readonly kind: MemoryKind }>(
      `SELECT n.seq, n.id, n.kind, n.content, n.valid_from FROM mem_nodes AS n
       WHERE n.seq > max($ns << 32, CAST($after AS INTEGER)) AND n.seq < ($ns + 1) << 32 AND n.kind IN (${LASTING_SQL})
         AND n.valid_until IS NULL AND n.tombstoned = 0 AND n.standing <> 'proposed'
       ORDER BY n.seq LIMIT $limit`,
      { ns, after, limit: READ_BATCH },
    );
    const last = rows.at(-1);
    if (!last) return found;
    after = last.seq;
    for (const row of rows) {
      const sentences = parts(row.content);
      const stems = [...new Set(sentences.flatMap((sentence) => [...sentence]))];
      if (stems.length > 0) found.push({ ...row, sentences, stems });
    }
  }
}

/** How many memories hold each stem, and how large the namespace is: what storing weighs by. */
async function countStems(
  sql: Reader,
  ns: number,
  stems: ReadonlySet<string>,
): Promise<{ counts: ReadonlyMap<string, number>; size: number }> {
  const row = await sql.get<{ size: number }>(`SELECT ${sizeOf(sql, '$ns')} AS size`, { ns });
  const rows = await sql.all<{ term: string; doc: number }>(countsOf(sql), { stems: JSON.stringify([...stems]) });
  return { counts: new Map(rows.map(({ term, doc }) => [term, doc])), size: row?.size ?? 1 };
}

function newestFirst(a: Stated, b: Stated): number {
  return a.valid_from === b.valid_from ? b.seq - a.seq : a.valid_from < b.valid_from ? 1 : -1;
}

function plain({ seq, id, content, valid_from }: Stated): PairedMemory {
  return { seq, id, content, valid_from };
}
