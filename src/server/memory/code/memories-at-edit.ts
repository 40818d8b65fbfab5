/** Chooses, among the memories on a file, those that matter to an edit. */
import { LENS_ORDER, type MemoryKind } from '../../../kinds/kinds';
import type { JudgedMemory, SymbolMemories } from './memories-of-file';

/** Of a file; both count from 1, and both are edited. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export interface MemoryAtEdit extends JudgedMemory {
  /** Relative to the root. */
  readonly file_path: string;
  /** Of the symbol that it is on; undefined for the file as a whole. */
  readonly name: string | undefined;
}

const WHOLE_FILE = 'file';

/**
 * Memories on the symbols that are edited, then those on the file, then those whose code is gone from it; the inner
 * symbol first, then in the order in which people want to know kinds, then the newest. What waits for a person, what came
 * with a foreign store and what an everyday word has led here is left out: nobody asked for it.
 * @param ranges undefined where any line may be edited
 */
export function memoriesAtEdit(
  file_path: string,
  symbols: readonly SymbolMemories[],
  ranges: readonly LineRange[] | undefined,
): MemoryAtEdit[] {
  const near = symbols.flatMap((one) => {
    const place = placeOf(one, ranges);
    if (place === undefined) return [];
    const name = one.code_type === WHOLE_FILE ? undefined : one.name;
    return one.memories
      .filter(({ marks = [], weak }) => !weak && !marks.includes('proposed') && !marks.includes('foreign'))
      .map((memory) => ({ place, lines: linesOf(one), memory: { ...memory, file_path, name } }));
  });
  near.sort(
    (a, b) =>
      a.place - b.place ||
      a.lines - b.lines ||
      orderOf(a.memory) - orderOf(b.memory) ||
      (a.memory.valid_from < b.memory.valid_from ? 1 : -1),
  );
  const seen = new Set<string>();
  return near.flatMap(({ memory }) => {
    if (seen.has(memory.id)) return [];
    seen.add(memory.id);
    return [memory];
  });
}

/** 0: what is edited; 1: the file; 2: what is gone from it. Undefined: another symbol of the file. */
function placeOf(
  { code_type, symbol }: SymbolMemories,
  ranges: readonly LineRange[] | undefined,
): 0 | 1 | 2 | undefined {
  if (code_type === WHOLE_FILE) return 1;
  if (!symbol) return 2;
  const isEdited = !ranges || ranges.some(({ start, end }) => symbol.start_line <= end && start <= symbol.end_line);
  return isEdited ? 0 : undefined;
}

function linesOf({ symbol }: SymbolMemories): number {
  return symbol ? symbol.end_line - symbol.start_line : 0;
}

function orderOf({ kind }: JudgedMemory): number {
  const at = LENS_ORDER.indexOf(kind as MemoryKind);
  return at < 0 ? LENS_ORDER.length : at;
}
