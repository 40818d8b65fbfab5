import { describe, expect, test } from 'vitest';
import { readAdr } from '../../../src/server/bring/adr/read-adr';

function read(list: string, outcome: string, heading = 'Considered Options') {
  return readAdr(`# Notes\n\n## ${heading}\n\n${list}\n\n## Decision Outcome\n\n${outcome}\n`);
}

function bullets(...options: readonly string[]): string {
  return options.map((one) => `* ${one}`).join('\n');
}

const THREE = bullets('SQLite', 'Postgres', 'Files');
const LABELLED = bullets('Option A: SQLite', 'Option B: Postgres');
const BY_LETTER = bullets('A: SQLite', 'B) Postgres');
const MIXED = bullets('Option 1: SQLite', 'Option 3: Files', 'Option 2: Postgres');
const FROM_ZERO = bullets('Option 0: Nothing', 'Option 1: SQLite', 'Option 2: Files');
const NESTED = '* SQLite\n  * one file\n  * bad, because it locks\n* Postgres\n  1. a server\n* Files';

describe('told for certain', () => {
  test.each([
    [THREE, 'Chosen option: "SQLite" (it beats option 2)', ['Postgres', 'Files']],
    [THREE, 'Chosen option: "SQLite", as option 2 costs too much', ['Postgres', 'Files']],
    [THREE, 'Chosen option: "SQLite" as primary, not Postgres', ['Postgres', 'Files']],
    [THREE, 'Chosen option: "SQLite", but not for ever', ['Postgres', 'Files']],
    [THREE, 'Chosen option: "SQLite", because x. Postgres is hard to use.', ['Postgres', 'Files']],
    [THREE, 'Chosen option: "SQLite", because x. We use it everywhere, since Postgres is big.', ['Postgres', 'Files']],
    [THREE, 'Chosen option: "SQLite". We do not use Postgres.', ['Postgres', 'Files']],
    [THREE, 'Chosen option "SQLite", because x', ['Postgres', 'Files']],
    [THREE, 'Chosen option is **SQLite**', ['Postgres', 'Files']],
    [THREE, '**Decision**: SQLite', ['Postgres', 'Files']],
    [THREE, '**Selected: SQLite**', ['Postgres', 'Files']],
    [THREE, '* **Accepted:** SQLite, not Postgres', ['Postgres', 'Files']],
    [THREE, 'Chosen option: #2', ['SQLite', 'Files']],
    [THREE, 'Chosen option: 2', ['SQLite', 'Files']],
    [MIXED, 'Chosen option: "Option 3: Files", because x', ['Option 1: SQLite', 'Option 2: Postgres']],
    [MIXED, 'Option 3, because x', ['Option 1: SQLite', 'Option 2: Postgres']],
    [FROM_ZERO, 'Chosen option: "Option 2: Files"', ['Option 0: Nothing', 'Option 1: SQLite']],
    [FROM_ZERO, 'Option 2', ['Option 0: Nothing', 'Option 1: SQLite']],
    [LABELLED, 'Chosen option: "Option A"', ['Option B: Postgres']],
    [BY_LETTER, 'Chosen option: A', ['B) Postgres']],
    [BY_LETTER, 'Chosen option: Option B', ['A: SQLite']],
    ['0. Nothing\n1. SQLite\n2. Files', 'Option 2.', ['Nothing', 'SQLite']],
    [bullets('SQLite', 'Postgres ✅'), 'It is the fastest.', ['SQLite']],
    [bullets('**SQLite** (chosen)', 'Postgres'), 'It is enough.', ['Postgres']],
    [NESTED, 'Option 2, because x', ['SQLite: it locks', 'Files']],
    [NESTED, 'Chosen option: "SQLite"', ['Postgres 1. a server', 'Files']],
  ])('%s\n%s', (list, outcome, rejected) => {
    expect(read(list, outcome)?.alternatives_rejected).toEqual(rejected);
  });
});

