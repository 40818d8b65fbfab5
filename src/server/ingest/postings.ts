/** Where words or n-grams occur, and how much each place has of them: what BM25 and vectors are computed from. */
export interface Postings {
  /** Undefined where no place has the key, or too many have it for it to tell anything. */
  readonly of: (key: number) => Posting | undefined;
  /** How many places there are. */
  readonly size: number;
  /** Sum of the weights of each place; the length of the vector for n-grams. */
  readonly lengths: Float64Array;
  readonly meanLength: number;
}

export interface Posting {
  readonly at: Int32Array;
  readonly weight: Float32Array;
}

/** A key that more places have than this share, or this number, costs most and is left out; a rare one is not. */
const MOST_COMMON = 0.25;
const MOST_PLACES = 10_000;
const FEW = 8;
const FIRST_ROWS = 1 << 16;

/** @returns how rare a key is that `frequency` of the places have */
export function idfOf(size: number, frequency: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}

/** Takes what each place has, and hands it out by key. Places come in their order. */
export function newPostings(size: number) {
  // Three long columns: with a list for each key, a large code base takes three times the memory.
  let keys = new Int32Array(FIRST_ROWS);
  let places = new Int32Array(FIRST_ROWS);
  let weights = new Float32Array(FIRST_ROWS);
  let rows = 0;
  let keyCount = 0;
  const lengths = new Float64Array(size);

  function add(place: number, counts: ReadonlyMap<number, number>): void {
    if (rows + counts.size > keys.length) {
      const room = 2 * (rows + counts.size);
      keys = copied(keys, new Int32Array(room));
      places = copied(places, new Int32Array(room));
      weights = copied(weights, new Float32Array(room));
    }
    for (const [key, weight] of counts) {
      keys[rows] = key;
      places[rows] = place;
      weights[rows] = weight;
      rows += 1;
      keyCount = Math.max(keyCount, key + 1);
      lengths[place] = (lengths[place] ?? 0) + weight;
    }
  }

  /** How many places have each key. */
  function frequencies(): Int32Array {
    const found = new Int32Array(keyCount);
    for (let row = 0; row < rows; row++) found[keys[row] ?? 0] = (found[keys[row] ?? 0] ?? 0) + 1;
    return found;
  }

  /** Gives the columns up. */
  function byKey(found: Int32Array): Postings['of'] {
    const most = Math.max(FEW, Math.min(size * MOST_COMMON, MOST_PLACES));
    const ends = new Int32Array(keyCount + 1);
    for (let key = 0; key < keyCount; key++) {
      const frequency = found[key] ?? 0;
      ends[key + 1] = (ends[key] ?? 0) + (frequency <= most ? frequency : 0);
    }
    const at = new Int32Array(ends[keyCount] ?? 0);
    const weight = new Float32Array(at.length);
    const next = ends.slice();
    for (let row = 0; row < rows; row++) {
      const key = keys[row] ?? 0;
      if ((found[key] ?? 0) > most) continue;
      const to = next[key] ?? 0;
      next[key] = to + 1;
      at[to] = places[row] ?? 0;
      weight[to] = weights[row] ?? 0;
    }
    keys = places = new Int32Array();
    weights = new Float32Array();
    return (key) => {
      const [start, end] = [ends[key] ?? 0, ends[key + 1] ?? 0];
      return end > start ? { at: at.subarray(start, end), weight: weight.subarray(start, end) } : undefined;
    };
  }

  return {
    add,
    forWords(): Postings {
      const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, size);
      return { of: byKey(frequencies()), size, lengths, meanLength };
    },
    forVectors(): Postings {
      const found = frequencies();
      const squares = new Float64Array(size);
      for (let row = 0; row < rows; row++) {
        const place = places[row] ?? 0;
        squares[place] = (squares[place] ?? 0) + ((weights[row] ?? 0) * idfOf(size, found[keys[row] ?? 0] ?? 0)) ** 2;
      }
      return { of: byKey(found), size, lengths: squares.map(Math.sqrt), meanLength: 1 };
    },
  };
}

function copied<Column extends Int32Array | Float32Array>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}
