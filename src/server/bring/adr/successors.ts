/** Which records took the place of which, whichever of the two says so. Pure. */
import { basename, posix } from 'node:path';
import type { FoundFile } from '../look';
import type { Adr } from './adr';

export interface ReadFile extends FoundFile {
  readonly record: Adr | undefined;
}

export interface KeptRecord extends FoundFile {
  readonly record: Adr;
  /** That it took the place of, and that took its own. */
  readonly older: Set<KeptRecord>;
  readonly newer: Set<KeptRecord>;
  /** Whether it holds no more, also where nothing that is kept took its place. */
  readonly isOver: boolean;
}

/**
 * Of the records of a folder those that can be brought. What is not decided yet is no decision; what ended at no known time,
 * and has no successor here, would stand as if it were true.
 */
export function keptRecords(folder: string, read: readonly ReadFile[]): KeptRecord[] {
  const decided = read.flatMap(({ record, ...file }) =>
    record && record.status.is !== 'undecided' ? [unlinked(file, record)] : [],
  );
  linkAll(folder, decided);
  const kept = new Set<KeptRecord>(decided);
  // Grows: with a record that is left out, those before it may lose their only successor.
  const asked: KeptRecord[] = [...decided];
  for (const one of asked) {
    const { valid_from, valid_until } = one.record;
    const hasEnd = one.newer.size > 0 || (valid_until ?? valid_from) !== undefined;
    if (!one.isOver || hasEnd || !kept.delete(one)) continue;
    for (const older of one.older) older.newer.delete(one);
    asked.push(...one.older);
  }
  return [...kept];
}

type Linkable = KeptRecord & { isOver: boolean };

function unlinked(file: FoundFile, record: Adr): Linkable {
  const isOver = record.status.is === 'superseded' || record.status.is === 'deprecated';
  return { ...file, record, older: new Set(), newer: new Set(), isOver };
}

function linkAll(folder: string, records: readonly Linkable[]): void {
  const recordOf = recordsByName(folder, records);
  const link = (newer: Linkable | undefined, older: Linkable | undefined): void => {
    if (!newer || !older || newer === older) return;
    newer.older.add(older);
    older.newer.add(newer);
    older.isOver = true;
  };
  for (const one of records) {
    const { status, supersedes } = one.record;
    // What was rejected took the place of nothing.
    for (const name of status.is === 'rejected' ? [] : supersedes) link(one, recordOf(name));
    for (const name of status.is === 'superseded' ? status.by : []) link(recordOf(name), one);
  }
}

/** By the name of a file, with or without its folder, or by its number. */
function recordsByName<One extends FoundFile>(folder: string, all: readonly One[]): (name: string) => One | undefined {
  const byFile = new Map(all.map((one) => [basename(one.path), one]));
  const byNumber = new Map(
    [...all].reverse().flatMap((one) => {
      const number = /\d+/.exec(basename(one.path))?.[0];
      return number === undefined ? [] : [[Number(number), one] as const];
    }),
  );
  return (name) =>
    /^\d+$/.test(name) ? byNumber.get(Number(name)) : byFile.get(posix.basename(posix.join(folder, name)));
}
