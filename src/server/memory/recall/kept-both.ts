/** Heeds that a person wants both of two memories, though one says nearly what the other does and is newer. */
import { isKeptInFile, keptPairs, pairKey } from '../consolidation/near-duplicates';
import type { Memory } from '../memory';
import type { RankedItem } from './recall';

/** Of two memories, whether a person has said that both are meant. */
export type AreBothKept = (one: Pick<RankedItem, 'seq' | 'id'>, other: Pick<RankedItem, 'seq' | 'id'>) => boolean;

export async function bothKept(memory: Memory, ns: number): Promise<AreBothKept> {
  const kept = await keptPairs(memory, ns);
  return (one, other) => kept.has(pairKey(one.seq, other.seq)) || isKeptInFile(memory, { newer: one, older: other });
}

/** The same items; of those that a person keeps beside each other, none is told to be older or newer. */
export async function withoutKept(
  memory: Memory,
  ns: number,
  items: readonly RankedItem[],
): Promise<readonly RankedItem[]> {
  const byId = new Map(items.map((item) => [item.id, item]));
  const pairs = items.flatMap((item) => {
    const other = item.newer === undefined ? undefined : byId.get(item.newer);
    return other ? [{ older: item, newer: other }] : [];
  });
  if (pairs.length === 0) return items;
  const areKept = await bothKept(memory, ns);
  const kept = pairs.filter(({ older, newer }) => areKept(older, newer));
  return items.map((item): RankedItem => {
    const { newer, reasons = [], ...rest } = item;
    const isOlder = newer !== undefined && !kept.some(({ older }) => older === item);
    const olds = kept.filter((pair) => pair.newer === item).map(({ older }) => `newer than ${older.id}`);
    const told = reasons.filter((reason) => !olds.includes(reason));
    return { ...rest, reasons: told, ...(isOlder ? { newer } : {}) };
  });
}
