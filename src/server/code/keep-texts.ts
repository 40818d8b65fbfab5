/** Keeps a copy of the code that memories are linked to, so that it can be shown beside what it became. */
import { timestamp } from '../base/clock';
import { textInside } from '../graph/read-source';
import { type KeptText, keepTexts } from '../graph/texts';
import type { CodeSymbol } from '../memory/code/touches';
import type { CodeHandle } from './handle';
import { linesOf } from './parts-of-file';

/** Of one call: an import may link thousands. */
const MOST_SYMBOLS = 200;
/** A longer one is a file as a whole, which is seldom lost. */
const MOST_CHARACTERS = 50_000;

/**
 * What symbols are now, as it was seen when links to them were made or confirmed. It lies beside the code graph, and may
 * be lost: then a change is not shown that Git does not know either.
 */
export async function keepTextsOf(
  { memory, graph }: Pick<CodeHandle, 'memory' | 'graph'>,
  symbols: readonly CodeSymbol[],
): Promise<void> {
  const sql = symbols.length === 0 ? undefined : await graph?.current();
  if (!graph || !sql || sql.refuseWriting) return;
  const files = new Map<string, string | undefined>();
  const texts = new Map<string, KeptText>();
  for (const symbol of symbols.slice(0, MOST_SYMBOLS)) {
    const { file_path, hash, name } = symbol;
    if (!files.has(file_path)) files.set(file_path, textInside(graph.root, file_path));
    const whole = files.get(file_path);
    const text = whole === undefined ? '' : linesOf(whole, symbol);
    if (text !== '' && text.length <= MOST_CHARACTERS) texts.set(`${hash} ${name}`, { hash, name, text });
  }
  await keepTexts(sql, [...texts.values()], timestamp(memory.clock()));
}
