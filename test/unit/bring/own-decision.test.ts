/** What a person makes of the file of a decision by hand, and what is read then. */
import { expect, test } from 'vitest';
import { ADR, type Edit, expected, OTHERS, type Read, read, TITLE, WHY } from '../../support/own-record';

const HEADING = `# ${TITLE}`;
const OPTION = `* ${TITLE}`;
const CHOICE = `"${TITLE}", because ${WHY}`;
const OUTCOME = `Chosen option: ${CHOICE}`;
const LIST = `## Considered Options\n\n${OPTION}\n* Postgres\n* LevelDB\n\n`;

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
