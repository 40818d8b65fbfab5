/** Reads a source in which a merge has left conflicts as one of its two sides has it. */
import { blank } from './mend-conditions';

/** `git merge` begins, parts and ends each conflict with such lines; the second one is there with `diff3` alone. */
const BEGINS = /^<{7}(?:\s|$)/;
const BASE = /^\|{7}(?:\s|$)/;
const PARTS = /^={7}\s*$/;
const ENDS = /^>{7}(?:\s|$)/;

/** @returns the lines with the first side of each conflict, and empty ones in place of all else of it */
export function withoutConflicts(lines: readonly string[]): readonly string[] {
  const kept = [...lines];
  const none = { begins: -1, base: -1, parts: -1 };
  let open = none;
  for (const [i, line] of lines.entries()) {
    if (BEGINS.test(line)) open = { ...none, begins: i };
    else if (open.begins < 0) continue;
    else if (BASE.test(line) && open.base < 0 && open.parts < 0) open = { ...open, base: i };
    else if (PARTS.test(line) && open.parts < 0) open = { ...open, parts: i };
    else if (ENDS.test(line)) {
      const { begins, base, parts } = open;
      open = none;
      // Without a line that parts them, the others are no conflict.
      if (parts < 0) continue;
      kept[begins] = blank(lines[begins] ?? '');
      for (let at = base < 0 ? parts : base; at <= i; at++) kept[at] = blank(lines[at] ?? '');
    }
  }
  return kept;
}
