/** What a person makes of the file of a decision by hand, and what is read then. */
import { expect, test } from 'vitest';
import type { Adr } from '../../../src/server/bring/adr/adr';
import { readAdr } from '../../../src/server/bring/adr/read-adr';
import { writeAdr } from '../../../src/server/bring/adr/write-adr';

const TITLE = 'Use SQLite for the store';
const WHY = 'it is one file';
const OTHERS = ['Postgres', 'LevelDB'];

const ADR: Adr = {
  content: TITLE,
  rationale: WHY,
  alternatives_rejected: OTHERS,
  status: { is: 'accepted' },
  valid_from: '2026-12-01T00:00:00.000Z',
  supersedes: [],
  id: 'd_rotombus',
  valid_until: undefined,
  confidence: undefined,
  about: [],
};

const HEADING = `# ${TITLE}`;
const OPTION = `* ${TITLE}`;
const CHOICE = `"${TITLE}", because ${WHY}`;
const OUTCOME = `Chosen option: ${CHOICE}`;
const LIST = `## Considered Options\n\n${OPTION}\n* Postgres\n* LevelDB\n\n`;

/** What is found, and what is put in its place. */
type Edit = readonly [string, string];
/** Content, reason and rejected ones; what is not said is as it was. */
type Read = readonly [string?, (string | null)?, (readonly string[])?];

function read(edits: readonly Edit[], adr: Adr = ADR) {
  const text = edits.reduce((page, [found, put]) => {
    expect(page).toContain(found);
    return page.replace(found, () => put);
  }, writeAdr(adr));
  const { content, rationale, alternatives_rejected } = readAdr(text) ?? expect.fail('it is no record any more');
  return { content, rationale, alternatives_rejected };
}

function expected([content = TITLE, rationale = WHY, alternatives_rejected = OTHERS]: Read) {
  return { content, rationale: rationale ?? undefined, alternatives_rejected };
}

const POSTGRES = 'Use Postgres for the store';
const TURNED: Read = [POSTGRES, 'it scales', [TITLE, 'LevelDB']];

