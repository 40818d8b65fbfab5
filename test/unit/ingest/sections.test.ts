import { expect, it } from 'vitest';
import { sectionsOf } from '../../../src/server/ingest/sections';

const DOCUMENT = `---
title: The guide
tags: [a, b]
---
Before all, see [the source](../src/a.ts#run).

# The guide

Words of \`one()\`.

Setext
------

\`\`\`md
# no heading
\`two\`
\`\`\`

> ## quoted
> is no heading of the document

| a | b |
| --- | --- |
| \`three\` | 4 |

### Only a heading

## With \`code\` in it

- item
  ## not a heading of the document either

[later]: ./b.ts
`;

it('divides a document at its own headings, with their lines, code and links', () => {
  const sections = sectionsOf(DOCUMENT, 'guide.md');
  expect(
    sections.map(({ heading, start_line, end_line, code, links }) => ({ heading, start_line, end_line, code, links })),
  ).toEqual([
    { heading: 'The guide', start_line: 5, end_line: 5, code: [], links: ['../src/a.ts#run'] },
    { heading: 'The guide', start_line: 7, end_line: 9, code: ['one()'], links: [] },
    { heading: 'The guide › Setext', start_line: 11, end_line: 24, code: ['three'], links: [] },
    { heading: 'The guide › With code in it', start_line: 28, end_line: 33, code: ['code'], links: ['./b.ts'] },
  ]);
  const lines = DOCUMENT.split('\n');
  for (const { text, start_line, end_line } of sections)
    expect(text).toBe(lines.slice(start_line - 1, end_line).join('\n'));
});

it('takes the name of the file, or the first heading, where nothing gives a title', () => {
  expect(sectionsOf('words', 'a.md')[0]?.heading).toBe('a.md');
  expect(sectionsOf('# Top\n\nx\n\n## Sub\n\ny\n', 'a.md').map(({ heading }) => heading)).toEqual(['Top', 'Top › Sub']);
  expect(sectionsOf('---\ntitle: [broken\n---\nx\n', 'a.md')[0]?.heading).toBe('a.md');
});

it('cuts a long section between its blocks', () => {
  const paragraph = `${'word '.repeat(500).trim()}\n\n`;
  const sections = sectionsOf(`# Long\n\n${paragraph.repeat(6)}`, 'a.md');
  expect(sections.length).toBe(3);
  expect(sections.every(({ text, heading }) => text.length < 6_500 && heading === 'Long')).toBe(true);
});

it('reads long lines in part, so that no document keeps the parser busy', () => {
  // Read whole, it would take longer than a test may.
  const [section] = sectionsOf(`# A\n\n${'**_a'.repeat(50_000)}\n`, 'a.md');
  expect(section?.end_line).toBe(3);
});

it('survives whatever a document holds', () => {
  for (const text of [
    '',
    '\n\n',
    '#',
    '---',
    '---\n---\n',
    '+++\na = 1\n+++\nx',
    '`'.repeat(5_000),
    '['.repeat(2_000),
    '# \u0000\u202e x\n\ny',
    '<div>\n\n# in html\n\n</div>',
  ]) {
    expect(() => sectionsOf(text, 'a.md')).not.toThrow();
  }
});

it('tells of links and notes as they are written, and a definition where it stands', () => {
  const text =
    '# One[^1] [two][a] ![three](x.png)\n\nSee [a] and `b\nc`, [d](javascript:e) <f>.\n\n[^1]: `note`\n\n- [a]: <g h.md>\n  "Title"\n';
  expect(sectionsOf(text, 'x.md')).toMatchObject([
    { heading: 'One two three', end_line: 9, code: ['b c', 'note'], links: ['x.png', 'javascript:e', 'g h.md'] },
  ]);
});

it('takes another heading of the first level for a title of its own', () => {
  const headings = sectionsOf('# One\n\na\n\n# Two\n\nb\n\n## Part\n\nc\n', 'x.md').map(({ heading }) => heading);
  expect(headings).toEqual(['One', 'Two', 'Two › Part']);
});
