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
  [['Redis'], 'Use Postgres, because Redis loses what it holds on a restart', 'Use Postgres', ['Redis']],
  [['Redis'], 'Use Postgres, because data in Redis is lost', 'Use Postgres', ['Redis']],
  [['Redis'], 'Use Postgres, as data in Redis is lost', 'Use Postgres', ['Redis']],
  [['Redis'], 'Use Postgres. We compared it with Redis.', 'Use Postgres.', ['Redis']],
  [['Redis'], 'Use Postgres (compared with Redis)', 'Use Postgres', ['Redis']],
  [['Redis'], 'Use Postgres, Redis loses what it holds', 'Use Postgres', ['Redis']],
  [['Redis'], 'Use Postgres and no Redis', 'Use Postgres', ['Redis']],
  [['Redis'], 'Use Postgres in place of Redis', 'Use Postgres', ['Redis']],
  // A reason may name it.
  [['MySQL', 'SQLite'], 'Use PostgreSQL 16; MySQL lost data in our trial', 'Use Postgres', ['MySQL', 'SQLite']],
  [['MySQL'], 'PostgreSQL 16, because MySQL lost data', 'Use Postgres', ['MySQL']],
  [['MySQL'], 'The store is: MySQL, because it is run already', 'Use Postgres', []],
  [['Postgres'], 'Keep everything in one SQLite file, Postgres needs a server', 'Use SQLite', ['Postgres']],
  [['Postgres', 'Redis'], 'Keep users in Postgres, Redis', 'Use SQLite', []],
  [['Postgres, sharded'], 'Use Postgres, sharded', 'Use SQLite', []],
  // What stands before a contrast is chosen.
  [['webpack', 'Parcel'], 'Use webpack instead of Vite', 'Use Vite', ['Parcel']],
  [['webpack', 'Parcel'], 'Use webpack rather than Parcel', 'Use Vite', ['Parcel']],
  [['webpack', 'Parcel'], 'Use webpack over Vite', 'Use Vite', ['Parcel']],
  [['webpack', 'Parcel'], 'Use webpack, not Vite', 'Use Vite', ['Parcel']],
  [['webpack', 'Parcel'], 'Use webpack and not Parcel', 'Use Vite', ['Parcel']],
  [['webpack'], 'Do not use webpack instead of Vite', 'Use Vite', ['webpack']],
  // More is chosen than before.
  [['Redis', 'MySQL'], 'Use Postgres and Redis', 'Use Postgres', ['MySQL']],
  [['Redis', 'MySQL'], 'Use Postgres, Redis and MySQL.', 'Use Postgres.', []],
  [['Redis'], 'Use Postgres and Redis, because both are run', 'Use Postgres', []],
  [['Redis'], 'Use Postgres as the store and Redis as the cache', 'Use Postgres', []],
  [['Redis'], 'Use Postgres + Redis for sessions', 'Use Postgres', []],
  [['Redis', 'memory'], 'Cache in Redis', 'Cache', ['memory']],
  [['Redis'], 'Cache answers by way of a page and in the Redis of the team', 'Cache answers', []],
  [['Redis Cluster', 'Redis'], 'Use Postgres with Redis', 'Use Postgres', ['Redis Cluster']],
  // One thing is turned away for another.
  [['Postgres', 'a file'], 'Replace SQLite with Postgres', 'Use SQLite', ['a file']],
  [['Postgres', 'a file'], 'Move from SQLite to Postgres', 'Use SQLite', ['a file']],
  [['Postgres', 'a file'], 'No longer SQLite but Postgres', 'Use SQLite', ['a file']],
  [['Postgres', 'a file'], 'We dropped SQLite and use Postgres', 'Use SQLite', ['a file']],
  [['Postgres', 'a file'], 'Do not use SQLite. Use Postgres, not a file.', 'Use SQLite', ['a file']],
  [['Postgres', 'a file'], 'Instead of SQLite, we use Postgres', 'Use SQLite', ['a file']],
  [['Postgres', 'a file'], 'Move to Postgres before 2.0', 'Use SQLite', ['a file']],
  [['Postgres'], 'Use two files, because moving from SQLite to Postgres takes a month', 'Use SQLite', ['Postgres']],
  [['Postgres', 'Redis'], 'Use SQLite, not Postgres; Redis lost data', 'Use SQLite', ['Postgres', 'Redis']],
  [['Postgres'], 'Drop Postgres for its cost', 'Use SQLite', ['Postgres']],
  [['Postgres'], 'Do not use Postgres', 'Use SQLite', ['Postgres']],
])('%j in "%s" (was "%s")', (alternatives, now, before, left) => {
  expect(stillRejected(alternatives, { now, before })).toEqual(left);
});

const BOTH = ['SQLite', 'MySQL'];

