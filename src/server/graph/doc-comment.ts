import { cut, oneLine } from '../base/text';
import type { Language } from './languages';

const MAX_DOC = 400;
const MAX_LINES = 40;
const LINE_COMMENT = { slash: /^\s*\/\//, hash: /^\s*#(?!!)/ } as const;
/** Between a comment and what it is about: decorators, attributes, keywords before the name. */
const PASSED_OVER = /^\s*(?:@\w|#\[|\[\w|template\s*<|export\s*$)/;
const DOCSTRING = /^\s*[rRuU]?("""|''')/;

/** What the comment right above a definition says, or its docstring, on one line. */
export function docComment(lines: readonly string[], row: number, { comments, indented }: Language): string {
  if (indented) {
    const doc = docstring(lines, row);
    if (doc !== '') return doc;
  }
  let at = row - 1;
  while (at >= 0 && PASSED_OVER.test(lines[at] ?? '')) at -= 1;
  const found: string[] = [];
  if (comments === 'slash' && /\*\/\s*$/.test(lines[at] ?? '')) {
    for (; at >= 0 && found.length < MAX_LINES; at--) {
      found.unshift(lines[at] ?? '');
      if (/^\s*\/\*/.test(lines[at] ?? '')) break;
    }
  } else {
    while (at >= 0 && found.length < MAX_LINES && LINE_COMMENT[comments].test(lines[at] ?? '')) {
      found.unshift(lines[at] ?? '');
      at -= 1;
    }
  }
  return tidied(found.map((line) => line.replace(/^\s*(?:\/\*+|\*+\/|\*|\/\/[/!]?|#+)/, '').replace(/\*\/\s*$/, '')));
}

function docstring(lines: readonly string[], row: number): string {
  let at = row;
  // The header may go on over several lines, up to the colon that ends it.
  while (at < row + MAX_LINES && at < lines.length && !/:\s*(?:#.*)?$/.test(lines[at] ?? '')) at += 1;
  const quote = DOCSTRING.exec(lines[at + 1] ?? '')?.[1];
  if (quote === undefined) return '';
  const found = [(lines[at + 1] ?? '').replace(DOCSTRING, '')];
  for (let next = at + 2; !found.at(-1)?.includes(quote) && next < lines.length && found.length < MAX_LINES; next++) {
    found.push(lines[next] ?? '');
  }
  return tidied(found.map((line) => line.split(quote)[0] ?? ''));
}

function tidied(lines: readonly string[]): string {
  return cut(oneLine(lines.join(' ')).replace(/\s+/g, ' '), MAX_DOC);
}