test.each<[string, Edit[], Read?]>([
  // The list.
  ['its own option is taken out', [[`${OPTION}\n`, '']]],
  [
    'its own option is taken out, and another one is like it',
    [
      [`${OPTION}\n`, ''],
      ['* Postgres', `* ${POSTGRES}`],
    ],
    [TITLE, WHY, [POSTGRES, 'LevelDB']],
  ],
  [
    'its own option comes last, in other words',
    [
      [`${OPTION}\n`, ''],
      ['* LevelDB', '* LevelDB\n* SQLite (one file)'],
    ],
  ],
  [
    'another option is put before its own, in other words',
    [[OPTION, '* MySQL\n* SQLite']],
    [TITLE, WHY, ['MySQL', ...OTHERS]],
  ],
  ['another option is put before its own', [[OPTION, `* MySQL\n${OPTION}`]], [TITLE, WHY, ['MySQL', ...OTHERS]]],
  ['an option is added', [['* LevelDB', '* LevelDB\n* LMDB']], [TITLE, WHY, [...OTHERS, 'LMDB']]],
  ['an option is taken out', [['* Postgres\n', '']], [TITLE, WHY, ['LevelDB']]],
  ['a remark stands behind its own option', [[OPTION, `${OPTION} – the least to run`]]],
  [
    'remarks stand below its own option',
    [[OPTION, `${OPTION}\n  * Good, because it is one file\n  * Bad, because one process writes`]],
  ],
  ['its own option is marked', [[OPTION, `${OPTION} (chosen)`]]],
  ['its own option is bold', [[OPTION, `* **${TITLE}**`]]],
  ['another option is crossed out', [['* Postgres', '* ~~Postgres~~']], [TITLE, WHY, ['~~Postgres~~', 'LevelDB']]],
  [
    'the list is numbered',
    [
      [OPTION, `1. ${TITLE}`],
      ['* Postgres', '2. Postgres'],
      ['* LevelDB', '3. LevelDB'],
    ],
  ],
  ['the list is taken out', [[LIST, '']], [TITLE, WHY, []]],
  [
    'its own option is another one',
    [[OPTION, '* One embedded database']],
    [TITLE, WHY, ['One embedded database', ...OTHERS]],
  ],
  // The heading.
  ['the heading says more', [[HEADING, `${HEADING} in WAL mode`]], [`${TITLE} in WAL mode`]],
  ['the heading is corrected', [[HEADING, '# Use SQLite for storage']], ['Use SQLite for storage']],
  ['the heading gets a number', [[HEADING, `# 7. ${TITLE}`]]],
  ['the heading is corrected, with a number', [[HEADING, '# 0007 Use SQLite for storage']], ['Use SQLite for storage']],
  ['the heading is a topic', [[HEADING, '# Where notes are kept.']], [`Where notes are kept: ${TITLE}`]],
  ['the heading alone names another option', [[HEADING, `# ${POSTGRES}`]]],
  [
    'the heading is a topic, and its own option is taken out',
    [
      [HEADING, '# Where notes are kept'],
      [`${OPTION}\n`, ''],
    ],
    [`Where notes are kept: ${TITLE}`],
  ],
  [
    'the heading and the list are corrected',
    [
      [HEADING, '# Use SQLite 3 for the store'],
      [OPTION, '* Use SQLite 3 for the store'],
    ],
    ['Use SQLite 3 for the store'],
  ],
  // The choice, turned round.
  [
    'another option is chosen',
    [[CHOICE, '"Postgres", because it scales']],
    ['Postgres', 'it scales', [TITLE, 'LevelDB']],
  ],
  ['another option is chosen in more words', [[CHOICE, `"${POSTGRES}", because it scales`]], TURNED],
  ['another option is chosen, without quotes', [[CHOICE, `${POSTGRES}, because it scales`]], TURNED],
  [
    'another option is chosen, and the old one is crossed out',
    [[CHOICE, `~~"${TITLE}"~~ "${POSTGRES}", because it scales`]],
    TURNED,
  ],
  ['another option is chosen, in bold', [[OUTCOME, `**Chosen option:** **"${POSTGRES}"**, because it scales`]], TURNED],
  [
    'another option is chosen by its number',
    [[CHOICE, 'option 2, because it scales']],
    ['Postgres', 'it scales', [TITLE, 'LevelDB']],
  ],
  [
    'another option is chosen, and marked in the list',
    [
      ['* Postgres', '* Postgres ✅'],
      [CHOICE, `"${POSTGRES}", because it scales`],
    ],
    TURNED,
  ],
  ['another option is chosen below the label', [[OUTCOME, `Chosen option:\n"${POSTGRES}"\nbecause it scales`]], TURNED],
  [
    'another option is decided for',
    [[OUTCOME, 'Decision: Postgres, because it scales']],
    ['Postgres', 'Decision: Postgres, because it scales', [TITLE, 'LevelDB']],
  ],
  [
    'heading and choice name another option',
    [
      [HEADING, `# ${POSTGRES}`],
      [CHOICE, `"${POSTGRES}", because it scales`],
    ],
    TURNED,
  ],
  [
    'choice and list are turned round, and the heading is forgotten',
    [
      [CHOICE, `"${POSTGRES}", because it scales`],
      [OPTION, `* ${POSTGRES}`],
      ['* Postgres', '* SQLite'],
    ],
    [POSTGRES, 'it scales', ['SQLite', 'LevelDB']],
  ],
  [
    'heading, choice and list are turned round',
    [
      [HEADING, `# ${POSTGRES}`],
      [CHOICE, `"${POSTGRES}", because it scales`],
      [OPTION, `* ${POSTGRES}`],
      ['* Postgres', `* ${TITLE}`],
    ],
    TURNED,
  ],
  [
    'what is in no list is chosen',
    [[CHOICE, '"Use DuckDB for analytics", since it is fast']],
    ['Use DuckDB for analytics', 'since it is fast', [TITLE, ...OTHERS]],
  ],
  [
    'what is in no list is chosen in the same words',
    [[CHOICE, '"Use Redis for the store", because it is fast']],
    ['Use Redis for the store', 'it is fast', [TITLE, ...OTHERS]],
  ],
  [
    'the contrary is chosen',
    [[CHOICE, '"Do not use SQLite", because it locks']],
    ['Do not use SQLite', 'it locks', [TITLE, ...OTHERS]],
  ],
  [
    'both are chosen',
    [[CHOICE, `"${TITLE}" and "Postgres", because we need both`]],
    [`${TITLE} and Postgres`, 'we need both', ['LevelDB']],
  ],
  // The choice, in other words.
  ['the choice says more', [[CHOICE, `"${TITLE}, in WAL mode", because ${WHY}`]], [`${TITLE}, in WAL mode`]],
  ['the choice is corrected', [[CHOICE, `"SQLite with WAL", because ${WHY}`]], ['SQLite with WAL']],
  ['the choice is shorter', [[CHOICE, `"SQLite", because ${WHY}`]]],
  [
    'the choice says what it is chosen over',
    [[CHOICE, `"Use SQLite instead of Postgres", because ${WHY}`]],
    ['Use SQLite instead of Postgres'],
  ],
  ['the choice has quotes', [[CHOICE, `"Use "SQLite" for the store", because ${WHY}`]]],
  ['the choice has curly quotes', [[CHOICE, `“${TITLE}”, because ${WHY}`]]],
  ['the choice has no quotes', [[CHOICE, `${TITLE}, because ${WHY}`]]],
  ['the choice has no quotes, and a dash', [[CHOICE, `${TITLE} – ${WHY}`]]],
  ['the choice is broken', [[CHOICE, `"Use SQLite for\nthe store", because\n${WHY}`]]],
  [
    'the choice and its own option are corrected',
    [
      [CHOICE, `"Use SQLite for storage", because ${WHY}`],
      [OPTION, '* SQLite'],
    ],
    [`${TITLE}: Use SQLite for storage`],
  ],
  ['the choice is taken out', [[CHOICE, `because ${WHY}`]]],
  // The reason.
  ['the reason stands above', [[OUTCOME, `It is one file.\n\nChosen option: "${TITLE}"`]], [TITLE, 'It is one file.']],
  ['a reason is added above', [[OUTCOME, `Measured in May.\n\n${OUTCOME}`]], [TITLE, `Measured in May.\n\n${WHY}`]],
  ['a reason is added below', [[OUTCOME, `${OUTCOME}\n\n- No server`]], [TITLE, `${WHY}\n\n- No server`]],
  ['the reason is a list', [[CHOICE, `"${TITLE}"\n\n- One file\n- No server`]], [TITLE, '- One file\n- No server']],
  ['the reason is taken out', [[CHOICE, `"${TITLE}"`]], [TITLE, null]],
  ['the reason is a sentence', [[CHOICE, `"${TITLE}". It is one file.`]], [TITLE, 'It is one file.']],
  ['the reason has no comma', [[CHOICE, `"${TITLE}" because ${WHY}`]]],
  ['the reason has a colon', [[CHOICE, `"${TITLE}": ${WHY}`]]],
  ['the reason has a colon behind its word', [[CHOICE, `"${TITLE}", because: ${WHY}`]]],
  [
    'the reason is a list behind its word',
    [[CHOICE, `"${TITLE}", because:\n\n* One file\n* No server`]],
    [TITLE, '* One file\n* No server'],
  ],
  ['the reason has a semicolon', [[CHOICE, `"${TITLE}"; ${WHY}`]]],
  ['the reason has a dash', [[CHOICE, `"${TITLE}" — ${WHY}`]]],
  [
    'the outcome is told freely',
    [[OUTCOME, 'We looked at performance for weeks.\n\nSQLite won, because it is one file.']],
    [TITLE, 'We looked at performance for weeks.\n\nSQLite won, because it is one file.'],
  ],
  [
    'the outcome is told freely, and names another option',
    [[OUTCOME, 'Postgres was too heavy.']],
    [TITLE, 'Postgres was too heavy.'],
  ],
  ['the outcome is empty', [[OUTCOME, '']], [TITLE, null]],
])('%s', (_, edits, found = []) => {
  expect(read(edits)).toEqual(expected(found));
});

