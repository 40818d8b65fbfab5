/** Tables of a TOML file, as text: comments and order of everything else stay. */

/** @param entry texts, lists of texts, and objects of texts */
export function tableOf(name: string, entry: Readonly<Record<string, unknown>>): string[] {
  return [`[${name}]`, ...Object.entries(entry).map(([key, value]) => `${key} = ${tomlOf(value)}`)];
}

function tomlOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, inner]) => `${key} = ${tomlOf(inner)}`);
  return `{ ${fields.join(', ')} }`;
}

/** Without this table, those below it, and the empty line before it. A table in another form than ours is not found. */
export function withoutTable(text: string, name: string): string {
  const lines = text.split(/(?<=\n)/);
  const start = lines.findIndex((line) => isHeader(line, `[${name}]`));
  if (start < 0) return text;
  let end = start + 1;
  while (end < lines.length && !(isTable(lines[end]) && !isHeader(lines[end], `[${name}.`))) end++;
  // What is said before the next table belongs to that.
  while (end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? '')) end--;
  const from = start > 0 && lines[start - 1]?.trim() === '' ? start - 1 : start;
  return [...lines.slice(0, from), ...lines.slice(end)].join('');
}

function isTable(line: string | undefined): boolean {
  return line?.trimStart().startsWith('[') === true;
}

function isHeader(line: string | undefined, header: string): boolean {
  return line?.trimStart().startsWith(header) === true;
}
