/** Finds the code of a memory that another one takes the place of. */
import { entityKey } from '../entity-keys';
import type { Memory } from '../memory';
import { acceptedTexts, NO_TEXT } from './accepted-texts';
import { ALL_NAMES, explains, lastOf, listOf, namesSymbol } from './link-older';
import { symbolsOf } from './places-of-link';
import {
  type CodeSymbol,
  type LocatedSymbol,
  locateTouches,
  type PlacedTouch,
  placeIn,
  type SymbolKey,
  type SymbolPlace,
  TOUCH_COLUMNS,
  type Touch,
} from './touches';
import { isValueType, wordsOfCode } from './values-named';

/** What a new memory is about because the one that it replaces is. */
export interface KeptCode {
  readonly links: readonly PlacedTouch[];
  /** Where it is now, as far as that is known. */
  readonly symbols: readonly CodeSymbol[];
  /** Whether a name stands for this code: what else is called so now is another thing. */
  stands(name: string): boolean;
  /** The same of code that is there. */
  leads(name: string): boolean;
}

export const NO_KEPT_CODE: KeptCode = { links: [], symbols: [], stands: () => false, leads: () => false };

/**
 * Names are those of the day on which a memory was stored: its code may be called otherwise by now, or be in another
 * file. A memory that replaces it and has the same names is about the same code, where that is now; where that is gone, it is
 * known to be. Reads working files, so it belongs before a transaction.
 * @param replaced id of a memory of the namespace
 * @param names of the new memory; all that the replaced one has, where they are undefined
 * @param content its text
 */
export async function keptCode(
  memory: Memory,
  namespace: string,
  replaced: string,
  names: readonly string[] | undefined,
  content: string,
): Promise<KeptCode> {
  const rows = await memory.sql.all<Touch & { readonly names: string }>(
    `SELECT ${TOUCH_COLUMNS}, ${ALL_NAMES} AS names
     FROM mem_namespaces AS at CROSS JOIN mem_nodes AS n ON n.id = $replaced AND +(n.seq >> 32) = at.ns
     CROSS JOIN mem_links AS t ON t.node = n.seq
     WHERE at.name = $namespace`,
    { namespace, replaced },
  );
  const before = listOf(rows[0]?.names ?? '[]');
  const known = new Set(before.map(entityKey));
  const same = names?.filter((name) => known.has(entityKey(name))) ?? before;
  if (rows.length === 0 || (names && same.length === 0)) return NO_KEPT_CODE;
  const by = (some: readonly string[], row: Touch): boolean => some.some((name) => explains(name, row));
  const words = new Set(wordsOfCode(content));
  const isOfText = (row: Touch): boolean =>
    isValueType(row.code_type) && !before.some((name) => namesSymbol(name, row));
  const located = await locateTouches(memory, rows);
  const canLook = await hasCode(memory);
  const commit = memory.code.commit?.() ?? null;
  const kept = rows.flatMap((row, i) => {
    const now: LocatedSymbol = located[i] ?? { verdict: 'gone' };
    const { verdict, symbol, outside } = now;
    if (outside || (verdict === 'gone' && !canLook)) return [];
    const isGone = !symbol && (verdict === 'gone' || verdict === 'unchanged');
    const links = symbol || isGone ? asItIs(now, row).map((key) => ({ ...key, commit })) : [asItWas(row)];
    const one = { row, links, symbols: symbolsOf(now), isGone };
    // A value that only its text named has to be named by this one.
    if (isOfText(row)) return words.has(lastOf(row.name)) ? [{ ...one, isOfText: true }] : [];
    // One that was replaced in its turn may be on code that none of its names means any more.
    return by(same, row) || !by(before, row) ? [{ ...one, isOfText: false }] : [];
  });
  const standsAmong = (some: readonly (typeof kept)[number][], name: string): boolean =>
    known.has(entityKey(name)) &&
    some.some(({ row, isOfText }) => !isOfText && (explains(name, row) || !by(before, row)));
  const there = kept.filter(({ isGone }) => !isGone);
  return {
    links: kept.flatMap(({ links }) => links),
    symbols: kept.flatMap(({ symbols }) => symbols),
    stands: (name) => standsAmong(kept, name),
    leads: (name) => standsAmong(there, name),
  };
}

/** Whether symbols are known at all: where no code graph was built, none is. */
export async function hasCode({ code }: Pick<Memory, 'code'>): Promise<boolean> {
  return (await code.built?.()) !== false;
}

/**
 * Those that are made now. Where its symbol is gone, one is made where that stood last, because that is where it would come
 * back: what has this place on another branch, or later, is not what is meant.
 */
export function asItIs(now: LocatedSymbol, row: SymbolPlace): SymbolKey[] {
  const there = symbolsOf(now);
  return (there.length > 0 ? there : [{ ...placeIn(now, row), hash: NO_TEXT }]).map(keyOf);
}

/** One that cannot be looked at now, or whose symbol is known to be gone. */
export function asItWas(row: Touch): PlacedTouch {
  return { ...keyOf(row), commit: row.commit, confirmed: acceptedTexts(row).slice(1) };
}

/** Without what else is known of it. */
export function keyOf({ file_path, code_type, name, hash }: SymbolKey): SymbolKey {
  return { file_path, code_type, name, hash };
}
