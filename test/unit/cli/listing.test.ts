import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { listing } from '../../../src/server/cli/listing';

const WIDTH = 80;
const tooWide = (text: string): string[] => text.split('\n').filter((line) => stringWidth(line) > WIDTH);

test('an object is listed with its names aligned, nested ones below theirs', () => {
  expect(
    listing({ count: 2, mode: 'purge', ids: ['f_a', 'f_b'], none: [], missing: null, map: { a: 1, bc: 2 } }, WIDTH),
  ).toBe(
    [
      'count    2',
      'mode     purge',
      'ids      f_a, f_b',
      'none     none',
      'missing  –',
      'map',
      '  a   1',
      '  bc  2',
    ].join('\n'),
  );
});

test('long values are broken between words and go on under their beginning', () => {
  const text = listing({ ids: Array.from({ length: 30 }, (_, i) => `f_${i}`) }, WIDTH);
  expect(tooWide(text)).toEqual([]);
  expect(
    text
      .split('\n')
      .slice(1)
      .every((line) => line.startsWith('     f_')),
  ).toBe(true);
});

test('a list of objects is a table, its text last and cut at the width', () => {
  const rows = [
    { id: 'e_a', content: 'short', degree: 12 },
    { id: 'e_b', content: 'long '.repeat(40), degree: 3 },
  ];
  const [head, first, second] = listing(rows, WIDTH).split('\n');
  expect([head, first]).toEqual(['id   degree  content', 'e_a      12  short']);
  expect(second).toMatch(/^e_b {7}3 {2}long .*…$/);
  expect(stringWidth(second ?? '')).toBeLessThanOrEqual(WIDTH);
});

test('text without room beside its row gets a line of its own', () => {
  const row = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`column_${i}`, '123456']));
  expect(listing([{ ...row, text: 'here '.repeat(6) }], WIDTH).split('\n')).toHaveLength(3);
});

test('wide characters count for two columns', () => {
  const text = listing(
    [
      { id: 'e_a', content: '記憶'.repeat(60) },
      { id: 'e_b', content: '🦆'.repeat(60) },
    ],
    WIDTH,
  );
  expect(tooWide(text)).toEqual([]);
});

test('columns stay aligned, and lines are full, whatever a character is made of', () => {
  const names = ['plain', '記憶', 'ﾒﾓﾘ', '👩‍👩‍👧', '🇩🇪', '❤️', '한국'.normalize('NFD'), 'ꀀꀁ'];
  const lines = listing(
    names.map((name) => ({ name, content: name.repeat(60) })),
    WIDTH,
  ).split('\n');
  const starts = lines.slice(1).map((line, i) => stringWidth(line.slice(0, line.indexOf(names[i] ?? '', 5))));
  expect(starts).toEqual(names.map(() => 'plain'.length + 2));
  expect(lines.slice(1).filter((line) => stringWidth(line) < WIDTH - 1 || stringWidth(line) > WIDTH)).toEqual([]);
  expect(lines[4]).toMatch(/(?:👩‍👩‍👧)+…$/u);
});

test('names of fields are aligned by what is seen of them, too', () => {
  expect(listing({ 記憶: 1, plain: 2 }, WIDTH)).toBe('記憶   1\nplain  2');
});

test('what is stored cannot break out of its line', () => {
  expect(listing({ content: 'a\nmode  purge\u001b[2J' }, WIDTH)).toBe('content  a mode purge [2J');
  expect(listing([{ content: 'a\nb' }], WIDTH)).toBe('content\na b');
  expect(listing({ 'name\n## Wrong': 1 }, WIDTH)).toBe('name ## Wrong  1');
});

test('an empty list says so', () => {
  expect(listing([], WIDTH)).toBe('none');
});

test('a path is never cut: it is for the next command', () => {
  const path = `.svc/memories/${'a-long-name-'.repeat(8)}.md`;
  const rows = [{ node_id: 'd_a', path }];
  expect(listing(rows, WIDTH).split('\n')).toEqual(['node_id', 'd_a', `  ${path}`]);
  expect(listing([{ node_id: 'd_a', path: 'short.md' }], WIDTH).split('\n')).toEqual([
    'node_id  path',
    'd_a      short.md',
  ]);
  expect(listing([{ path, text: 'in words' }], WIDTH)).toBe(`path  ${path}\ntext  in words`);
});
