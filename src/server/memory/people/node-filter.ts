/** Which nodes a list or a count is about. */
import type { NodeKind } from '../../../kinds/kinds';
import { hasWords } from './word-filter';

export interface NodeFilter {
  /** Empty for all. */
  readonly kinds: readonly NodeKind[];
  /** Words that all stand in the content or the id, whatever their case. */
  readonly letters: string;
  /** Letters of the path, and of the name, of code that it was stored on; empty for any, and for none. */
  readonly file: string;
  readonly symbol: string;
}

export interface FilterCondition {
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
}

export function isEmptyFilter({ kinds, letters, file, symbol }: NodeFilter): boolean {
  return kinds.length === 0 && letters.trim() === '' && file === '' && symbol === '';
}

/**
 * SQL that is true of a node of the filter. Conditions that are not asked for are left out, so that each may use its index.
 * @param node the name of mem_nodes in the statement
 */
export function passes(node: string, { kinds, letters, file, symbol }: NodeFilter): FilterCondition {
  const words = hasWords(node, letters);
  const conditions = [words.condition];
  const values: Record<string, string> = { ...words.values };
  if (kinds.length > 0) {
    conditions.push(`${node}.kind IN (SELECT value FROM json_each($kinds))`);
    values.kinds = JSON.stringify(kinds);
  }
  if (file !== '' || symbol !== '') {
    conditions.push(
      `EXISTS (SELECT 1 FROM mem_links AS t WHERE t.node = ${node}.seq AND instr(lower(t.file_path), $file) > 0
               AND instr(lower(t.name), $symbol) > 0)`,
    );
    values.file = file.toLowerCase();
    values.symbol = symbol.toLowerCase();
  }
  return { condition: conditions.join(' AND '), values };
}

/** SQL that is true of what is valid now. */
export function isValid(node: string): string {
  return `${node}.tombstoned = 0 AND ${node}.valid_until IS NULL`;
}
