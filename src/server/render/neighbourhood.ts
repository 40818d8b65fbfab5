/** Prints what is around a node or a symbol. */

import { nothingFound } from '../base/nothing-found';
import { shownWord } from '../base/shown';
import { oneLine } from '../base/text';
import type { GraphNode, Neighbourhood } from '../memory/people/neighbourhood';
import { marksOf } from './line';

/** Nodes first, then edges, one a line. */
export function renderNeighbourhood({ roots, nodes, edges, truncated, nearest }: Neighbourhood): string {
  if (roots.length === 0) return nothingFound('Nothing is known of this', nearest);
  return [
    `## Around ${roots.map(oneLine).join(', ')}`,
    ...nodes.map(line),
    '',
    ...edges.map(({ type, from, to }) => `${oneLine(from)} ${shownWord(type)} ${oneLine(to)}`),
    ...(truncated ? ['(There is more around it.)'] : []),
  ].join('\n');
}

function line({ key, type, kind, label, code, marks }: GraphNode): string {
  if (type !== 'symbol' || !code) return `- [${oneLine(key)}] ${shownWord(kind)}${marksOf(marks)}: ${oneLine(label)}`;
  const at = code.start_line === null ? '' : `:${code.start_line}`;
  return `- ${shownWord(kind)} ${oneLine(label)} (${oneLine(code.file_path)}${at}, ${code.verdict})`;
}
