/** Puts the memories of a recall in the order in which an agent reads them. */
import { type NodeKind, SECTION_ORDER } from '../kinds/kinds';
import type { RecalledMemories } from '../protocol/explorer';
import type { Reason } from '../protocol/tool-values';
import { day, idOfRecalled } from './texts';

interface FoundRow {
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly confidence: number;
  /** Such as `foreign`. */
  readonly marks: readonly string[];
  /** Why it was found; none in a briefing. */
  readonly reasons: readonly Reason[];
}

/** What a person clicks is exactly what an agent reads: kind by kind, and only as much of a content as is printed. */
export function foundRows({ items }: RecalledMemories): FoundRow[] {
  return SECTION_ORDER.flatMap((kind) => items.filter((item) => item.kind === kind)).map(
    ({ kind, content, cut, valid_from, confidence, marks = [], reasons = [], ...named }) => ({
      ...{ id: idOfRecalled(named), kind, marks, reasons },
      content: cut ?? content,
      date: day(valid_from),
      // A store file may come from anybody, and hold any number.
      confidence: confidence >= 0 && confidence <= 1 ? confidence : 0,
    }),
  );
}
