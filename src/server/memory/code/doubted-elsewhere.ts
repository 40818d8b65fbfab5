/** Which memories are in doubt in more than the one place that somebody looks at. */
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { type CodeSymbol, isDoubtful, locateTouches, TOUCH_COLUMNS, type Touch } from './touches';

/** A symbol as it is called now; as it was called, when it is gone. */
export type SeenSymbol = Pick<CodeSymbol, 'file_path' | 'code_type' | 'name'>;

/**
 * Those of the memories whose other code is in doubt, too: who confirms them here would settle what is not seen. A whole file that
 * changed is no such place, as it calls for nobody.
 * @param text what an editor has unsaved of the file of the symbol
 */
export async function doubtedElsewhere(
  memory: Memory,
  ids: readonly string[],
  here: SeenSymbol,
  text?: string,
): Promise<ReadonlySet<string>> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const links = await memory.sql.all<Touch & { readonly id: string }>(
    `SELECT n.id, ${TOUCH_COLUMNS}
     FROM json_each($ids) AS asked CROSS JOIN mem_nodes AS n ON n.id = asked.value
     CROSS JOIN mem_links AS t ON t.node = n.seq WHERE +(n.seq >> 32) = $ns`,
    { ids: JSON.stringify(ids), ns },
  );
  const located = await locateTouches(
    memory,
    links,
    text === undefined ? undefined : new Map([[here.file_path, text]]),
  );
  const elsewhere = links.filter((link, i) => {
    const { verdict = 'unchanged', symbol, outside } = located[i] ?? {};
    if (!isDoubtful(verdict) || outside || (link.code_type === 'file' && verdict === 'changed')) return false;
    const { file_path, code_type, name } = symbol ?? link;
    return file_path !== here.file_path || code_type !== here.code_type || name !== here.name;
  });
  return new Set(elsewhere.map(({ id }) => id));
}
