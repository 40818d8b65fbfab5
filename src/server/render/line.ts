import { oneLine } from '../base/text';
import type { NodeKind } from '../memory/kinds';

/** What a printed line needs of a memory. */
export interface PrintedNode {
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

export function linePrefix({ id, confidence, valid_from }: PrintedNode, marker = ''): string {
  return `- [${id}] ${day(valid_from)} · conf ${confidence.toFixed(2)}${marker} — `;
}

/** The day of a timestamp in our own 24-character form. */
export function day(timestamp: string): string {
  return timestamp.slice(0, 10);
}
