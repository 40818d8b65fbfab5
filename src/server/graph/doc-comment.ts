/** Reads the doc comment of a definition. */
import { cut, oneLine } from '../base/text';
import type { Comments, Language } from './language';

const MAX_DOC = 400;
/** Lines of a comment that are read. */
const MAX_LINES = 40;
/** What a comment says that is about the whole file. */
const OF_FILE = /@(?:file|fileoverview|license|licence|packageDocumentation|module)\b|\bcopyright\b/i;
/** Lines of one that belong to what stands below it. */
const LONGEST_COMMENT = 400;
/** A line with nothing but a decorator, an attribute or the head of a template. */
const DECORATOR = /^\s*(?:@[\w.]+(?:\([^()]*\))?|#?\[[^\]]*\]|template\s*<[^;{}]*>|export)\s*$/;
const LINE_COMMENT = { '//': /^\s*\/\//, '#': /^\s*#(?!!)/ } as const;
/** Between a comment and what it is about: decorators, attributes, keywords before the name. */
const PASSED_OVER = /^\s*(?:@\w|#\[|\[\w|template\s*<|export\s*$)/;
const DOCSTRING = /^\s*[rRuU]?("""|''')/;

const MARKS = /^\s*(?:\/\*+|\*+\/|\*|\/\/[/!]?|<#|#+)/;
const BLOCKS = { '/* */': { begin: '/*', end: '*/' }, '<# #>': { begin: '<#', end: '#>' } } as const;
/** Sections of the help of PowerShell, as their keywords tell them apart. */
const SECTION = /^\s*\.([A-Za-z]+)(?:\s+\S+)?\s*$/;
const TOLD_SECTIONS = /^(?:synopsis|description)$/i;
/** How what is meant for readers begins; in Go any comment is. */
const DOC_FORM = /^\s*(?:\/\*\*(?!\/)|\/\/[/!])/;
const LOOKS_LIKE_CODE =
  /[;{}]\s*$|^\s*[)\]}]|[\w\])]\s*(?:=|:=|\+=|=>|->)\s*\S|^\s*[\w.$]+\(.*\)\s*$|^\s*(?:const|let|var|return|import|from|def|class|function|fn|func|public|private|protected|static|if|for|while|else|elif|end|puts|print|export|echo|using|#?include|#?define)\b.*["'`(=]/;
const QUOTED = /"[^"]*(?:"|$)|`[^`]*(?:`|$)|(?<!\w)'[^']*(?:'(?!\w)|$)/g;

/** What the comment right above a definition says, or its docstring, on one line. */
export function docComment(lines: readonly string[], row: number, { comments }: Language): string {
  if (comments.docstrings) {
    const doc = docstring(lines, row);
    if (doc !== '') return doc;
  }
  const inside = comments.block === '<# #>' ? helpInside(lines, row, BLOCKS['<# #>']) : '';
  if (inside !== '') return inside;
  let above = row - 1;
  while (above >= 0 && PASSED_OVER.test(lines[above] ?? '')) above -= 1;
  const { lines: found, isBlock } = commentUpTo(lines, above, comments, MAX_LINES);
  if (isBlock && comments.block === '<# #>') return help(found);
  const kept = found.flatMap((line) => {
    const words = line.replace(MARKS, '').replace(/\*\/\s*$/, '');
    if (comments.docs === 'any' || DOC_FORM.test(found[0] ?? '')) return [words];
    // Anybody may have written anything here: code that was taken out, and what it held.
    if (LOOKS_LIKE_CODE.test(words)) return [];
    return [comments.line === '#' ? words : words.replace(QUOTED, '…')];
  });
  return kept.every((line) => line.trim() === '' || LOOKS_LIKE_CODE.test(line)) ? '' : tidied(kept);
}

/**
 * The row where the comment and the decorators above a definition begin; that of the definition where it has none. Between
 * a doc comment in a block and the definition may be one empty line.
 * @param row of the definition, from 0
 */
export function rowOfComment(lines: readonly string[], row: number, { comments }: Language): number {
  let above = row - 1;
  while (above >= 0 && DECORATOR.test(lines[above] ?? '')) above -= 1;
  const { begin, lines: found } = commentUpTo(lines, above, comments, LONGEST_COMMENT);
  if (found.length > 0) return begin;
  const block = above >= 1 && (lines[above] ?? '').trim() === '' && comments.block && BLOCKS[comments.block];
  const apart = block && (lines[above - 1] ?? '').trimEnd().endsWith(block.end);
  const far = apart ? blockAbove(lines, above - 1, block, LONGEST_COMMENT) : [];
  const isOfFile = above - far.length <= 0 || far.some((line) => OF_FILE.test(line));
  return DOC_FORM.test(far[0] ?? '') && !isOfFile ? above - far.length : above + 1;
}

interface CommentFound {
  readonly lines: readonly string[];
  /** Row of the first of them. */
  readonly begin: number;
  readonly isBlock: boolean;
}

/** The comment that ends in this row. */
function commentUpTo(lines: readonly string[], last: number, comments: Comments, most: number): CommentFound {
  const block = comments.block && BLOCKS[comments.block];
  const found = block && lines[last]?.trimEnd().endsWith(block.end) ? blockAbove(lines, last, block, most) : [];
  const isBlock = found.length > 0;
  for (let at = last; !isBlock && found.length < most && LINE_COMMENT[comments.line].test(lines[at] ?? ''); at--) {
    found.unshift(lines[at] ?? '');
  }
  return { lines: found, begin: last - found.length + 1, isBlock };
}

/** Of comment-based help, what the command does; of another comment all of it. */
function help(lines: readonly string[]): string {
  let told = true;
  const kept = lines.flatMap((line) => {
    const words = line.replace(/^\s*<#|#>\s*$/g, '');
    const section = SECTION.exec(words)?.[1];
    if (section !== undefined) told = TOLD_SECTIONS.test(section);
    return told && section === undefined ? [words.replace(QUOTED, '…')] : [];
  });
  return tidied(kept.filter((line) => !LOOKS_LIKE_CODE.test(line)));
}

/** Help may be the first thing in a body as well. */
function helpInside(lines: readonly string[], row: number, { begin, end }: Block): string {
  if (!lines[row]?.trimEnd().endsWith('{')) return '';
  const first = row + 1;
  if (!lines[first]?.trimStart().startsWith(begin)) return '';
  const last = lines.slice(first, first + MAX_LINES).findIndex((line) => line.includes(end));
  return last < 0 ? '' : help(lines.slice(first, first + last + 1));
}

type Block = (typeof BLOCKS)[keyof typeof BLOCKS];

/** The lines of a comment that ends here; none when something else stands in one of them. */
function blockAbove(lines: readonly string[], last: number, { begin, end }: Block, most: number): string[] {
  const found: string[] = [];
  for (let at = last; at >= 0 && found.length < most; at--) {
    const line = lines[at] ?? '';
    if (at < last && line.includes(end)) return [];
    found.unshift(line);
    if (line.includes(begin)) return line.trimStart().startsWith(begin) ? found : [];
  }
  return [];
}

function docstring(lines: readonly string[], row: number): string {
  let at = row;
  // The header may go on over several lines, up to the colon that ends it.
  for (let depth = 0; ; at++) {
    if (at === row + MAX_LINES || at >= lines.length) return '';
    const code = withoutLiterals(lines[at] ?? '').trimEnd();
    depth += (code.match(/[([{]/g)?.length ?? 0) - (code.match(/[)\]}]/g)?.length ?? 0);
    if (depth > 0 || code.endsWith('\\')) continue;
    // A body on the same line has no docstring.
    if (!code.endsWith(':')) return '';
    break;
  }
  const quote = DOCSTRING.exec(lines[at + 1] ?? '')?.[1];
  if (quote === undefined) return '';
  const found = [(lines[at + 1] ?? '').replace(DOCSTRING, '')];
  for (let next = at + 2; !found.at(-1)?.includes(quote) && next < lines.length && found.length < MAX_LINES; next++) {
    found.push(lines[next] ?? '');
  }
  return tidied(found.map((line) => line.split(quote)[0] ?? ''));
}

/** A line of Python without its literals and its comment; a quote that nothing closes is a character like others. */
export function withoutLiterals(line: string): string {
  let code = '';
  let unclosed = '';
  for (let at = 0; at < line.length; ) {
    const character = line.charAt(at);
    if (character === '#') break;
    const isQuote = (character === '"' || character === "'") && !unclosed.includes(character);
    const closed = isQuote ? endOfLiteral(line, at) : undefined;
    // One look to the end of the line for each kind of quote is enough.
    if (isQuote && closed === undefined) unclosed += character;
    if (closed === undefined) code += character;
    at = closed ?? at + 1;
  }
  return code;
}

/** @returns the text after the closing quote; undefined without a closing quote */
function endOfLiteral(line: string, start: number): number | undefined {
  const quote = line.charAt(start);
  for (let at = start + 1; at < line.length; at++) {
    if (line.charAt(at) === '\\') at += 1;
    else if (line.charAt(at) === quote) return at + 1;
  }
  return undefined;
}

function tidied(lines: readonly string[]): string {
  return cut(oneLine(lines.join(' ')).replace(/\s+/g, ' '), MAX_DOC);
}
