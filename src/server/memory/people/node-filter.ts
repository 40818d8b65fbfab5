/** Which nodes a list or a count is about. */
import type { NodeKind } from '../../../kinds/kinds';
import { linksMoved, movedJson, movedSymbols } from '../code/moved-links';
import type { Memory } from '../memory';
import { hasWords } from './word-filter';

export interface NodeFilter {
  /** Empty for all. */
  readonly kinds: readonly NodeKind[];
  /** Words that all stand in the content or the id, whatever their case. */
  readonly letters: string;
  /** Letters of the path, and of the name, of code that it is on, or was named when it was stored; empty for any, and for none. */
  readonly file: string;
  readonly symbol: string;
  /** The symbol is the whole name of that code, or the whole of its last part: `get` of `app.get`, not of `app.getAll`. */
  readonly whole?: boolean;
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
export async function passes(
  memory: Memory,
  node: string,
  { kinds, letters, file, symbol, whole: isAsked = false }: NodeFilter,
): Promise<FilterCondition> {
  const whole = isAsked && symbol !== '';
  const words = hasWords(node, letters);
  const conditions = [words.condition];
  const values: Record<string, string> = { ...words.values };
  if (kinds.length > 0) {
    conditions.push(`${node}.kind IN (SELECT value FROM json_each($kinds))`);
    values.kinds = JSON.stringify(kinds);
  }
  if (file !== '' || symbol !== '') {
    values.file = file.toLowerCase();
    values.symbol = symbol.toLowerCase();
    const stored = `EXISTS (SELECT 1 FROM mem_links AS t WHERE t.node = ${node}.seq AND instr(lower(t.file_path), $file) > 0
               AND ${isCalled('t.name', whole)})`;
    // Its code may be called otherwise now; who knows the old names only still finds it by them.
    const moved = (await movedSymbols(memory)).filter(
      ({ was, now }) =>
        hasLetters(values.file, was.file_path, now.file_path) &&
        (whole ? isWhole : hasLetters)(values.symbol, was.name, now.name),
    );
    const ways = [stored, isNamedSo(node, whole)];
    if (moved.length > 0) {
      ways.push(`${node}.seq IN (${linksMoved('$moved', 't.node')})`);
      values.moved = movedJson(moved);
    }
    conditions.push(`(${ways.join(' OR ')})`);
  }
  return { condition: conditions.join(' AND '), values };
}

/**
 * SQL that is true of a node that was stored with such a name of code, as `lib/utils.js#wetag` or `package.json`. The code
 * graph may know nothing that is called so.
 */
function isNamedSo(node: string, whole: boolean): string {
  const path = `substr(e.content, 1, instr(e.content || '#', '#') - 1)`;
  const name = `substr(e.content, instr(e.content || '#', '#') + 1)`;
  return `EXISTS (SELECT 1 FROM mem_edges AS about CROSS JOIN mem_nodes AS e ON e.seq = about.dst
    WHERE about.type = 'ABOUT' AND about.src = ${node}.seq AND ${path} GLOB '*[./]?*'
      AND instr(lower(${path}), $file) > 0 AND ${isCalled(name, whole)})`;
}

function isCalled(name: string, whole: boolean): string {
  if (!whole) return `instr(lower(${name}), $symbol) > 0`;
  return `substr('.' || lower(${name}), -length($symbol) - 1) = '.' || $symbol`;
}

/** SQL that is true of a node with code that is in this file now, as far as the code graph knows. */
export async function isInFile(memory: Memory, node: string, path: string): Promise<FilterCondition> {
  const moved = await movedSymbols(memory);
  const left = moved.filter(({ was, now }) => was.file_path === path && now.file_path !== path);
  const came = moved.filter(({ was, now }) => was.file_path !== path && now.file_path === path);
  // What has moved is left out of the statement where nothing has, as is mostly so.
  const stays = left.length === 0 ? '' : ` AND l.id NOT IN (${linksMoved('$left', 't.id')})`;
  const stored = `${node}.seq IN (SELECT l.node FROM mem_links AS l WHERE l.file_path = $path${stays})`;
  return {
    condition: came.length === 0 ? stored : `(${stored} OR ${node}.seq IN (${linksMoved('$came', 't.node')}))`,
    values: {
      path,
      ...(left.length === 0 ? {} : { left: movedJson(left) }),
      ...(came.length === 0 ? {} : { came: movedJson(came) }),
    },
  };
}

function hasLetters(letters = '', ...names: readonly string[]): boolean {
  return names.some((name) => name.toLowerCase().includes(letters));
}

function isWhole(symbol = '', ...names: readonly string[]): boolean {
  return names.some((name) => `.${name.toLowerCase()}`.endsWith(`.${symbol}`));
}

/** SQL that is true of what is valid now. */
export function isValid(node: string): string {
  return `${node}.tombstoned = 0 AND ${node}.valid_until IS NULL`;
}
