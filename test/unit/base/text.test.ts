import { describe, expect, it } from 'vitest';
import { cut, escapeControls, isBlank, oneLine, printable, quoted, seen } from '../../../src/server/base/text';
import { HIDDEN, HIDING, JOINED } from '../../support/hostile-texts';

describe('oneLine', () => {
  it.each([
    ['a\nb', 'a b'],
    ['a\r\n\r\n\tb', 'a b'],
    ['a\u2028b\u2029c\u0085d\u000be\u000cf', 'a b c d e f'],
    ['a\u0000b\u001b[31mc\u007f', 'a b [31mc'],
    ['a\u202eb\u2066c\u2069d', 'abcd'],
    ['\ufeffa\ufeffb', 'ab'],
    ['\n\n', ''],
    ['a  b', 'a  b'],
    ['\ud83d', '\ufffd'],
    ['a\udc00\ud800b', 'a\ufffd\ufffdb'],
    ['👩‍👩‍👧 e\u0301 \u200f', '👩‍👩‍👧 e\u0301'],
    ['\udb40\u200b\udc41', '\ufffd\ufffd'],
  ])('makes %j one line that can be printed', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });
});

describe('what nobody sees', () => {
  it.each(HIDING)('goes out of %j', (text, left) => {
    expect([seen(text), oneLine(text), printable(text)]).toEqual([left, left, left]);
    expect(seen(`first\n${text}`)).toBe(`first\n${left}`);
  });

  it.each(JOINED)('stays where letters and emoji need it: %s', (text) => {
    expect([seen(text), oneLine(text), printable(text), escapeControls(text)]).toEqual([text, text, text, text]);
  });

  it('is every character that Unicode calls ignorable, and no other but those of annotations and hieroglyphs', () => {
    const alone: number[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const character = String.fromCodePoint(code);
      const gone = seen(`a${character}b`) === 'ab';
      if (gone !== /\p{Default_Ignorable_Code_Point}/u.test(character)) alone.push(code);
    }
    expect(alone).toEqual([0xfff9, 0xfffa, 0xfffb, ...Array.from({ length: 16 }, (_, i) => 0x13430 + i)]);
  });

  it('leaves a text blank that holds nothing else', () => {
    for (const hidden of [...HIDDEN, '\u2800', '\u3000 \u00a0', '']) expect(isBlank(hidden), hidden).toBe(true);
    for (const text of JOINED) expect(isBlank(text), text).toBe(false);
  });

  it('is escaped in JSON, and reads back', () => {
    for (const [text] of HIDING) {
      const json = escapeControls(JSON.stringify([text]));
      expect(json).not.toContain(text);
      expect(JSON.parse(json)).toEqual([text]);
    }
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

describe('seen', () => {
  it('replaces halves of surrogate pairs, and keeps lines, pairs and controls', () => {
    expect(seen('a\ud800b\udc00c')).toBe('a\ufffdb\ufffdc');
    expect(seen('line\nbreak 👍 \0')).toBe('line\nbreak 👍 \0');
  });
});
