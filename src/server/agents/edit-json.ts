/** Edits JSON with comments, and keeps its layout. */
import { createScanner, findNodeAtLocation, type Node, parseTree } from 'jsonc-parser/lib/esm/main.js';

/**
 * Sets one value in JSON with comments. Every other character stays as it is: the library's own edits reformat the
 * neighbours and put comments behind the wrong line.
 * @param text valid JSON, with commas at the ends or without; its root, and every existing value on the way along `path`,
 * is an object
 */
export function setValue(text: string, path: readonly string[], value: unknown): string {
  const root = parseTree(text);
  if (!root) throw new Error('the text has no root');
  const known = path.findLastIndex((_, i) => findNodeAtLocation(root, path.slice(0, i + 1)) !== undefined) + 1;
  const node = findNodeAtLocation(root, path.slice(0, known));
  if (!node) throw new Error('a node that was just found is gone');
  const [name, ...inside] = path.slice(known);
  if (name === undefined) return replaced(text, node, value);
  return appended(
    text,
    node,
    name,
    inside.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
  );
}

/** Adds an item to the list at `path`, which is there. Everything else stays as it is. */
export function appendItem(text: string, path: readonly string[], value: unknown): string {
  const root = parseTree(text);
  const list = root && findNodeAtLocation(root, [...path]);
  if (list?.type !== 'array') throw new Error('there is no list');
  return appended(text, list, undefined, value);
}

/** Takes out a property, or an item of a list, and the line that it leaves empty. Comments stay. */
export function removeValue(text: string, path: readonly (string | number)[]): string {
  const root = parseTree(text);
  const value = root && findNodeAtLocation(root, [...path]);
  const node = value?.parent?.type === 'property' ? value.parent : value;
  const siblings = node?.parent?.children;
  if (!node || !siblings) return text;
  const at = siblings.indexOf(node);
  const end = node.offset + node.length;
  const before = siblings[at - 1];
  const comma = commaAfter(text, end);
  if (comma !== undefined) return withoutLines(text, node.offset, comma);
  const rest = withoutLines(text, node.offset, end);
  const earlier = before && commaAfter(text, before.offset + before.length);
  return earlier === undefined ? rest : rest.slice(0, earlier - 1) + rest.slice(earlier);
}

/**
 * Without these characters, and without the lines that nothing is left on. What else stands on a line stays there: the
 * line before may end with a comment.
 */
function withoutLines(text: string, from: number, to: number): string {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const after = /^[ \t]*\r?\n/.exec(text.slice(to));
  const isFirst = text.slice(start, from).trim() === '';
  if (isFirst && after) return text.slice(0, start) + text.slice(to + after[0].length);
  return isFirst
    ? text.slice(0, from) + text.slice(to).trimStart()
    : text.slice(0, from).replace(/[ \t]+$/, '') + text.slice(to);
}

function replaced(text: string, node: Node, value: unknown): string {
  const written = JSON.stringify(value, null, Array.isArray(value) ? '' : unitOf(text));
  const lines = written.split('\n').join(eolOf(text) + indentAt(text, node.offset));
  return text.slice(0, node.offset) + lines + text.slice(node.offset + node.length);
}

/** Adds a property (an item, without a name) after the last one, and after the comment that stands behind that on its line. */
function appended(text: string, object: Node, name: string | undefined, value: unknown): string {
  const [eol, unit] = [eolOf(text), unitOf(text)];
  const last = object.children?.at(-1);
  const outer = indentAt(text, object.offset);
  const indent = last && startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + unit;
  const written = JSON.stringify(value, null, unit);
  const property = (name === undefined ? written : `${JSON.stringify(name)}: ${written}`).replaceAll(
    '\n',
    eol + indent,
  );
  const end = last ? last.offset + last.length : object.offset + 1;
  const comma = commaAfter(text, end);
  const at = last ? afterComment(text, comma ?? end) : end;
  const rest = text.slice(at);
  // A closing brace on the same line would stand behind the new property.
  const close = /^[ \t]*[}\]]/.test(rest) ? eol + outer : '';
  // A list on one line stays on one, so that taking the item out leaves it as it was.
  if (name === undefined && last && comma === undefined && close !== '' && !startsLine(text, last.offset)) {
    return `${text.slice(0, end)}, ${JSON.stringify(value)}${text.slice(end)}`;
  }
  return (
    text.slice(0, end) +
    (last && comma === undefined ? ',' : '') +
    text.slice(end, at) +
    eol +
    indent +
    property +
    (comma === undefined ? '' : ',') +
    close +
    (close === '' ? rest : rest.trimStart())
  );
}

/** The position behind the comma that follows, if one does. */
function commaAfter(text: string, position: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(position);
  scanner.scan();
  const start = scanner.getTokenOffset();
  return text[start] === ',' ? start + 1 : undefined;
}

/** The position behind a comment that stands on the same line. */
function afterComment(text: string, position: number): number {
  const comment = /^[ \t]*(\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/(?=[ \t]*[\r\n]))/.exec(text.slice(position));
  return position + (comment?.[0].length ?? 0);
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

/** What the file indents by. */
function unitOf(text: string): string {
  const indent = /^([ \t]+)["}\]]/m.exec(text)?.[1] ?? '  ';
  return indent.startsWith('\t') ? '\t' : indent;
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