test.each<[string, Edit[], Read]>([
  [
    'the choice is corrected',
    [[CHOICE, `"Use DuckDB for the store", because ${WHY}`]],
    [`${TITLE}: Use DuckDB for the store`],
  ],
  ['the heading is corrected', [[HEADING, '# Use SQLite for storage']], ['Use SQLite for storage']],
  ['the heading says more', [[HEADING, `${HEADING} in WAL mode`]], [`${TITLE} in WAL mode`]],
  ['the choice is shorter', [[CHOICE, `"SQLite", because ${WHY}`]], []],
  ['the outcome is told freely', [[OUTCOME, 'SQLite won.']], [TITLE, 'SQLite won.']],
])(
  'without a list the heading counts, and what is not like it is said as well: %s',
  (_, edits, [content, rationale]) => {
    expect(read(edits, { ...ADR, alternatives_rejected: [] })).toEqual(
      expected([content ?? TITLE, rationale ?? WHY, []]),
    );
  },
);

test('the contrary of what is turned away is another choice', () => {
  const [never, choice] = ['Do not use Postgres', '"Use Postgres", because it scales'];
  const edits: Edit[] = [[`"${never}", because ${WHY}`, choice]];
  expect(read(edits, { ...ADR, content: never, alternatives_rejected: ['Use Postgres'] })).toEqual(
    expected(['Use Postgres', 'it scales', [never]]),
  );
  expect(read(edits, { ...ADR, content: never, alternatives_rejected: ['Use SQLite'] })).toEqual(
    expected(['Use Postgres', 'it scales', [never, 'Use SQLite']]),
  );
});

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
    [HEADING, `${HEADING}\n\n* Date: 2026-12-01\n\nAsked by Ann.`],
    ['## Considered', '## Context\n\nTests start a server.\n\n## Considered'],
    [WHY, `${WHY}\n\n### Consequences\n\n* One writer`],
  ];
  const why = `${WHY}\n\nAsked by Ann.\n\nContext: Tests start a server.\n\nConsequences:\n* One writer`;
  expect(read(edits)).toEqual(expected([TITLE, why]));
  const about = `${WHY}\n\n## Pros and Cons of the Options\n\n### Postgres\n\nIt is a server.`;
  expect(read([[WHY, about]])).toEqual(expected([TITLE, `${WHY}\n\nPostgres: It is a server.`]));
});

