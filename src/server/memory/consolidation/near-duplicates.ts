/** Finds memories that say the same. */

import type { MemoryKind } from '../../../kinds/kinds';
import type { Reader } from '../../db/sql';
import { inItsPlace } from '../layers';
import { READ_BATCH } from '../limits';
import type { Memory } from '../memory';
import { STRUCTURAL_KINDS_SQL } from '../node-kinds';
import type { Standing } from '../origins';
import { fingerprint, negatesByPrefix } from './fingerprint';

/** docs/behaviour.md, "Near-duplicates": Jaccard of the stems. In tenths, so that it is compared in whole numbers. */
const SMALLEST_SIMILARITY_TENTHS = 9;

export interface Duplicate {
  /** Row number. */
  readonly seq: number;
  readonly id: string;
  readonly content: string;
  readonly valid_from: string;
}

/** Two memories that say the same: `newer` is to supersede `older`. */
export interface DuplicatePair {
  readonly kind: MemoryKind;
  readonly newer: Duplicate;
  readonly older: Duplicate;
  /** Jaccard of the stems, 0.9 to 1. */
  readonly similarity: number;
}

export interface DuplicateOptions {
  /** Entities that count as one: row number → the one that it stands for. */
  readonly sameEntity?: ReadonlyMap<number, number>;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * The near-duplicates among the open memories of a namespace: same kind, standing and entities, same numbers and negations,
 * nearly the same words. The newer by `valid_from`, then by order of storing. No memory is closed twice, and none that
 * is closed closes another. Pairs come in the order of the older memories.
 */
export async function nearDuplicates(
  memory: Pick<Memory, 'sql'>,
  ns: number,
  { sameEntity = new Map(), onProgress = () => {} }: DuplicateOptions = {},
): Promise<DuplicatePair[]> {
  const { buckets, frequencies, total } = await readBuckets(memory.sql, ns, sameEntity, onProgress);
  const ranks = ranksOf(frequencies);
  const kept = await keptPairs(memory, ns);
  const pairs: DuplicatePair[] = [];
  let compared = 0;
  for (const [key, bucket] of buckets) {
    const [kind] = JSON.parse(key) as [MemoryKind];
    for (const pair of await comparePairs(bucket, ranks, kept)) pairs.push({ kind, ...pair });
    compared += bucket.length;
    onProgress(total + compared, 2 * total);
  }
  return pairs.sort((a, b) => a.older.seq - b.older.seq);
}

/** Pairs that a person wants to keep, as `pairKey` has the rows that are seen of them. */
export async function keptPairs({ sql }: Pick<Memory, 'sql'>, ns: number): Promise<ReadonlySet<string>> {
  const rows = await sql.all<{ one: number; other: number }>(
    `SELECT ${inItsPlace(sql, 'kept.one')} AS one, ${inItsPlace(sql, 'kept.other')} AS other
     FROM mem_kept_pairs AS kept WHERE kept.one >= $ns << 32 AND kept.one < ($ns + 1) << 32`,
    { ns },
  );
  return new Set(rows.map(({ one, other }) => pairKey(one, other)));
}

interface Named {
  readonly id: string;
}

/** Whether the file of one of them says that both are wanted. */
export function isKeptInFile(
  { shared }: Pick<Memory, 'shared'>,
  { newer, older }: { readonly newer: Named; readonly older: Named },
): boolean {
  return shared.keptBeside(newer.id).includes(older.id) || shared.keptBeside(older.id).includes(newer.id);
}

/** `<lower row number> <higher one>` */
export function pairKey(a: number, b: number): string {
  return `${Math.min(a, b)} ${Math.max(a, b)}`;
}

interface Candidate extends Duplicate {
  /** Numbers of its stems. */
  readonly stems: Int32Array;
}

interface Buckets {
  readonly buckets: ReadonlyMap<string, readonly Candidate[]>;
  /** By number of stem. */
  readonly frequencies: readonly number[];
  readonly total: number;
}

interface Row extends Duplicate {
  readonly kind: MemoryKind;
  readonly standing: Standing;
  /** JSON array of row numbers. */
  readonly entities: string;
}

async function readBuckets(
  sql: Reader,
  ns: number,
  sameEntity: ReadonlyMap<number, number>,
  onProgress: (done: number, total: number) => void,
): Promise<Buckets> {
  const count = await sql.get<{ total: number }>(
    `SELECT count(*) AS total FROM mem_nodes AS n WHERE n.seq >> 32 = $ns AND ${OPEN_MEMORY}`,
    { ns },
  );
  const total = count?.total ?? 0;
  const buckets = new Map<string, Candidate[]>();
  const numbers = new Map<string, number>();
  const frequencies: number[] = [];
  let read = 0;
  for (let after = 0; ; ) {
    const rows = await sql.all<Row>(
      `SELECT n.seq, n.id, n.kind, n.standing, n.content, n.valid_from,
              (SELECT json_group_array(dst) FROM mem_edges WHERE type = 'ABOUT' AND src = n.seq) AS entities
       FROM mem_nodes AS n
       WHERE n.seq > max($ns << 32, CAST($after AS INTEGER)) AND n.seq < ($ns + 1) << 32 AND ${OPEN_MEMORY}
       ORDER BY n.seq LIMIT $limit`,
      { ns, after, limit: READ_BATCH },
    );
    for (const { kind, standing, entities, seq, id, content, valid_from } of rows) {
      const { key, stems } = fingerprint(content);
      const own = (JSON.parse(entities) as number[]).map((entity) => sameEntity.get(entity) ?? entity);
      const ids = Int32Array.from(stems, (stem) => {
        const number = numbers.get(stem) ?? frequencies.length;
        if (number === frequencies.length) numbers.set(stem, number);
        frequencies[number] = (frequencies[number] ?? 0) + 1;
        return number;
      });
      const bucketKey = JSON.stringify([kind, standing, [...new Set(own)].sort((a, b) => a - b), key]);
      const bucket = buckets.get(bucketKey);
      const candidate = { seq, id, content, valid_from, stems: ids };
      if (bucket) bucket.push(candidate);
      else buckets.set(bucketKey, [candidate]);
    }
    read += rows.length;
    onProgress(read, 2 * total);
    const last = rows.at(-1);
    if (!last) return { buckets, frequencies, total };
    after = last.seq;
  }
}

const OPEN_MEMORY = `n.kind NOT IN (${STRUCTURAL_KINDS_SQL}) AND n.valid_until IS NULL AND n.tombstoned = 0`;

/** The rarest stem gets rank 0. */
function ranksOf(frequencies: readonly number[]): Int32Array {
  const order = frequencies.map((_, number) => number);
  order.sort((a, b) => (frequencies[a] ?? 0) - (frequencies[b] ?? 0) || a - b);
  const ranks = new Int32Array(order.length);
  for (const [rank, number] of order.entries()) ranks[number] = rank;
  return ranks;
}

interface Kept {
  readonly candidate: Candidate;
  /** Ranks of its stems, rarest first. */
  readonly stems: Int32Array;
  readonly low: number;
  readonly high: number;
}

/**
 * Goes from new to old; what has no near-duplicate among the newer ones is kept and compared with. Two sets that agree
 * in nine tenths share one of their rarest tenth of stems, so only memories that share one of those are looked at; a
 * bit pattern of each set turns nearly all of these down before they are compared stem by stem.
 */
async function comparePairs(
  bucket: readonly Candidate[],
  ranks: Int32Array,
  keptPairs: ReadonlySet<string>,
): Promise<Omit<DuplicatePair, 'kind'>[]> {
  if (bucket.length < 2) return [];
  const newestFirst = [...bucket].sort((a, b) =>
    a.valid_from === b.valid_from ? b.seq - a.seq : a.valid_from < b.valid_from ? 1 : -1,
  );
  const pairs: Omit<DuplicatePair, 'kind'>[] = [];
  const postings = new Map<number, Kept[]>();
  for (const [i, candidate] of newestFirst.entries()) {
    if (i % READ_BATCH === READ_BATCH - 1) await new Promise((resolve) => setImmediate(resolve));
    const own = withPattern(candidate, ranks);
    const best = mostSimilar(own, postings, keptPairs);
    if (best) {
      pairs.push({ newer: plain(best.kept.candidate), older: plain(candidate), similarity: best.similarity });
      continue;
    }
    for (const stem of rarestOf(own.stems)) {
      const list = postings.get(stem);
      if (list) list.push(own);
      else postings.set(stem, [own]);
    }
  }
  return pairs;
}

/** Texts without a word share a bucket only when they are the same: they are filed under a stem that does not exist. */
const NO_STEM = Int32Array.of(-1);

function rarestOf(stems: Int32Array): Int32Array {
  if (stems.length === 0) return NO_STEM;
  const common = Math.ceil((SMALLEST_SIMILARITY_TENTHS * stems.length) / 10);
  return stems.subarray(0, stems.length - common + 1);
}

function mostSimilar(
  own: Kept,
  postings: ReadonlyMap<number, readonly Kept[]>,
  keptPairs: ReadonlySet<string>,
): { kept: Kept; similarity: number } | undefined {
  let best: { kept: Kept; similarity: number } | undefined;
  const size = own.stems.length;
  for (const stem of rarestOf(own.stems)) {
    for (const kept of postings.get(stem) ?? []) {
      const other = kept.stems.length;
      if (10 * Math.min(size, other) < SMALLEST_SIMILARITY_TENTHS * Math.max(size, other)) continue;
      // Each bit says whether an odd number of stems fell on it: sets differ at least as much as their patterns.
      const differing = bits(own.low ^ kept.low) + bits(own.high ^ kept.high);
      if (differing > mostDiffering(size + other)) continue;
      const similarity = jaccard(own.stems, kept.stems);
      if (similarity <= (best?.similarity ?? 0) || similarity * 10 < SMALLEST_SIMILARITY_TENTHS) continue;
      if (keptPairs.has(pairKey(own.candidate.seq, kept.candidate.seq))) continue;
      if (!contradict(own, kept)) best = { kept, similarity };
    }
  }
  return best;
}

/** With common / all ≥ t: all − common ≤ (1 − t) / (1 + t) of both sizes together. */
function mostDiffering(sizes: number): number {
  return Math.floor(((10 - SMALLEST_SIMILARITY_TENTHS) * sizes) / (10 + SMALLEST_SIMILARITY_TENTHS));
}

/** How much of two texts agrees: the word stems of both, of all stems of either; 0 to 1. Each list is sorted. */
function jaccard(a: Int32Array, b: Int32Array): number {
  if (a.length + b.length === 0) return 1;
  let common = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const left = a[i] ?? 0;
    const right = b[j] ?? 0;
    if (left === right) common += 1;
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return common / (a.length + b.length - common);
}

function contradict(a: Kept, b: Kept): boolean {
  const left = fingerprint(a.candidate.content).stems;
  const right = fingerprint(b.candidate.content).stems;
  const onlyLeft = left.filter((stem) => !right.includes(stem));
  const onlyRight = right.filter((stem) => !left.includes(stem));
  return negatesByPrefix(onlyLeft, onlyRight) || negatesByPrefix(onlyRight, onlyLeft);
}

function withPattern(candidate: Candidate, ranks: Int32Array): Kept {
  const stems = Int32Array.from(candidate.stems, (number) => ranks[number] ?? 0).sort();
  let low = 0;
  let high = 0;
  for (const stem of stems) {
    const bit = Math.imul(stem, 0x9e3779b1) >>> 26;
    if (bit < 32) low ^= 1 << bit;
    else high ^= 1 << (bit - 32);
  }
  return { candidate, stems, low, high };
}

function bits(word: number): number {
  let count = word - ((word >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function plain({ seq, id, content, valid_from }: Candidate): Duplicate {
  return { seq, id, content, valid_from };
}