describe('nobody can tell', () => {
  test.each([
    [THREE, 'We use SQLite, as option 2 costs too much.'],
    [THREE, 'We use SQLite instead of Postgres.'],
    [THREE, 'We take option 2, in `src/store.ts`.'],
    [THREE, 'We use TLS option 2 of the driver. SQLite stays.'],
    [THREE, 'Option 1 was considered but we chose option 2.'],
    [THREE, 'While option 1 is cheap, we choose option 2.'],
    [THREE, 'Chosen option: Option 1 and Option 3, because both'],
    [THREE, 'Chosen option: "SQLite" and "Files", because both'],
    [THREE, 'Chosen options: "SQLite" and "Files"'],
    [THREE, 'Chosen option: Option 1, Option 3'],
    [THREE, 'Chosen option: SQLite for tests, Postgres for production'],
    [THREE, 'Chosen option: Option 2 (Files)'],
    [THREE, 'Accepted:\n- SQLite\n- Files'],
    [THREE, '- Accepted: SQLite\n- Accepted: Files for exports'],
    [THREE, 'Chosen option: "Postgres" as primary, SQLite in tests'],
    [THREE, 'Chosen option: "Postgres", but SQLite for tests'],
    [THREE, 'Chosen option: "Postgres", except in tests, where SQLite is enough'],
    [THREE, 'Chosen option: "Postgres", but not in tests, but SQLite there'],
    [THREE, 'Chosen option: "Postgres". For tests we use SQLite.'],
    [THREE, 'Chosen option: "Postgres", because it is known. Tests use SQLite, as it is small.'],
    [THREE, 'Chosen option: "Postgres", not Files. For tests we take option 1.'],
    [THREE, 'We use option 1 for tests and Postgres for production.'],
    [THREE, 'Postgres is hard to use. SQLite it is.'],
    [THREE, "We won't use Postgres; SQLite is enough."],
    [THREE, 'We cannot use Postgres because it is big. SQLite is chosen.'],
    [THREE, 'Decision: do not adopt Postgres; SQLite is used'],
    [THREE, 'Decision: we drop Postgres'],
    [THREE, 'Decision: freeze Postgres'],
    [THREE, 'Decision: Postgres is slow in tests.'],
    [THREE, 'Chosen option: everything but Postgres'],
    [bullets('A Postgres server', 'SQLite'), 'Decision: stop the Postgres server'],
    [THREE, 'Option 1, which is cheap, was rejected.'],
    [THREE, 'Option 1, 3'],
    [THREE, 'Chosen: none of it; notes are kept in memory.'],
    [THREE, 'Chosen option: "2. Postgres"'],
    [THREE, 'Chosen option: "Something else"'],
    [THREE, 'Chosen option: SQLite 4'],
    [bullets('Stay on Postgres', 'SQLite'), 'We decided on leaving Postgres.'],
    [bullets('No server at all', 'Postgres'), 'Chosen option: "No server"'],
    [bullets('No ORM', 'Prisma'), 'Chosen option: "Without ORM"'],
    [bullets('Alternative 0: Nothing', 'Alternative 1: SQLite', 'Alternative 2: Files'), 'Option 2.'],
    [bullets('Copy it into `lib/a/fetch.js`', 'A shared helper'), 'Chosen: `lib/b/resolve.js`.'],
    [bullets('SQLite (chosen)', 'Postgres'), 'Chosen option: "Postgres"'],
  ])('%s\n%s', (list, outcome) => {
    expect(read(list, outcome)).toMatchObject({
      alternatives_rejected: [],
      rationale: expect.stringContaining(`Considered options:\n${list}`),
    });
  });
});

test.each([
  [bullets('SQLite (chosen)', 'Postgres', 'Files'), 'One file is enough.', ['Postgres', 'Files']],
  [bullets('SQLite', 'Postgres'), 'Chosen option: "SQLite"', ['Postgres']],
  [bullets('SQLite', 'Postgres'), 'We will use SQLite instead of Postgres.', ['Postgres']],
  [LABELLED, 'Option A.', ['Option B: Postgres']],
  [THREE, 'We use Postgres, but SQLite for tests.', ['Files']],
  [THREE, 'We do not need a server. We use SQLite.', ['Postgres', 'Files']],
  [THREE, 'We do not use Postgres but SQLite.', ['Postgres', 'Files']],
  [THREE, 'We use SQLite instead of Postgres. Postgres is big.', ['Postgres', 'Files']],
  [bullets('A Postgres file', 'LMDB'), 'Decision: one SQLite file', ['A Postgres file', 'LMDB']],
])('below "Alternatives" all but what is chosen was rejected: %s\n%s', (list, outcome, rejected) => {
  expect(read(list, outcome, 'Alternatives Considered')?.alternatives_rejected).toEqual(rejected);
});

test.each([
  [THREE, '- Decision: SQLite\n- Date: 2024-01-01', 'Notes: SQLite', '- Date: 2024-01-01'],
  ['', '- Decision: SQLite\n- Date: 2024-01-01', 'Notes: SQLite', '- Date: 2024-01-01'],
  ['', 'Accepted: 2024-05-06. We use SQLite.', 'Notes: Accepted: 2024-05-06. We use SQLite.', undefined],
  ['', '- Accepted: 2024-05-06\n- We use SQLite', 'Notes: - Accepted: 2024-05-06 - We use SQLite', undefined],
  [NESTED, 'Chosen option: "Option 2", because it is fast.', 'Notes: Postgres', 'it is fast.'],
  ['', '**Chosen option: SQLite**', 'Notes: SQLite', undefined],
])('what is decided is no more and no less than is said: %s\n%s', (list, outcome, content, rationale) => {
  expect(read(list, outcome)).toMatchObject({ content, rationale });
});

