import { expect, test } from 'vitest';
import { stillRejected } from '../../src/kinds/still-rejected';

test.each([
  [['20000', 'a setting'], 'MOST was lowered to 20000.', 'MOST was lowered to 50000.', ['a setting']],
  [['Two files', 'a server'], 'The store is two files', 'The store is one file', ['a server']],
  // Only words as they are, and only what is new.
  [['two'], 'Twofold', 'One', ['two']],
  [['Postgres'], 'Postgres and MySQL', 'Postgres', ['Postgres']],
  [['Postgres'], 'SQLite instead of Postgres', 'LMDB', ['Postgres']],
  [['…'], 'One …', 'One', ['…']],
  // More is told of the same choice.
  [['200'], 'A page has 50 rows. It was 200.', 'A page has 50 rows.', ['200']],
  [['200'], 'A page had 200 rows before', 'A page has 50 rows.', ['200']],
  [['200'], 'A page has 200 rows', 'A page has 50 rows.', []],
])('%j in "%s" (was "%s")', (alternatives, now, before, left) => {
  expect(stillRejected(alternatives, { now, before })).toEqual(left);
});
