/** What the domain makes of the table of kinds: lists for SQL, words for sentences, the shape of ids. */
import { KINDS, MEMORY_KINDS, NODE_KINDS, type NodeKind, STRUCTURAL_KINDS } from '../../kinds/kinds';

/** For SQL, as in `kind IN (${MEMORY_KINDS_SQL})`. */
export const MEMORY_KINDS_SQL = listed(MEMORY_KINDS);
/** For SQL: the kinds that are no memories. A store that somebody else wrote may hold kinds that are in no list. */
export const STRUCTURAL_KINDS_SQL = listed(STRUCTURAL_KINDS);

function listed(kinds: readonly string[]): string {
  return kinds.map((kind) => `'${kind}'`).join(', ');
}

/** `fact, decision or preference`: all that agents store, for sentences. */
export const ANY_MEMORY = `${MEMORY_KINDS.slice(0, -1).join(', ')} or ${MEMORY_KINDS.at(-1)}`;

/** `a session`, `an entity` */
export function one(kind: NodeKind): string {
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

const PREFIXES: ReadonlySet<string> = new Set(NODE_KINDS.map((kind) => KINDS[kind].prefix));
const ID_SHAPE = /^([a-z]{1,2}_)[a-z2-7]{8}$/;

/** Whether the text has the shape of a node id of ours. */
export function isNodeId(text: string): boolean {
  const prefix = ID_SHAPE.exec(text)?.[1];
  return prefix !== undefined && PREFIXES.has(prefix);
}
