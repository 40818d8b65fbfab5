import { describe, expect, it } from 'vitest';
import { cut, oneLine, quoted, wellFormed } from '../../../src/server/base/text';

describe('oneLine', () => {
  it.each([
    ['a\nb', 'a b'],
    ['a\r\n\r\n\tb', 'a b'],
    ['a\u2028b\u2029c\u0085d\u000be\u000cf', 'a b c d e f'],
    ['a\u0000b\u001b[31mc\u007f', 'a b [31mc'],
    ['a\u202eb\u2066c\u2069d', 'a b c d'],
    ['\ufeffa\ufeffb', 'a b'],
    ['\n\n', ''],
    ['a  b', 'a  b'],
    ['\ud83d', '\ufffd'],
    ['a\udc00\ud800b', 'a\ufffd\ufffdb'],
    ['👩‍👩‍👧 e\u0301 \u200f', '👩‍👩‍👧 e\u0301 \u200f'],
  ])('makes %j one line that can be printed', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });
});

describe('cut', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['abc def', 5, 'abc…'],
    ['ab👍cd', 4, 'ab…'],
    ['ab👍cd', 5, 'ab👍…'],
    ['👍👍', 2, '…'],
    ['abc', 1, '…'],
  ])('shortens %j to %i characters', (text, max, short) => {
    expect(cut(text, max)).toBe(short);
    expect(short.length).toBeLessThanOrEqual(max);
  });
});

describe('quoted', () => {
  it('keeps a caller’s word on one line, short, and inside its quotes', () => {
    expect(quoted('a "b"\nc')).toBe(`"a 'b' c"`);
    expect(quoted('x'.repeat(100))).toBe(`"${'x'.repeat(59)}…"`);
  });
});

describe('wellFormed', () => {
  it('replaces halves of surrogate pairs, and nothing else', () => {
    expect(wellFormed('a\ud800b\udc00c')).toBe('a\ufffdb\ufffdc');
    expect(wellFormed('line\nbreak 👍 \u202e \0')).toBe('line\nbreak 👍 \u202e \0');
  });
});
