/** Sources that keep a parser, a query or what comes after them busy for minutes, or fill the memory. */

const KILOBYTES = 90;

/** Lines of this, as code is written in lines. */
export function repeated(unit: string, kilobytes = KILOBYTES): string {
  const line = unit.includes('\n') ? unit : `${unit.repeat(Math.ceil(200 / unit.length))}\n`;
  return line.repeat(Math.ceil((kilobytes * 1_000) / line.length));
}

/** By path; all of them are left out. */
export const HOSTILE_SOURCES: Readonly<Record<string, string>> = {
  'hostile/brackets.ts': repeated('['),
  'hostile/generics.java': repeated('a<'),
  'hostile/index.go': repeated('a[', 300),
  'hostile/nested.js': `${'function a() { b();\n'.repeat(9_000)}${'}\n'.repeat(9_000)}`,
  'hostile/parentheses.py': repeated('('),
};

/** These are strange, too, and are taken apart all the same. */
export const STRANGE_SOURCES: Readonly<Record<string, string>> = {
  'strange/braces.json': '['.repeat(900_000),
  'strange/element.tsx': repeated('<a>'),
  'strange/attribute.jsx': repeated('<a b={'),
  'strange/nested.rs': repeated('fn a() {'),
  'strange/nested.py': Array.from({ length: 400 }, (_, i) => `${' '.repeat(i)}def f${i}():\n`).join(''),
  'strange/types.cpp': repeated('template<a', 20),
};
