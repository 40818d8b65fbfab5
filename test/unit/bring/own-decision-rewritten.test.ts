/** The file of a decision in which people put another option into the sentence, write the outcome anew, or add something. */
import { expect, test } from 'vitest';
import type { Adr } from '../../../src/server/bring/adr/adr';
import { ADR, type Edit, expected, type Read, read, TITLE, WHY } from '../../support/own-record';

const [IN_FILES, IN_POSTGRES] = ['We keep everything in one SQLite file', 'We keep everything in Postgres'];
const SERVERS: Adr = { ...ADR, content: IN_FILES, alternatives_rejected: ['Postgres', 'Redis'] };

test.each<[string, Edit[], Pick<Adr, 'content' | 'alternatives_rejected'>]>([
  [
    'the heading',
    [[`# ${IN_FILES}`, `# ${IN_POSTGRES}`]],
    { content: IN_FILES, alternatives_rejected: ['Postgres', 'Redis'] },
  ],
  [
    'the choice',
    [[`"${IN_FILES}"`, `"${IN_POSTGRES}"`]],
    { content: IN_POSTGRES, alternatives_rejected: [IN_FILES, 'Redis'] },
  ],
  [
    'heading and choice',
    [
      [`# ${IN_FILES}`, `# ${IN_POSTGRES}`],
      [`"${IN_FILES}"`, `"${IN_POSTGRES}"`],
    ],
    { content: IN_POSTGRES, alternatives_rejected: [IN_FILES, 'Redis'] },
  ],
  [
    'the choice, beside it',
    [[`"${IN_FILES}"`, '"We keep everything in one SQLite file and Postgres"']],
    { content: 'We keep everything in one SQLite file and Postgres', alternatives_rejected: ['Redis'] },
  ],
  ...['Replace the one SQLite file with Postgres', 'We move from one SQLite file to Postgres'].map(
    (turned): [string, Edit[], Pick<Adr, 'content' | 'alternatives_rejected'>] => [
      turned,
      [
        [`# ${IN_FILES}`, `# ${turned}`],
        [`"${IN_FILES}"`, `"${turned}"`],
      ],
      { content: turned, alternatives_rejected: [IN_FILES, 'Redis'] },
    ],
  ),
  [
    'the heading, in words of its own',
    [[`# ${IN_FILES}`, '# We keep everything in a Postgres database']],
    { content: 'We keep everything in a Postgres database', alternatives_rejected: ['Redis'] },
  ],
])('another option is put into the sentence: %s', (_, edits, found) => {
  expect(read(edits, SERVERS)).toEqual({ rationale: WHY, ...found });
});

test.each<[string, string, Read]>([
  [
    'a choice in a sentence',
    'We chose "Postgres", because SQLite locks.',
    ['Postgres', 'We chose "Postgres", because SQLite locks.', [IN_FILES, 'Redis']],
  ],
  [
    'a choice in a sentence, without quotes',
    'We decided to go with Postgres because of locks.',
    ['Postgres', 'We decided to go with Postgres because of locks.', [IN_FILES, 'Redis']],
  ],
  [
    'a choice over another in a sentence',
    'We chose Postgres over SQLite.',
    ['Postgres', 'We chose Postgres over SQLite.', [IN_FILES, 'Redis']],
  ],
  ['a sentence that may choose', 'We use Postgres elsewhere.', [IN_FILES, 'We use Postgres elsewhere.', ['Redis']]],
  ['a sentence about another option', 'Postgres it is.', [IN_FILES, 'Postgres it is.', ['Redis']]],
  [
    'a choice behind its reason',
    'Because SQLite locks, we moved to Postgres.',
    [IN_FILES, 'Because SQLite locks, we moved to Postgres.', ['Redis']],
  ],
  [
    'a sentence that chooses none of them',
    'We chose not to use Postgres, because it is a server.',
    [IN_FILES, 'We chose not to use Postgres, because it is a server.', ['Postgres', 'Redis']],
  ],
  [
    'what others are like',
    'The file won, Postgres was too heavy, because Redis, too, is a server.',
    [IN_FILES, 'The file won, Postgres was too heavy, because Redis, too, is a server.', ['Postgres', 'Redis']],
  ],
  [
    'several options',
    'Chosen options: "Postgres" and "Redis", because we need both',
    ['Postgres and Redis', 'we need both', [IN_FILES]],
  ],
  [
    'another option beside the choice',
    'Chosen option: "Postgres" for production, "Redis" for tests',
    ['Postgres', 'for production, "Redis" for tests', [IN_FILES]],
  ],
  [
    'a second choice',
    `Chosen option: "${IN_FILES}", because ${WHY}\n\nChosen option: "Redis" for sessions`,
    [IN_FILES, `${WHY}\n\nChosen option: "Redis" for sessions`, ['Postgres']],
  ],
  [
    'an update',
    `Chosen option: "${IN_FILES}", because ${WHY}\n\nUpdate: Chosen option: "Redis", because it is fast`,
    [IN_FILES, `${WHY}\n\nUpdate: Chosen option: "Redis", because it is fast`, ['Postgres']],
  ],
  [
    'a list of choices',
    'Chosen option:\n\n- Postgres\n- Redis',
    [IN_FILES, 'Chosen option:\n\n- Postgres\n- Redis', []],
  ],
  [
    'another option in the reason',
    `Chosen option: "${IN_FILES}", because Postgres is a server. Redis is one, too.`,
    [IN_FILES, 'Postgres is a server. Redis is one, too.', ['Postgres', 'Redis']],
  ],
])('the outcome is written anew, and no option is rejected that it speaks of: %s', (_, outcome, found) => {
  expect(read([[`Chosen option: "${IN_FILES}", because ${WHY}`, outcome]], SERVERS)).toEqual(expected(found));
});

test.each<[string, readonly string[], string, string, string]>([
  ['is corrected', [], '5 workers read the queue', '# 8 workers read the queue', '8 workers read the queue'],
  ['is corrected', ['9 retries'], '3 retries at most', '# 4 retries at most', '4 retries at most'],
  ['is corrected', ['9 retries'], '3 retries at most', '# 7. 4 retries at most', '4 retries at most'],
  ['is one of records', ['9 retries'], '3 retries at most', '# 7. 3 retries at most', '3 retries at most'],
  ['is one of records', [], 'Retry three times', '# 7. Retry four times', 'Retry four times'],
])('a number at the start of the heading %s: of %j and "%s" to "%s"', (_, others, content, heading, found) => {
  const adr = { ...ADR, content, alternatives_rejected: others };
  expect(read([[`# ${content}`, heading]], adr)).toEqual(expected([found, WHY, others]));
});

test('what people add in sections of their own is a reason', () => {
  const edits: Edit[] = [
    [`# ${TITLE}`, `# ${TITLE}\n\n* Date: 2026-12-01\n\nAsked by Ann.`],
    ['## Considered', '## Context\n\nTests start a server.\n\n## Considered'],
    [WHY, `${WHY}\n\n### Consequences\n\n* One writer`],
  ];
  const why = `${WHY}\n\nAsked by Ann.\n\nContext: Tests start a server.\n\nConsequences:\n* One writer`;
  expect(read(edits)).toEqual(expected([TITLE, why]));
  const about = `${WHY}\n\n## Pros and Cons of the Options\n\n### Postgres\n\nIt is a server.`;
  expect(read([[WHY, about]])).toEqual(expected([TITLE, `${WHY}\n\nPostgres: It is a server.`]));
});
