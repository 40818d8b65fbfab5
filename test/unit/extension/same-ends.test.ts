import { describe, expect, test } from 'vitest';
import { withoutSameEnds } from '../../../src/extension/features/review/same-ends';

const lines = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `line ${from + i}`);
const folded = (count: number): string => `// ${count} more`;

describe('code then and now', () => {
  test('is shown from a few lines above the first change to a few below the last', () => {
    const then = [...lines(0, 500), 'old', ...lines(500, 520), ...lines(520, 900)].join('\n');
    const now = [...lines(0, 500), 'new', 'newer', ...lines(500, 520), 'last', ...lines(520, 900)].join('\n');
    const [before, after] = withoutSameEnds(then, now, folded);
    const ends = [
      ['line 0', '// 493 more', ...lines(494, 500)],
      [...lines(520, 526), '// 374 more'],
    ];
    expect(before.split('\n')).toEqual([...(ends[0] ?? []), 'old', ...lines(500, 520), ...(ends[1] ?? [])]);
    expect(after.split('\n')).toEqual([
      ...[...(ends[0] ?? []), 'new', 'newer', ...lines(500, 520), 'last'],
      ...(ends[1] ?? []),
    ]);
  });

  test('is folded where the change of a function of a screen would stand below its end', () => {
    const [, after] = withoutSameEnds([...lines(0, 22), 'old'].join('\n'), [...lines(0, 22), 'new'].join('\n'), folded);
    expect(after.split('\n')).toEqual(['line 0', '// 15 more', ...lines(16, 22), 'new']);
  });

  test('keeps the line that says what it is, and never ends a fold inside a docstring or a comment', () => {
    const docstring = [
      '@cached',
      'def get(self):',
      ...lines(0, 30),
      '"""Gets.',
      ...lines(30, 60),
      '"""',
      'path = "/*"',
    ];
    const folds = (above: readonly string[]): string[] =>
      withoutSameEnds([...above, 'old'].join('\n'), [...above, 'new'].join('\n'), folded)[0].split('\n');
    const inside = folds(docstring.slice(0, 60));
    expect(inside).toEqual(['@cached', 'def get(self):', '// 30 more', ...docstring.slice(32, 60), 'old']);
    const behind = folds([...docstring, ...lines(60, 90)]);
    expect(behind).toEqual(['@cached', 'def get(self):', '// 87 more', ...lines(84, 90), 'old']);
    const licence = ['/*', ...lines(0, 14), ' */', ...lines(14, 60)];
    expect(folds(licence)).toEqual([...licence.slice(0, 16), '// 40 more', ...lines(54, 60), 'old']);
    const route = ['@app.route(', '  "/x",', ')', 'def get():', ...lines(0, 60)];
    expect(folds(route)).toEqual([...route.slice(0, 4), '// 54 more', ...lines(54, 60), 'old']);
    const comment = ['function get() {', '  /* Gets', ...lines(0, 60)];
    expect(folds(comment)).toEqual([...comment, 'old']);
  });

  test('is whole where little is the same, and where nothing changed', () => {
    const [before, after] = [
      [...lines(0, 8), 'a'],
      [...lines(0, 8), 'b', 'c'],
    ].map((each) => each.join('\n'));
    expect(withoutSameEnds(before ?? '', after ?? '', folded)).toEqual([before, after]);
    const same = lines(0, 900).join('\n');
    expect(withoutSameEnds(same, same, folded)).toEqual([same, same]);
  });

  test('folds no line twice where one text ends as it begins', () => {
    const [before, after] = withoutSameEnds(Array(30).fill('x').join('\n'), Array(40).fill('x').join('\n'), folded);
    expect(before).toBe(['x', '// 23 more', ...Array(6).fill('x')].join('\n'));
    expect(after).toBe(['x', '// 23 more', ...Array(16).fill('x')].join('\n'));
    expect(withoutSameEnds('', 'x', folded)).toEqual(['', 'x']);
  });
});
