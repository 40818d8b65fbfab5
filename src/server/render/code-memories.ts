/** Prints the answer of memory_for_code. */

import { nothingFound } from '../base/nothing-found';
import { shownDay, shownId, shownShare, shownWord } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { FileMemories } from '../memory/code/memories-of-file';
import { toldOfCode } from './code-change';
import { MAX_PRINTED_CONTENT, marksOf } from './line';

/** The layout of memory_for_code; a memory whose code changed says so on a line of its own. */
export function renderCodeMemories({ file_path, line, symbols, nearest, unbuilt, missing }: FileMemories): string {
  const place = `\`${oneLine(file_path)}\`${line === undefined ? '' : `:${line}`}`;
  if (missing && symbols.length === 0)
    return nothingFound(`There is no file \`${oneLine(file_path)}\`, and no memory touches it`, nearest);
  if (unbuilt)
    return `No memory touches ${place}, because no code graph has been built. Run "svc build" in the project.`;
  if (symbols.length === 0) return nothingFound(`No memory touches ${place}`, nearest);
  const sections = symbols.map(({ code_type, name, symbol, not_judged, memories }) => {
    const where = symbol ? `L${symbol.start_line}–${symbol.end_line}` : toldOfCode(not_judged ? 'not judged' : 'gone');
    const lines = memories.flatMap((node) => [
      `- [${shownId(node.id)}] ${shownWord(node.kind)} · ${shownDay(node.valid_from)} · conf ${shownShare(node.confidence)}${marksOf(node.marks)} — ${cut(oneLine(node.content), MAX_PRINTED_CONTENT)}`,
      ...(node.verdict === 'changed' || node.verdict === 'other version' ? [`  (${toldOfCode(node.verdict)})`] : []),
    ]);
    return [`### ${oneLine(code_type)} ${oneLine(name)} (${where})`, ...lines].join('\n');
  });
  return [`## Memories touching ${place}`, ...sections].join('\n');
}