/** All of it was "Use Postgres". */
test.each([
  'Use Postgres everywhere and remove the code for SQLite',
  'Postgres only: remove all support for SQLite.',
  'Remove the adapter for MySQL and SQLite',
  'We do not use MySQL. SQLite is too slow for us.',
  'Never use MySQL; SQLite only in tests.',
  'Never use MySQL; use SQLite only in tests.',
  'Drop support for SQLite',
  'Dropped our support for MySQL and SQLite',
  'Use Postgres 16; drop the driver for MySQL',
  'Abandon the port for SQLite',
  'Leave out the code for SQLite, and remove the tests for MySQL',
  'Replace the code for SQLite',
  'Swap the code for SQLite',
  'Delete the code for SQLite',
  'Use Postgres and delete what was there for SQLite',
  'Deprecate MySQL',
  'Get rid of SQLite',
  'End support for MySQL',
  'Abandon SQLite',
  'Cut support for SQLite',
  'Move off SQLite',
  'Ban MySQL',
  'Kill the adapter for SQLite',
  'Do not replace Postgres with MySQL',
  'We will never drop Postgres for SQLite',
  "Don't move from Postgres to MySQL",
  'There is no need to swap Postgres for MySQL',
  'Use Postgres instead of MySQL, SQLite and files',
  'Use Postgres. Remove SQLite from the path to MySQL',
  'We do not use MySQL, but SQLite was tried as well',
  'Not MySQL. Keep SQLite out of it.',
  'Do not use MySQL. We looked at SQLite for a week.',
  'Stop writing to MySQL. Nobody reads SQLite.',
  'Drop MySQL and keep SQLite out',
  'Replace what was there for SQLite with Postgres',
])('what is only turned away stays rejected: %s', (now) => {
  expect(stillRejected(BOTH, { now, before: 'Use Postgres' })).toEqual(BOTH);
});

test.each([
  ['Drop Postgres for SQLite', 'Use Postgres'],
  ['Drop Postgres for SQLite', 'Store all notes in Postgres, as rows'],
  ['We leave the Postgres server for SQLite', 'Use one Postgres server'],
  ['Swap Postgres for SQLite', 'Use Postgres'],
  ['Replace Postgres for SQLite, which needs no server', 'We use Postgres'],
  ['Drop MySQL for SQLite', 'Use Postgres'],
  ['Drop the code for Postgres in favour of SQLite', 'Use Postgres'],
  ['Remove the code for Postgres and use SQLite', 'Use Postgres'],
  ['Replace the code for Postgres with SQLite', 'Use Postgres'],
  ['Replace Postgres with SQLite by May', 'Use Postgres'],
  ['Exchange the driver for Postgres by SQLite', 'Use Postgres'],
  ['Replace what comes with Postgres by SQLite', 'Use Postgres'],
  ['We no longer use Postgres; we use SQLite.', 'Use Postgres'],
  ['Stop using Postgres. Switch to SQLite.', 'Use Postgres'],
  ["We won't use Postgres. Instead, use SQLite.", 'Use Postgres'],
  ['Never Postgres, but SQLite', 'Use Postgres'],
  ['Instead of Postgres, SQLite', 'Use Postgres'],
  ['Instead of Postgres, MySQL or files, we use SQLite', 'Use Postgres'],
  ['Migrate from Postgres to SQLite', 'Use Postgres'],
  ['From Postgres to SQLite', 'Use Postgres'],
])('what takes the place of something is chosen: %s (was "%s")', (now, before) => {
  expect(stillRejected(BOTH, { now, before })).toEqual(['MySQL']);
});

test('what merely uses the word of a thing in the old text is not turned away for another', () => {
  const left = (now: string, before: string) => stillRejected(BOTH, { now, before });
  expect(left('Drop support for SQLite', 'Keep support for Postgres')).toEqual(BOTH);
  expect(left('Remove the code for SQLite', 'Use Postgres and generated code')).toEqual(BOTH);
  expect(stillRejected(['Postgres'], { now: 'Remove the lock for Postgres', before: 'Use a row lock' })).toEqual([
    'Postgres',
  ]);
});

test('a text that is made to take long is compared as fast as any', () => {
  const long = 'a, '.repeat(100_000);
  expect(stillRejected([long, 'b'], { now: `${long} and b`, before: long })).toEqual([long]);
  expect(stillRejected([long, 'b'], { now: 'a, b', before: 'a' })).toEqual([long]);
  const before = 'one '.repeat(50_000);
  for (const part of ['drop for ', 'replace with ', 'from a to ', 'instead of a, ', 'not a. use ', 'drop one for '])
    expect(stillRejected(['b'], { now: part.repeat(20_000), before })).toEqual(['b']);
});