describe('below "Alternatives" what may be chosen is not called rejected', () => {
  test.each([
    'Kafka',
    'Kafka: fast, we know it',
    '**Kafka**: fast',
    '**Kafka:** fast',
    '__Kafka:__ fast',
    '**Kafka** - fast',
    '**Kafka** is fast',
    'Kafka - fast',
    'Kafka – fast',
    'Kafka, which is fast',
    'Kafka because it is fast',
    'Kafka (fast)',
    '[Kafka](https://example.org): fast',
    'Option 1: Kafka',
    'Option 1: Kafka - fast',
    '**Option 1:** Kafka, fast',
    '**Option 1: Kafka** (fast)',
    'A) Kafka: fast',
    '1. Kafka: fast',
    'Kafka: fast\n  * known',
  ])('%s', (item) => {
    const list = bullets(item, 'Option 3: RabbitMQ, slow');
    const rejected = ['Option 3: RabbitMQ, slow'];
    expect(read(list, 'We will use Kafka.', 'Alternatives')?.alternatives_rejected).toEqual(rejected);
    // Nothing is lost.
    expect(read(list, 'We will use Kafka.', 'Alternatives')?.rationale).toContain('Kafka');
    expect(read(list, 'We will use Redis instead of Kafka.', 'Alternatives')?.alternatives_rejected).toHaveLength(2);
  });

  test.each([
    ['Kafka (chosen): fast', 'It is the fastest.'],
    ['**Kafka (chosen)** - fast', 'It is the fastest.'],
    ['**Kafka** (chosen), fast', 'It is the fastest.'],
    ['Kafka ✅: fast', 'It is the fastest.'],
    ['Option 2: Kafka', 'We go with option 2.'],
    ['Option B: Kafka', 'We go with option B.'],
  ])('%s\n%s', (item, outcome) => {
    expect(read(bullets(item, 'Redis'), outcome, 'Alternatives')?.alternatives_rejected).toEqual(['Redis']);
  });

  test.each([
    ['1. Redis\n2. Kafka', 'We go with option 2.', ['Redis']],
    [
      bullets('Redis: ✅ fast, ❌ one more server', 'Kafka'),
      'Files are enough.',
      ['Redis: ✅ fast, ❌ one more server', 'Kafka'],
    ],
    [bullets('Option 1: Redis', 'Option 2: Kafka'), 'Files in 2 folders.', ['Option 1: Redis', 'Option 2: Kafka']],
  ])('%s\n%s', (list, outcome, rejected) => {
    expect(read(list, outcome, 'Alternatives')?.alternatives_rejected).toEqual(rejected);
  });
});

const HEADINGS =
  '### SQLite\n\nOne file.\n\n### Postgres\n\nA server.\n\n* Good, fast\n* Bad, because big\n\n#### More\n\n### Files';

describe('options in other forms than a list', () => {
  test.each([
    ['Considered Options', HEADINGS, 'Chosen option: "SQLite"', ['Postgres: big', 'Files']],
    ['Considered Options', HEADINGS, 'Option 2.', ['SQLite: One file', 'Files']],
    ['Options', `We had three.\n\n${HEADINGS}`, 'Chosen: Files', ['SQLite: One file', 'Postgres: big']],
    ['Options', '### Option 1: SQLite\n\n### Option 2: Postgres', 'Chosen: Option 1', ['Option 2: Postgres']],
    ['Options', '### SQLite (chosen)\n\n### Postgres\n\nA server.', 'It is enough.', ['Postgres: A server']],
    ['Alternatives', HEADINGS, 'We use SQLite.', ['Postgres: big', 'Files']],
    ['Rejected Alternatives', '* Postgres\n* Files', 'We use SQLite.', ['Postgres', 'Files']],
    ['Rejected options', '* Postgres', 'We use SQLite.', ['Postgres']],
    ['Considered Alternatives', THREE, '* Chosen Alternative: SQLite', ['Postgres', 'Files']],
    ['Considered Alternatives', THREE, 'Chosen Alternative: "Postgres", because x', ['SQLite', 'Files']],
    ['Considered Options', '* SQLite:\n  * one file\n* Postgres', 'Chosen option: "SQLite"', ['Postgres']],
  ])('%s\n%s\n%s', (heading, list, outcome, rejected) => {
    expect(read(list, outcome, heading)?.alternatives_rejected).toEqual(rejected);
  });

  test.each([
    ['Considered Options', HEADINGS, 'We use SQLite.', 'Considered options:\n* SQLite: One file'],
    ['Considered Alternatives', THREE, 'Chosen Alternative: LMDB', `Considered options:\n${THREE}`],
    [
      'Considered Options',
      'Postgres would need a server.',
      'SQLite.',
      'Considered Options: Postgres would need a server.',
    ],
    [
      'Alternatives',
      '| Option |\n| --- |\n| Postgres |',
      'SQLite.',
      'Alternatives:\n| Option |\n| --- |\n| Postgres |',
    ],
  ])('what cannot be told is a reason: %s\n%s\n%s', (heading, list, outcome, rationale) => {
    expect(read(list, outcome, heading)).toMatchObject({
      alternatives_rejected: [],
      rationale: expect.stringContaining(rationale),
    });
  });
});
