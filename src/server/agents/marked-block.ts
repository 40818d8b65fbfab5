/** A block of ours in a text that people write. Pure. */

export const END = '<!-- /svc-memory -->';

/** A start mark without an end mark is not a block: the text up to the next block belongs to the user. */
export function blockOf(begin: string): RegExp {
  return new RegExp(`${escaped(begin)}(?:(?!${escaped(begin)})[\\s\\S])*?${escaped(END)}(?:\\r?\\n)?`);
}

/** The text with the block in it: where one is already, else at its end. */
export function withBlockOf(begin: string, lines: readonly string[], text: string): string {
  const block = blockOf(begin);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const written = [begin, ...lines, END, ''].join(eol);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  // A function, because what a replacement says of `$` is no text.
  return block.test(text) ? text.replace(block, () => written) : text + gap + written;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
