/** Finds what stands in a source of which something is half typed. */
import type * as treeSitter from '@vscode/tree-sitter-wasm';
import { takenFrom } from './as-written';
import { withoutHalfTyped } from './half-typed';
import type { Language } from './language';
import { LeftOut } from './parse-limit';
import type { Parsed, RawDefinition } from './parsed';
import { closersOf } from './unclosed';

interface Again {
  readonly text: string;
  readonly language: Language;
  readonly parse: (source: string) => treeSitter.Tree;
  readonly found: (tree: treeSitter.Tree, source: string) => Parsed;
}

/** @param plain what is found in the source as it stands, whose grammar does not read all of it */
export function foundWithoutHalfTyped(plain: Parsed, { text, language, parse, found }: Again): Parsed {
  const reads = (source: string): boolean => {
    const tried = parse(source);
    try {
      return !tried.rootNode.hasError;
    } finally {
      tried.delete();
    }
  };
  try {
    const rest = withoutHalfTyped(text, { reads, indented: language.indented, comment: language.comments.line });
    if (rest === undefined) return plain;
    const tree = parse(rest);
    try {
      const mended = found(tree, rest);
      // What a grammar does not know of its language is no reason to lose what it finds all the same.
      const taken = plain.definitions.filter(({ start, end }) => /^[\s0]*$/.test(rest.slice(start, end)));
      const known = [...mended.definitions, ...taken];
      return { ...mended, definitions: [...known, ...unclosedIn(rest, known, { text, parse, found })] };
    } finally {
      tree.delete();
    }
  } catch (error) {
    if (error instanceof LeftOut) return plain;
    throw error;
  }
}

/** What begins in a stretch that was taken out, and does not end there: whoever types there will end it. */
function unclosedIn(
  rest: string,
  known: readonly RawDefinition[],
  { text, parse, found }: Pick<Again, 'text' | 'parse' | 'found'>,
): RawDefinition[] {
  return takenFrom(text, rest).flatMap((span) => {
    const piece = text.slice(span.start, span.end).trimEnd();
    const closers = closersOf(piece);
    if (closers === '') return [];
    const end = span.start + piece.length;
    // All of it stands where it is; only what follows is moved.
    const closed = `${rest.slice(0, span.start)}${piece}${closers}${rest.slice(end)}`;
    const tree = parse(closed);
    try {
      const endRow = text.slice(0, end).split('\n').length - 1;
      return found(tree, closed).definitions.flatMap((one) => {
        const isInside = span.start <= one.start && one.start < end;
        if (!isInside || known.some(({ start, name }) => start === one.start && name === one.name)) return [];
        return [one.end > end ? { ...one, end, endRow } : one];
      });
    } finally {
      tree.delete();
    }
  });
}
