import { describe, expect, test } from 'vitest';
import { inMarkdown, inMarkdownLink, plainLine, withoutIcons, withoutLinks } from '../../../src/extension/stored-text';
import { HIDING, JOINED } from '../../support/hostile-texts';

describe('text out of the store', () => {
  test('is one line, without controls and without what turns the order of letters around', () => {
    expect(plainLine(' one\r\n\ttwo\u202e three\u2028four\ufeff ')).toBe('one two three four');
  });

  test('is what people see of it, and the letters and emoji that they know', () => {
    for (const [text, left] of HIDING) {
      expect([plainLine(text), withoutIcons(text), withoutLinks(text)]).toEqual([left, left, left]);
      expect(inMarkdown(text, 1_000)).toBe(inMarkdown(left, 1_000));
    }
    for (const text of JOINED) expect(plainLine(text)).toBe(text);
  });

  test('is cut to its place, never in the middle of a character', () => {
    expect(plainLine('abcdef', 4)).toBe('abc…');
    expect(plainLine('ab cdef', 4)).toBe('ab…');
    expect(plainLine('ab😀cd', 4)).toBe('ab…');
    expect(plainLine('abcd', 4)).toBe('abcd');
  });

  test('draws no icons where the editor would draw them', () => {
    // The editor takes the backslash away and shows the rest as it stands.
    expect(withoutIcons('$(check) done $(sync~spin) \\$(x)')).toBe('\\$(check) done \\$(sync~spin) \\$(x)');
    expect(withoutIcons('costs $(5 or $() and $')).toBe('costs $(5 or $() and $');
  });

  test('makes no links in messages', () => {
    expect(withoutLinks('[click](command:agentMemory.forget)')).toBe('[click] (command:agentMemory.forget)');
  });

  test('is text in a tooltip, with a paragraph for each line, and breaks between words only', () => {
    expect(inMarkdown('two words\r\n\n    # no heading', 100)).toBe('two words\n\n\\# no heading');
    expect(inMarkdown('<b>&nbsp; [x](command:y) https://a.b', 100)).toBe(
      '&lt;b\\>&amp;nbsp\\; \\[x\\]\\(command\\:y\\) https\\:\\/\\/a\\.b',
    );
  });

  test('is the text of a link that reads as it was written, and neither ends the link nor calls anybody', () => {
    expect(inMarkdownLink('One file, (not two): "it\'s 3.5 - done!" = a/b; yes?', 100)).toBe(
      'One file, (not two): "it\'s 3.5 - done!" = a/b; yes?',
    );
    expect(inMarkdownLink('a](command:y) *b* `c` <i> & @ann #1 \\', 100)).toBe(
      'a\\](command:y) \\*b\\* \\`c\\` &lt;i> &amp; \\@ann \\#1 \\\\',
    );
  });
});
