/** Which shared memory takes the place of which, and until when each holds. Pure. */
import { posix } from 'node:path';
import type { KnownFiles, KnownMemory } from './layer-file';

export interface Superseding {
  /** Row numbers: the newer one first. */
  readonly edges: readonly (readonly [newer: number, older: number])[];
  /** By row number, of those that have an end. */
  readonly until: ReadonlyMap<number, string>;
}

/**
 * A file says what it takes the place of, or, as a record of a decision, what has taken its own. So a memory is superseded
 * exactly where the newer one's file is.
 * @param ownRows row numbers of the store by id: what is private may be superseded, too
 */
export function superseding(files: KnownFiles, ownRows: ReadonlyMap<string, number>): Superseding {
  const memories = [...files].flatMap(([path, { memory }]) => (memory ? [[path, memory] as const] : []));
  const byId = new Map(memories.map(([, memory]) => [memory.id, memory]));
  const byName = new Map(memories.map(([path, memory]) => [posix.basename(path).toLowerCase(), memory]));
  const byNumber = new Map(
    memories.flatMap(([path, memory]) => {
      const number = /^\d{1,6}/.exec(posix.basename(path))?.[0];
      return number === undefined ? [] : [[Number(number), memory] as const];
    }),
  );
  const meant = (name: string): KnownMemory | undefined =>
    byId.get(name) ??
    (/^\d+$/.test(name) ? byNumber.get(Number(name)) : byName.get(posix.basename(name).toLowerCase()));
  const edges = new Map<string, readonly [number, number]>();
  const until = new Map(memories.flatMap(([, { seq, until: end }]) => (end === null ? [] : [[seq, end] as const])));
  const add = (newer: KnownMemory, older: KnownMemory): void => {
    if (newer.seq === older.seq) return;
    edges.set(`${newer.seq} ${older.seq}`, [newer.seq, older.seq]);
    const [, end = older.from] = [newer.from, older.from].sort();
    const known = until.get(older.seq);
    if (known === undefined || end < known) until.set(older.seq, end);
  };
  for (const [, memory] of memories) {
    for (const name of memory.supersedes) {
      const older = meant(name);
      const own = ownRows.get(name);
      if (older) add(memory, older);
      else if (own !== undefined) edges.set(`${memory.seq} ${own}`, [memory.seq, own]);
    }
    for (const name of memory.superseded_by) {
      const newer = meant(name);
      if (newer) add(newer, memory);
      // It is not there any more, and holds no longer all the same.
      else if (!until.has(memory.seq)) until.set(memory.seq, memory.from);
    }
  }
  return { edges: [...edges.values()], until };
}
