/** Changes fields at the top of a file, and leaves everything else as people wrote it. Pure. */

/** By name: the lines of the field; undefined takes it away. */
export type NewFields = Readonly<Record<string, readonly string[] | undefined>>;

/** @param text of a file that is understood, with `\n` at the ends of lines */
export function editFields(text: string, fields: NewFields): string {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const whole = text.slice(start);
  const end = whole.startsWith('---\n') ? whole.slice(4).search(/^---[ \t]*$/m) : -1;
  const [lines, rest] =
    end < 0
      ? [[], `---\n\n${whole}`]
      : [
          whole
            .slice(4, 4 + end)
            .split('\n')
            .slice(0, -1),
          whole.slice(4 + end),
        ];
  const left = new Map(Object.entries(fields));
  const kept: string[] = [];
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] ?? '';
    let next = i + 1;
    // What belongs to it is indented, or an item of a list.
    while (next < lines.length && /^(?:[ \t]|- |-$|$)/.test(lines[next] ?? '')) next++;
    const name = /^([\w-]+):/.exec(line)?.[1] ?? '';
    if (left.has(name)) {
      kept.push(...(left.get(name) ?? []));
      left.delete(name);
    } else kept.push(...lines.slice(i, next));
    i = next;
  }
  const added = [...left.values()].flatMap((one) => one ?? []);
  return `${text.slice(0, start)}---\n${[...kept, ...added].map((line) => `${line}\n`).join('')}${rest}`;
}
