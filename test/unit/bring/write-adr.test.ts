import { expect, test } from 'vitest';
import type { Adr } from '../../../src/server/bring/adr/adr';
import { readAdr } from '../../../src/server/bring/adr/read-adr';
import { adrFileName, writeAdr } from '../../../src/server/bring/adr/write-adr';
import { seededRandom } from '../../support/random';

const PLAIN: Adr = {
  content: 'The store is one SQLite file',
  rationale: 'no server to run',
  alternatives_rejected: ['Postgres', 'LMDB'],
  status: { is: 'accepted' },
  valid_from: '2026-03-31T00:00:00.000Z',
  supersedes: [],
  id: 'd_bakilomu',
  valid_until: undefined,
  confidence: undefined,
  about: ['src/store.ts#open'],
};

test('a decision is written as MADR', () => {
  expect(writeAdr(PLAIN)).toBe(`---
status: accepted
date: 2026-03-31
id: d_bakilomu
about: ["src/store.ts#open"]
---

# The store is one SQLite file

## Considered Options

* The store is one SQLite file
* Postgres
* LMDB

## Decision Outcome

Chosen option: "The store is one SQLite file", because no server to run
`);
});

test.each<[string, Partial<Adr>]>([
  ['as it is', {}],
  ['without reasons', { rationale: undefined, alternatives_rejected: [], about: [] }],
  ['at a time of the day, not sure', { valid_from: '2026-03-31T09:30:00.123Z', confidence: 0.7 }],
  [
    'of several lines',
    { content: 'One file\n\n## Status\n\nrejected\n\n```\nopen', rationale: '# Because\n\n* a\n  b' },
  ],
  ['with code', { rationale: '```ts\n# no heading\n```\nand `more`' }],
  [
    'with marks of Markdown',
    { content: 'Use C #', rationale: '\\# one\n\\\\``` two', alternatives_rejected: ['- a', '* b'] },
  ],
  ['with options of several lines', { alternatives_rejected: ['Postgres\n\n# fast\n- but large\n```', 'LMDB'] }],
  ['with quotes', { content: 'Say "yes", because "no", because it is shorter', about: ['a, "b"', "it's: c"] }],
  ['long', { content: 'word '.repeat(200).trim() }],
  ['with a comment', { content: 'Keep <!-- this --> text', rationale: '<!-- all of it -->' }],
  ['with a number first', { content: '1. of all' }],
  ['that was given up', { status: { is: 'deprecated' }, valid_until: '2026-04-01T10:00:00.000Z' }],
  ['superseded', { status: { is: 'superseded', by: ['0002-other.md'] }, valid_until: '2026-04-01T00:00:00.000Z' }],
])('what is written is read as the same decision: %s', (_, change) => {
  const adr = { ...PLAIN, ...change };
  expect(readAdr(writeAdr(adr))).toEqual(adr);
});

test('what is written is read as the same decision, whatever it says', () => {
  const { of: pick, below } = seededRandom(7);
  const pieces = [
    '#',
    '##',
    '```',
    '~~~',
    '\\',
    '* ',
    '- ',
    '1. ',
    '\n',
    '\n\n',
    '    ',
    ' ',
    'word',
    '"',
    "'",
    '---',
    ': ',
    '<!--',
  ];
  const text = (): string => {
    const made = Array.from({ length: 1 + below(12) }, () => pick(pieces))
      .join('')
      .trim();
    return made === '' ? 'x' : made;
  };
  for (let i = 0; i < 2_000; i++) {
    const content = text();
    const adr = { ...PLAIN, content, rationale: text(), alternatives_rejected: [`a${text()}`, `b${text()}`] };
    expect(readAdr(writeAdr(adr))).toEqual(adr);
  }
});

test('the name of a file has the number and the words', () => {
  expect(adrFileName(7, 'The store is one SQLite file!')).toBe('0007-the-store-is-one-sqlite-file.md');
  expect(adrFileName(12, '日本語')).toBe('0012-decision.md');
});

test.each<[string, (text: string) => string, string]>([
  [
    'its heading',
    (text) => text.replace('# The store is', '# All of the store is'),
    'All of the store is one SQLite file',
  ],
  [
    'its heading, in other words',
    (text) => text.replace(/^# .*$/m, '# Where memories are kept.'),
    'Where memories are kept: The store is one SQLite file',
  ],
  [
    'its heading, as a correction',
    (text) => text.replace('# The store is one', '# The store is two'),
    'The store is two SQLite file',
  ],
  [
    'what is chosen, as a correction',
    (text) => text.replace('"The store is one', '"The store is two'),
    'The store is two SQLite file',
  ],
  ['the option', (text) => text.replace('* The store is', '* Our store is'), PLAIN.content],
  [
    'what is chosen',
    (text) => text.replace('"The store is one SQLite file"', '"The store is one SQLite file in WAL mode"'),
    'The store is one SQLite file in WAL mode',
  ],
  [
    'what is chosen, without quotes',
    (text) => text.replace('"The store is one SQLite file"', 'The store is one SQLite file in WAL mode'),
    'The store is one SQLite file in WAL mode',
  ],
])(
  'of a record of ours in which somebody edits %s, the choice stays chosen, and its reason stays',
  (_, edit, content) => {
    expect(readAdr(edit(writeAdr(PLAIN)))).toEqual({ ...PLAIN, content });
  },
);

test('of a record of ours, what somebody writes above the choice is a part of its reason', () => {
  const text = writeAdr(PLAIN).replace('Chosen option:', 'Measured in May.\n\nChosen option:');
  expect(readAdr(text)).toEqual({ ...PLAIN, rationale: 'Measured in May.\n\nno server to run' });
});
