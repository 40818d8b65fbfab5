// The syntax tree of a source, and the functions in it.
import { parseAst } from 'vitest/node';

/** A node of an ESTree, with the places where it begins and ends in the text. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface Source {
  /** Relative to the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly program: Node;
  /** In the order in which they begin. */
  readonly functions: readonly Node[];
}

export function readSource(path: string, text: string): Source {
  const program = parseAst(text, { lang: 'ts' }) as unknown as Node;
  const functions: Node[] = [];
  walk(program, (node) => {
    if (isFunction(node) && isNode(node.body)) functions.push(node);
    return true;
  });
  return { path, text, program, functions: functions.sort((a, b) => a.start - b.start) };
}

/** Visits a node and all below it. @param enter false leaves out what is below the node */
export function walk(node: Node, enter: (node: Node, parents: readonly Node[]) => boolean): void {
  const parents: Node[] = [];
  const visit = (one: Node): void => {
    if (!enter(one, parents)) return;
    parents.push(one);
    for (const child of childrenOf(one)) visit(child);
    parents.pop();
  };
  visit(node);
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string' && 'start' in value;
}

function isFunction({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}

/** The number of the innermost function around a place; undefined at the top of the file. */
export function functionAt({ functions }: Source, place: number): number | undefined {
  const found = functions.findLastIndex(({ start, end }) => start <= place && place < end);
  return found === -1 ? undefined : found;
}

/** How a function is called in what was covered. */
export const functionKey = (path: string, number: number): string => `${path}#${number}`;

/** The source with a call at the beginning of each function, which records that it ran. */
export function withRecordedFunctions({ path, text, functions }: Source): string {
  const inserts: { at: number; text: string }[] = [];
  for (const [i, { body }] of functions.entries()) {
    if (!isNode(body)) continue;
    const call = `globalThis.ranFunctions?.add(${JSON.stringify(functionKey(path, i))})`;
    if (body.type === 'BlockStatement') inserts.push({ at: body.start + 1, text: `${call};` });
    else inserts.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ')' });
  }
  // Of those at one place the first stays the first.
  return inserts
    .map((insert, i) => ({ ...insert, i }))
    .sort((a, b) => b.at - a.at || b.i - a.i)
    .reduce((done, insert) => done.slice(0, insert.at) + insert.text + done.slice(insert.at), text);
}
