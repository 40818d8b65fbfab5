/** Counts tokens of o200k_base. */
import { unavailable } from '../base/errors';

/**
 * Counts tokens of o200k_base exactly, on the file that scripts/build-token-ranks.mjs writes: the table is used as it
 * lies, so opening takes no pass over it. Layout and hash are described there.
 */
export interface TokenCounter {
  count(text: string): number;
  /** Whether the text has at most `limit` tokens. Stops as soon as it knows. */
  fits(text: string, limit: number): boolean;
}

// In this file `as number` after an index means: the index lies within the typed array, so there is a number.

interface Ranks {
  readonly slots: Uint32Array;
  readonly offsets: Uint32Array;
  readonly blob: Uint8Array;
  /** In bytes. */
  readonly longestToken: number;
}

const MAGIC = 0x424b324f;
const VERSION = 1;
const HEADER_WORDS = 8;
const RANK_BITS = 18;
const RANK_MASK = 2 ** RANK_BITS - 1;
/** Above every rank, so that no pair of it is ever the best. */
const NO_TOKEN = 2 ** RANK_BITS;

// O200K_TOKEN_SPLIT_PATTERN of gpt-tokenizer 4.0.0 (encodingParams/constants), © 2023–2024 Bazyli Brzoska, MIT licence.
const CONTRACTION = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?";
const SPLIT = String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+${CONTRACTION}|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*${CONTRACTION}|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`;

// The same for texts without other letters and digits than those of ASCII, as most are: in a fifth of the time. What our
// own lines print between them is neither.
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const PLAIN = /^[\u0000-\u007f·—←…]*$/;
const PLAIN_SPLIT = String.raw`[^\r\nA-Za-z0-9]?[A-Z]*[a-z]+${CONTRACTION}|[^\r\nA-Za-z0-9]?[A-Z]+[a-z]*${CONTRACTION}|[0-9]{1,3}| ?[^\sA-Za-z0-9]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`;

/** A piece of this many UTF-16 units is encoded in a buffer that is used again; a longer one gets its own. */
const SCRATCH_UNITS = 256;
const BYTES_PER_UNIT = 3;
/** In bytes. Up to here looking at every pair for each merge is quicker than a heap. */
const SHORT_PIECE = 40;
const CACHED_PIECES = 10_000;
/** In UTF-16 units. V8 copies a slice this short; a longer one would keep the whole text alive in the cache. */
const CACHED_PIECE_UNITS = 12;

/**
 * @param file the whole content of o200k_base.bin; it is kept, not copied
 * @throws SvcError unavailable when it is not such a file
 */
export function openTokenizer(file: Uint8Array): TokenCounter {
  const ranks = readRanks(file);
  // Sticky: the pieces follow each other without a gap, so where one ends the next begins.
  const splitAny = new RegExp(SPLIT, 'yu');
  const splitPlain = new RegExp(PLAIN_SPLIT, 'y');
  const encoder = new TextEncoder();
  const scratch = new Uint8Array(SCRATCH_UNITS * BYTES_PER_UNIT);
  const cache = new Map<string, number>();

  function countPiece(text: string, start: number, end: number): number {
    const units = end - start;
    if (units > SCRATCH_UNITS) {
      const bytes = encoder.encode(text.slice(start, end));
      return countBytes(ranks, bytes, bytes.length);
    }
    let length = writeAscii(text, start, end, scratch);
    // a lone surrogate becomes U+FFFD here
    if (length < units) length = encoder.encodeInto(text.slice(start, end), scratch).written;
    if (units > CACHED_PIECE_UNITS) return countBytes(ranks, scratch, length);
    if (rankOf(ranks, scratch, 0, length) !== NO_TOKEN) return 1;
    const piece = text.slice(start, end);
    const known = cache.get(piece);
    if (known !== undefined) return known;
    const count = mergeShort(ranks, scratch, length);
    if (cache.size >= CACHED_PIECES) cache.clear();
    cache.set(piece, count);
    return count;
  }

  /** The count, or some number above `limit` as soon as it is above. */
  function countUpTo(text: string, limit: number): number {
    let count = 0;
    let start = 0;
    const split = PLAIN.test(text) ? splitPlain : splitAny;
    split.lastIndex = 0;
    while (count <= limit && split.test(text)) {
      const end = split.lastIndex;
      count += countPiece(text, start, end);
      start = end;
    }
    return count;
  }

  return {
    count: (text) => countUpTo(text, Number.POSITIVE_INFINITY),
    fits(text, limit) {
      // Two answers without counting: a UTF-16 unit is one to three bytes, a token one to `longestToken`.
      if (text.length > limit * ranks.longestToken) return false;
      if (text.length * BYTES_PER_UNIT <= limit) return true;
      return countUpTo(text, limit) <= limit;
    },
  };
}

function readRanks(file: Uint8Array): Ranks {
  // Word views need a multiple of four; what readFileSync returns for a file of this size is one.
  const bytes = file.byteOffset % 4 === 0 ? file : new Uint8Array(file);
  if (bytes.length < HEADER_WORDS * 4) throw damaged();
  const view = (start: number, words: number) => new Uint32Array(bytes.buffer, bytes.byteOffset + start * 4, words);
  const [magic, version, tokens = 0, slots = 0, blobLength = 0, longestToken = 0] = view(0, HEADER_WORDS);
  const words = HEADER_WORDS + slots + tokens + 1;
  if (magic !== MAGIC || version !== VERSION || bytes.length !== words * 4 + blobLength) throw damaged();
  return {
    slots: view(HEADER_WORDS, slots),
    offsets: view(HEADER_WORDS + slots, tokens + 1),
    blob: bytes.subarray(words * 4),
    longestToken,
  };
}

const damaged = () =>
  unavailable('The token table o200k_base.bin is damaged or of another version', 'Install the program again.');

/** Writes characters up to the first that is not ASCII, and returns how many it wrote. */
function writeAscii(text: string, start: number, end: number, into: Uint8Array): number {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return i - start;
    into[i - start] = code;
  }
  return end - start;
}

/** The rank of these bytes, or NO_TOKEN. */
function rankOf(ranks: Ranks, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length > ranks.longestToken) return NO_TOKEN;
  const { slots, offsets, blob } = ranks;
  const hash = hashOf(bytes, start, end);
  const mask = slots.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const entry = slots[slot] as number;
    if (entry === 0) return NO_TOKEN;
    if (entry >>> RANK_BITS !== hash >>> RANK_BITS) continue;
    const rank = (entry & RANK_MASK) - 1;
    const offset = offsets[rank] as number;
    if ((offsets[rank + 1] as number) - offset !== length) continue;
    let i = 0;
    while (i < length && blob[offset + i] === bytes[start + i]) i++;
    if (i === length) return rank;
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function countBytes(ranks: Ranks, bytes: Uint8Array, length: number): number {
  if (rankOf(ranks, bytes, 0, length) !== NO_TOKEN) return 1;
  return length <= SHORT_PIECE ? mergeShort(ranks, bytes, length) : mergeLong(ranks, bytes, length);
}

const partStarts = new Int32Array(SHORT_PIECE + 1);
const pairRanks = new Int32Array(SHORT_PIECE + 1);

/** Byte-pair merging: again and again the leftmost pair of the lowest rank becomes one part. Returns the parts left. */
function mergeShort(ranks: Ranks, bytes: Uint8Array, length: number): number {
  let parts = length;
  for (let i = 0; i <= length; i++) {
    partStarts[i] = i;
    pairRanks[i] = i + 2 <= length ? rankOf(ranks, bytes, i, i + 2) : NO_TOKEN;
  }
  const rankAt = (part: number): number =>
    part + 2 <= parts ? rankOf(ranks, bytes, partStarts[part] as number, partStarts[part + 2] as number) : NO_TOKEN;
  for (;;) {
    let best = NO_TOKEN;
    let at = -1;
    for (let i = 0; i < parts - 1; i++) {
      const rank = pairRanks[i] as number;
      if (rank < best) {
        best = rank;
        at = i;
      }
    }
    if (at < 0) return parts;
    for (let i = at + 1; i < parts; i++) {
      partStarts[i] = partStarts[i + 1] as number;
      pairRanks[i] = pairRanks[i + 1] as number;
    }
    parts--;
    pairRanks[at] = rankAt(at);
    if (at > 0) pairRanks[at - 1] = rankAt(at - 1);
  }
}

/** The same in O(n log n): a long run without a break would take minutes otherwise. A part is known by its start. */
function mergeLong(ranks: Ranks, bytes: Uint8Array, length: number): number {
  const next = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  /** Of the pair that begins with this part; NO_TOKEN too for a start that is no part any more. */
  const pairRank = new Int32Array(length + 1).fill(NO_TOKEN);
  // Every merge takes one pair out and puts at most two in.
  const heap = new PairHeap(2 * length);

  const setPair = (part: number): void => {
    const second = next[part] as number;
    const rank = second < length ? rankOf(ranks, bytes, part, next[second] as number) : NO_TOKEN;
    pairRank[part] = rank;
    if (rank !== NO_TOKEN) heap.push(rank, part);
  };

  for (let i = 0; i <= length; i++) {
    next[i] = i + 1;
    previous[i] = i - 1;
  }
  for (let i = 0; i < length; i++) setPair(i);

  let parts = length;
  while (heap.pop()) {
    const part = heap.part;
    // a pair that has changed since it was put in
    if (pairRank[part] !== heap.rank) continue;
    const second = next[part] as number;
    const third = next[second] as number;
    next[part] = third;
    previous[third] = part;
    pairRank[second] = NO_TOKEN;
    parts--;
    setPair(part);
    if (part > 0) setPair(previous[part] as number);
  }
  return parts;
}

/** Gives out pairs by rank, then from left to right. Rank and start are one number, which a double holds exactly. */
class PairHeap {
  rank = 0;
  part = 0;
  private readonly keys: Float64Array;
  private size = 0;

  constructor(capacity: number) {
    this.keys = new Float64Array(capacity);
  }

  push(rank: number, part: number): void {
    const { keys } = this;
    const key = rank * STARTS + part;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      const above = keys[parent] as number;
      if (above <= key) break;
      keys[at] = above;
      at = parent;
    }
    keys[at] = key;
  }

  /** Takes the first pair out into `rank` and `part`; false when there is none. */
  pop(): boolean {
    if (this.size === 0) return false;
    const { keys } = this;
    const first = keys[0] as number;
    this.rank = Math.floor(first / STARTS);
    this.part = first % STARTS;
    const last = keys[--this.size] as number;
    const { size } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && (keys[child + 1] as number) < (keys[child] as number)) child++;
      const below = keys[child] as number;
      if (below >= last) break;
      keys[at] = below;
      at = child;
    }
    keys[at] = last;
    return true;
  }
}

const STARTS = 2 ** 31;
