// Puts the signature of a definition together from what the queries leave of its text.
import type * as treeSitter from '@vscode/tree-sitter-wasm';
import { withoutOpenEnd } from './without-open-end';

/** In UTF-16 units; a signature hardly ever goes on for longer. */
const WINDOW = 600;
const LEFT_OUT = '…';
const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** What begins a literal or a comment: none is left, unless the grammar took it for something else. */
const UNTOLD = /["'`]|\/[/*]/;
/** What the grammar could not fit in, but is nothing but names: a macro, mostly. */
const NAMES = /^[\w\s:*&,<>~]*$/;

/**
 * A signature for eyes outside this machine, and for the index: name, parameters and types, and nothing that is
 * computed. No literal, comment, attribute, value, body or argument of a call is in it, and it ends at the first thing
 * that cannot be told for sure.
 * @param query `signatures.scm` of the language; what its captures mean stands in `queries/ecmascript`
 */
export function signatureOf(node: treeSitter.Node, source: string, query: treeSitter.Query): string {
  const start = node.startIndex;
  // Nothing behind the beginning of a body matters, and there is much of it.
  const body = node.childForFieldName('body');
  const last = Math.min(body ? body.startIndex + 1 : node.endIndex, start + WINDOW);
  // By rows and columns: the library takes offsets for bytes here.
  const { startPosition } = node;
  const captures = query.captures(node, {
    startPosition,
    endPosition: moved(startPosition, source.slice(start, last)),
  });
  let out = '';
  let at = start;
  /** @returns whether all of it was certain */
  const take = (end: number): boolean => {
    const text = source.slice(at, end);
    const untold = text.search(UNTOLD);
    out += untold < 0 ? text : text.slice(0, untold);
    return untold < 0;
  };
  for (const { name, node: part } of inOrder(captures)) {
    const from = part.startIndex;
    if (from < at) continue;
    if (!take(from) || name === 'end') return tidied(out);
    if (name === 'tight') out = out.trimEnd();
    if (name === 'default') out = announced(out);
    at = part.endIndex;
    const text = source.slice(from, at);
    if (name === 'error' && !NAMES.test(text)) return tidied(out);
    out += shown(name, text);
  }
  if (at < last) take(last);
  return tidied(out);
}

/** Where a text ends that begins there. */
function moved({ row, column }: treeSitter.Point, text: string): treeSitter.Point {
  const line = text.lastIndexOf('\n');
  if (line < 0) return { row, column: column + text.length };
  let rows = 1;
  for (let at = text.indexOf('\n'); at < line; at = text.indexOf('\n', at + 1)) rows += 1;
  return { row: row + rows, column: text.length - line - 1 };
}

function shown(capture: string, text: string): string {
  switch (capture) {
    case 'default':
    case 'hidden':
      return LEFT_OUT;
    case 'dropped':
      return ' ';
    case 'inner':
      return emptied(text);
    default:
      return text;
  }
}

/** One space before a value, and before the mark that announces it. */
function announced(text: string): string {
  const before = text.trimEnd();
  return before.endsWith('=') ? `${before.slice(0, -1).trimEnd()} = ` : `${before} `;
}

/** Its brackets, and what stands before them. */
function emptied(text: string): string {
  const opening = text.search(/[([{]/);
  if (opening < 0) return LEFT_OUT;
  const inside = text.slice(opening + 1, -1).trim() === '' ? '' : LEFT_OUT;
  return `${text.slice(0, opening + 1)}${inside}${PAIRS[text.charAt(opening)] ?? ''}`;
}

/** Of captures that begin at one place, these go first. */
const FIRST = ['dropped', 'end', 'default'];

/** By where they begin, outer ones first. */
function inOrder(captures: treeSitter.QueryCapture[]): treeSitter.QueryCapture[] {
  const rank = ({ name }: treeSitter.QueryCapture): number => FIRST.indexOf(name) >>> 0;
  return captures.sort(
    (a, b) => a.node.startIndex - b.node.startIndex || rank(a) - rank(b) || b.node.endIndex - a.node.endIndex,
  );
}

/** On one line, with spaces as everywhere, without what is left over at its end, and with all brackets closed. */
function tidied(text: string): string {
  const spaced = text
    .replace(/…(?:\s*…)+/g, LEFT_OUT)
    .replace(/(?:\s|\\\r?\n)+/g, ' ')
    .replace(/(?<=[([]) /g, '')
    .replace(/ (?=[,)\];]|>(?!=))/g, '')
    .replace(/,(?=[)\]])/g, '')
    .trim()
    .replace(/[\s;]+$/, '');
  return `${withoutOpenEnd(spaced)}${closing(spaced)}`.trim();
}

function closing(text: string): string {
  const open: string[] = [];
  for (const character of text) {
    if (character in PAIRS) open.push(PAIRS[character] ?? '');
    else if (open.at(-1) === character) open.pop();
  }
  return open.reverse().join('');
}
