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

test('a text that is made to take long is compared as fast as any', () => {
  const long = 'a, '.repeat(100_000);
  expect(stillRejected([long, 'b'], { now: `${long} and b`, before: long })).toEqual([long]);
  expect(stillRejected([long, 'b'], { now: 'a, b', before: 'a' })).toEqual([long]);
});
