/** A table in Markdown, its first column to the left and the others to the right. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${heads.map((_, i) => (i === 0 ? '---' : '---:')).join('|')}|`, ...rows.map(line), ''];
}
