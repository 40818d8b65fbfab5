/** Prints one memory as one line. */

import type { NodeKind } from '../../kinds/kinds';
import { shownDay, shownId, shownShare } from '../base/shown';
import { oneLine } from '../base/text';
import type { Mark, Marked } from '../memory/marks';

/** What a printed line needs of a memory. */
export interface PrintedNode extends Marked {
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  readonly confidence: number;
  readonly valid_from: string;
}

/** In lists without a token budget a longer content is cut: one memory must not flood the answer. */
export const MAX_PRINTED_CONTENT = 1_000;

/** `- [<id>] <date> · conf <0.00> — <content>`, always one line, whatever the content holds. */
export function nodeLine(node: PrintedNode): string {
  return `${linePrefix(node)}${oneLine(node.content)}\n`;
}

export function linePrefix({ id, confidence, valid_from, marks, newer }: PrintedNode, marker = ''): string {
  return `- [${shownId(id)}] ${shownDay(valid_from)} · conf ${shownShare(confidence)}${marksOf(marks, newer)}${marker} — `;
}

/** ` · foreign`, ` · older (<id of the newer one>)`, or nothing */
export function marksOf(marks: Marked['marks'], newer?: string): string {
  const printed = (mark: Mark): string =>
    mark === 'older' && newer !== undefined ? `older (${shownId(newer)})` : mark;
  return marks === undefined ? '' : marks.map((mark) => ` · ${printed(mark)}`).join('');
}
