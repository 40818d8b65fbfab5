/** Tells what a piece of a source lacks whose end is not typed yet. */
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** What brackets in it say nothing: literals, up to the end of the line where nothing closes them, and comments. */
const PIECES =
  /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?|[()[\]{}]/g;

/** What closes the brackets that are open at the end of a piece; empty where none is. */
export function closersOf(piece: string): string {
  const open: string[] = [];
  for (const [found] of piece.matchAll(PIECES)) {
    const closing = CLOSING[found];
    if (closing !== undefined) open.push(closing);
    else if (found === open.at(-1)) open.pop();
  }
  return open.reverse().join('');
}
