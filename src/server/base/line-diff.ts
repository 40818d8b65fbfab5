/** What an edit changes in a text, line by line, to be shown. */

export interface DiffLine {
  readonly sign: '+' | '-';
  readonly line: string;
}

/** Where more lines than this would have to be compared with each other, all of them are shown. */
const MOST_COMPARED = 1_000_000;

export function changedLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start++;
  let same = 0;
  while (same < Math.min(old.length, fresh.length) - start && old.at(-1 - same) === fresh.at(-1 - same)) same++;
  return between(old.slice(start, old.length - same), fresh.slice(start, fresh.length - same));
}

/** By the longest common sequence of lines. */
function between(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  const isLong = old.length * fresh.length > MOST_COMPARED;
  const lengths = old.map(() => new Uint32Array(isLong ? 0 : fresh.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0 && !isLong; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row) row[j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const diff: DiffLine[] = [];
  for (let i = 0, j = 0; i < old.length || j < fresh.length; ) {
    if (!isLong && i < old.length && j < fresh.length && old[i] === fresh[j]) {
      i++;
      j++;
    } else if (i < old.length && (j >= fresh.length || at(i + 1, j) >= at(i, j + 1))) {
      diff.push({ sign: '-', line: old[i++] ?? '' });
    } else diff.push({ sign: '+', line: fresh[j++] ?? '' });
  }
  return diff;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
