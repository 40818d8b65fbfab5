import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { functionsBehind } from '../../scripts/mutations/functions-behind.mts';
import { placesIn } from '../../scripts/mutations/mutants.mts';
import { readSource, withRecordedFunctions } from '../../scripts/mutations/syntax.mts';

const ROOT = resolve(__dirname, '../..');

/** The texts that a source may be changed into, each without what stays the same. */
function changes(text: string): string[] {
  return placesIn(readSource('a.ts', text))
    .flat()
    .map(({ start, end, replacement }) => `${text.slice(start, end)} → ${replacement}`);
}

it('mutations change operators, conditions, numbers, returned values, statements and SQL, but no texts', () => {
  expect(changes("if (a <= 1 && b) log('text ' + 3); else work('text');")).toEqual([
    'a <= 1 && b → true',
    'a <= 1 && b → false',
    '&& → ||',
    '<= → <',
    ...['1 → 2', '1 → 0'],
    "log('text ' + 3); → ;",
    "work('text'); → ;",
  ]);
  expect(changes('function f(): 5 { return [40].filter(g); }')).toEqual([
    '[40].filter(g) → undefined',
    '.filter(g) → ',
    ...['40 → 80', '40 → 20'],
  ]);
  expect(changes("sql.all('SELECT a FROM t WHERE a BETWEEN 1 AND $b AND c >= 2 ORDER BY a DESC LIMIT 3');")).toEqual([
    expect.stringMatching(/^sql\.all/),
    'ORDER BY a DESC → ORDER BY a',
    'LIMIT 3 → ',
    '>= → >',
    'AND → OR',
  ]);
});

it('mutations of the sources leave sources that can be read', () => {
  const files = globSync('src/server/{memory,code,render}/**/*.ts', { cwd: ROOT });
  for (const [i, path] of files.entries()) {
    const source = readSource(path, readFileSync(join(ROOT, path), 'utf8'));
    expect(() => readSource(path, withRecordedFunctions(source)), path).not.toThrow();
    // One in twenty of them, other ones in each file.
    for (const { start, end, replacement } of placesIn(source).flatMap((place, n) =>
      (n + i) % 20 === 0 ? place : [],
    )) {
      const text = source.text.slice(0, start) + replacement + source.text.slice(end);
      expect(() => readSource(path, text), `${path}: ${source.text.slice(start, end)} → ${replacement}`).not.toThrow();
    }
  }
});

it('a change outside of any function belongs to the functions that use what is declared there, in all files', () => {
  const limits = readSource(
    'limits.ts',
    'export const MOST = 8;\nconst OWN = MOST * 2;\nfunction first() { return OWN; }\n',
  );
  const user = readSource(
    'user.ts',
    "import { MOST } from './limits';\nfunction other() {}\nconst use = () => MOST;\n",
  );
  const behind = (place: number) => [...functionsBehind([limits, user], limits, place)].sort();
  expect(behind(limits.text.indexOf('8'))).toEqual(['limits.ts#0', 'user.ts#1']);
  expect(behind(limits.text.indexOf('2'))).toEqual(['limits.ts#0']);
  expect(behind(limits.text.indexOf('return'))).toEqual(['limits.ts#0']);
});

it('a change in a loop outside of any function belongs to the functions that use what it fills', () => {
  const table = readSource(
    'table.ts',
    'const TABLE = new Map();\nfor (const i of [7]) TABLE.set(i, true);\nfunction first() {}\nfunction second() { return TABLE; }\n',
  );
  expect([...functionsBehind([table], table, table.text.indexOf('7'))]).toEqual(['table.ts#1']);
});