const LONG = `${TITLE}\n\nIt is opened once.`;

test.each<[string, Edit[], Read]>([
  ['nothing', [], [LONG]],
  ['its details', [['opened once', 'opened twice']], [LONG.replace('once', 'twice')]],
  ['its heading', [[HEADING, '# Use SQLite for storage']], [`Use SQLite for storage\n\n${LONG}`]],
  [
    'its choice, turned round',
    [[CHOICE, '"Postgres", because it scales']],
    ['Postgres', `it scales\n\nDetails: ${LONG}`, [TITLE, 'LevelDB']],
  ],
  [
    'all of it',
    [
      [HEADING, '# Postgres'],
      [CHOICE, '"Postgres", because it scales'],
      [`${LONG}`, 'Postgres\n\nIt is a server.'],
    ],
    ['Postgres\n\nIt is a server.', 'it scales', [TITLE, 'LevelDB']],
  ],
])('of a decision that is no title, %s is edited', (_, edits, found) => {
  expect(read(edits, { ...ADR, content: LONG })).toEqual(expected(found));
});

test('headings below the details belong to them', () => {
  const whole = `${TITLE}\n\nIt is one file.`;
  const added = '#### Exceptions\n\nNever in tests.\n\n##### Of these\n\nNone.';
  const got = read([['It is one file.', `It is one file.\n\n${added}\n\n### Links\n\nNone.`]], {
    ...ADR,
    content: whole,
  });
  expect(got.content).toBe(`${whole}\n\n${added}`);
});
