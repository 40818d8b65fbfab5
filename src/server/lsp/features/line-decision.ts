/** Says the decision on a line of code. */
import type { FileLens } from '../../memory/code/lenses';
import { type Editor, onRequest } from '../editor';
import { decided, decidedInDoubt } from '../phrases';
import { newestDecisions, type SymbolLenses } from '../symbol-lenses';

/**
 * `svc/lineDecision`: the newest decision on the innermost function or class around a line that has one. Nothing on the line
 * that stands below its lens, which says the same.
 */
export function lineDecision(editor: Editor, lenses: SymbolLenses): void {
  onRequest(editor, 'svc/lineDecision', async ({ file, line }) => {
    const found = await lenses.of(file);
    const [symbol] = (found?.symbols ?? []).filter((one) => isAround(one, line)).sort(innermostFirst);
    if (!found || !symbol) return null;
    const { codeLens, lensKinds } = editor.settings();
    const hasLens = codeLens && (!lensKinds || lensKinds.has('decision') || symbol.doubtful_ids.length > 0);
    if (hasLens && line === symbol.start_line) return null;
    const decision = (await newestDecisions(found, [symbol])).get(symbol);
    if (!decision) return null;
    const { id, content } = decision;
    return { text: symbol.doubtful_ids.includes(id) ? decidedInDoubt(content) : decided(content, 0) };
  });
}

/** A decision on a whole file would stand at the end of each of its lines. */
function isAround({ code_type, counts, start_line, end_line }: FileLens, line: number): boolean {
  return code_type !== 'file' && counts.decision !== undefined && start_line <= line && line <= end_line;
}

function innermostFirst(one: FileLens, other: FileLens): number {
  return other.start_line - one.start_line;
}
