import { expect, test } from 'vitest';
import { bring, write } from '../support/bring';
import { type CommandLine, withCommandLine } from '../support/command-line';

const ACCEPTED = '# Use SQLite\n\n* Status: accepted\n* Date: 2024-05-06\n\n## Decision\n\nSQLite.\n';
const SUPERSEDED = '# Use files\n\n* Status: superseded by [2](0002-use-sqlite.md)\n\n## Decision\n\nFiles.\n';
const GIVEN_UP = '# Drop Node 18\n\n* Status: deprecated\n* Date: 2024-01-01\n\n## Decision\n\nNode 20.\n';
const ALL = {
  'docs/adr/0001-use-files.md': SUPERSEDED,
  'docs/adr/0002-use-sqlite.md': ACCEPTED,
  'docs/adr/0003-drop-node.md': GIVEN_UP,
};

async function proposals(place: CommandLine) {
  const { proposals: all } = await place.json<{ proposals: { node: { content: string } }[] }>(
    ...['review', '--only', 'proposals'],
  );
  return all.map(({ node }) => node.content);
}

test('what came closed is not counted among what waits, and is said in words', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    await write(place, ALL);
    const { out } = await place.run(['import', '--from', 'adr', '--yes']);
    expect(out).toContain(
      'Brought 3 memories. 1 waits until a person keeps it. 1 was replaced at its source, and is kept with what ' +
        'replaced it. 1 was given up at its source, and stays closed.\n',
    );
    expect(await proposals(place)).toEqual(['Use SQLite']);
    await place.ok('undo', '1');
    expect(await bring(place)).toMatchObject({ imported: 3, waiting: 1, replaced: 1, given_up: 1 });
    await place.ok('review', 'keep', '--source', '1', '--yes');
    const { nodes } = JSON.parse(await place.ok('export')) as { nodes: Record<string, unknown>[] };
    const decisions = nodes.filter(({ kind, tombstoned }) => kind === 'decision' && tombstoned !== 1);
    expect(Object.fromEntries(decisions.map(({ content, standing }) => [content, standing]))).toEqual({
      'Use files': 'stored',
      'Use SQLite': 'stored',
      'Drop Node 18: Node 20.': 'proposed',
    });
  });
});

test('of a proposal that is put in other words, what is chosen then is rejected no more, and that is said', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    const options = '## Considered Options\n\n* SQLite\n* Postgres\n* Files\n\n';
    const record = ACCEPTED.replace('## Decision', `${options}## Decision`).replace('SQLite.', 'Chosen option: SQLite');
    await write(place, { 'docs/adr/0002-use-sqlite.md': record });
    await bring(place);
    const { proposals: all } = await place.json<{ proposals: { node: { id: string } }[] }>('review');
    const said = await place.ok('review', 'edit', all[0]?.node.id ?? '', 'Use Postgres', '--yes');
    expect(said).toMatch(/^Kept in your words: .*\n {2}chosen now, and rejected no more: Postgres\n$/);
  });
});

test('where only records came that were given up, nothing is said to wait', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    await write(place, { 'docs/adr/0003-drop-node.md': GIVEN_UP });
    const { out, err } = await place.run(['import', '--from', 'adr', '--yes']);
    expect(out).toContain('Brought 1 memory. 1 was given up at its source, and stays closed.\n');
    expect(err).not.toContain('Keep or drop');
  });
});

test('what was superseded by a record that is not there, or not decided, does not come as if it still held', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    const dated = (by: string) =>
      `# Use ${by}\n\n* Status: superseded by ${by}\n* Date: 2024-01-01\n\n## Decision\n\nYes.\n`;
    await write(place, {
      'docs/adr/0001-gone.md': dated('[9](0009-gone.md)'),
      'docs/adr/0002-undecided.md': dated('[3](0003-proposed.md)'),
      'docs/adr/0003-proposed.md': '# Ask\n\n* Status: proposed\n\n## Decision\n\nMaybe.\n',
      'docs/adr/0004-undated.md': SUPERSEDED,
    });
    const { out, err } = await place.run(['import', '--from', 'adr', '--yes']);
    expect(out).toContain('Brought 2 memories. 2 were given up at their source, and stay closed.\n');
    expect(`${out}${err}`).toContain('docs/adr/0004-undated.md was superseded, and has no date');
    expect(await proposals(place)).toEqual([]);
  });
});

test('what a record says to be given up since it was kept stays open, and is named', async () => {
  await withCommandLine(async (place) => {
    const files = '# Use files\n\n* Status: accepted\n* Date: 2024-01-01\n\n## Decision\n\nFiles.\n';
    const held = {
      ...ALL,
      'docs/adr/0001-use-files.md': files,
      'docs/adr/0003-drop-node.md': files.replaceAll('iles', 'ifty'),
    };
    await place.ok('init');
    await write(place, held);
    await bring(place);
    await place.ok('review', 'keep', '--source', '1', '--yes');
    await write(place, {
      ...ALL,
      'docs/adr/0003-drop-node.md': `${files.replaceAll('iles', 'ifty').replace('accepted', 'deprecated')}`,
    });
    const { sources } = JSON.parse((await place.run(['import', '--from', 'adr', '--dry-run', '--json'])).out) as {
      sources: { given_up: { id: string; content: string }[] }[];
    };
    const [first, second] = sources[0]?.given_up ?? [];
    expect([first?.content, second?.content]).toEqual(['Use files', 'Use fifty']);
    expect(await place.ok('import', '--from', 'adr')).toBe(
      [
        ...['## docs/adr', '3 known already, 2 given up there since (they stay)'],
        ...[first, second].map((one) => `- given up there, open here: ${one?.id} ${one?.content}`),
        ...[`There is nothing new to bring. To close what was given up: svc-memory verify ${first?.id} refute`, ''],
      ].join('\n'),
    );
    await place.ok('verify', first?.id ?? '', 'refute');
    expect(await place.ok('import', '--from', 'adr')).toContain('3 known already, 1 given up there since (they stay)');
  });
});

test('what waits and is given up is dropped, and what waits to take the place of another one says so', async () => {
  await withCommandLine(async (place) => {
    const files = '# Use files\n\n* Status: accepted\n* Date: 2024-01-01\n\n## Decision\n\nFiles.\n';
    const first = 'docs/adr/0001-use-files.md';
    await place.ok('init');
    await write(place, { [first]: files });
    await bring(place);
    await write(place, { [first]: files.replace('accepted', 'deprecated') });
    const told = await place.ok('import', '--from', 'adr');
    const [, id = ''] = /- given up there, waits here: (d_\w+) Use files/.exec(told) ?? [];
    expect(told).toContain(`nothing new to bring. To drop what waits and was given up: svc-memory review drop ${id}\n`);
    await place.ok('review', 'drop', id);
    expect(await proposals(place)).toEqual([]);
    await place.ok('undo');
    await write(place, { [first]: files });
    await place.ok('review', 'keep', '--source', '1', '--yes');
    const second = files.replaceAll('iles', 'ifty').replace('accepted', 'accepted, supersedes ADR-1');
    await write(place, {
      [first]: files.replace('accepted', 'superseded by ADR-2'),
      'docs/adr/0002-use-fifty.md': second,
    });
    await bring(place);
    expect(await proposals(place)).toHaveLength(1);
    expect(await place.ok('import', '--from', 'adr')).not.toContain('given up');
  });
});

const FOLDER = 'docs/adr/';
const record = (title: string, status: string, date?: string) =>
  `# ${title}\n\n${date === undefined ? '' : `Date: ${date}\n\n`}## Status\n\n${status}\n\n## Decision\n\nYes.\n`;
const LEFT = ' was superseded, and has no date';
const FIRST = '0001-files.md';
const SECOND = '0002-sqlite.md';
const THIRD = '0003-postgres.md';
const TAKES_FIRST = `Supersedes [1. Files](${FIRST})`;
const BY_SECOND = `Superseded by [2. SQLite](${SECOND})`;
const BY_THIRD = `Superseded by [3. Postgres](${THIRD})`;
const PROPOSED = record('Postgres', 'Proposed');
const [EARLY, LATE] = ['2024-01-01', '2025-05-05'];

/** What is open is null, and what was closed by what came with it has the time of that. */
test.each<[string, Record<string, string>, Record<string, unknown>, string[]]>([
  [
    'only the successor says so, without dates',
    { [FIRST]: record('Files', 'Superseded'), [SECOND]: record('SQLite', `Accepted\n\n${TAKES_FIRST}`) },
    { Files: expect.any(String), SQLite: null },
    [],
  ],
  [
    'only the successor says so',
    {
      [FIRST]: record('Files', 'Superseded', EARLY),
      [SECOND]: record('SQLite', `Accepted\n\n${TAKES_FIRST}`, LATE),
    },
    { Files: `${LATE}T00:00:00.000Z`, SQLite: null },
    [],
  ],
  [
    'an accepted one that a later one supersedes',
    { [FIRST]: record('Files', 'Accepted'), [SECOND]: record('SQLite', `Accepted\n\n${TAKES_FIRST}`) },
    { Files: expect.any(String), SQLite: null },
    [],
  ],
  [
    'a deprecated one without a date that has a successor',
    { [FIRST]: record('Files', 'Deprecated'), [SECOND]: record('SQLite', `Accepted\n\n${TAKES_FIRST}`) },
    { Files: expect.any(String), SQLite: null },
    [],
  ],
  [
    'a chain whose end is not decided, without dates',
    { [FIRST]: record('Files', BY_SECOND), [SECOND]: record('SQLite', BY_THIRD), [THIRD]: PROPOSED },
    {},
    [`${FIRST}${LEFT}`, `${SECOND}${LEFT}`, `${THIRD} is not decided yet`],
  ],
  [
    'such a chain that only the later ones tell of',
    {
      [FIRST]: record('Files', 'Accepted'),
      [SECOND]: record('SQLite', `${BY_THIRD}\n\n${TAKES_FIRST}`),
      [THIRD]: PROPOSED,
    },
    {},
    [`${FIRST}${LEFT}`, `${SECOND}${LEFT}`, `${THIRD} is not decided yet`],
  ],
  [
    'such a chain where both tell of it',
    {
      [FIRST]: record('Files', BY_SECOND),
      [SECOND]: record('SQLite', `${BY_THIRD}\n\n${TAKES_FIRST}`),
      [THIRD]: PROPOSED,
    },
    {},
    [`${FIRST}${LEFT}`, `${SECOND}${LEFT}`, `${THIRD} is not decided yet`],
  ],
  [
    'such a chain with dates',
    { [FIRST]: record('Files', BY_SECOND, EARLY), [SECOND]: record('SQLite', BY_THIRD, LATE), [THIRD]: PROPOSED },
    { Files: `${LATE}T00:00:00.000Z`, SQLite: `${LATE}T00:00:00.000Z` },
    [`${THIRD} is not decided yet`],
  ],
  [
    'such a chain where only the first one has a date',
    { [FIRST]: record('Files', BY_SECOND, EARLY), [SECOND]: record('SQLite', BY_THIRD), [THIRD]: PROPOSED },
    { Files: `${EARLY}T00:00:00.000Z` },
    [`${SECOND}${LEFT}`, `${THIRD} is not decided yet`],
  ],
  [
    'a successor that was given up at no known time',
    { [FIRST]: record('Files', BY_SECOND), [SECOND]: record('SQLite', 'Deprecated') },
    {},
    [`${FIRST}${LEFT}`, `${SECOND} was given up, and has no date`],
  ],
  ['one that only says so of itself', { [FIRST]: record('Files', 'Superseded') }, {}, [`${FIRST}${LEFT}`]],
  [
    'what only a proposal would supersede',
    { [FIRST]: record('Files', 'Accepted'), [SECOND]: record('SQLite', `Proposed\n\n${TAKES_FIRST}`) },
    { Files: null },
    [`${SECOND} is not decided yet`],
  ],
  [
    'what a rejected one would have superseded',
    { [FIRST]: record('Files', 'Accepted'), [SECOND]: record('SQLite', `Rejected\n\n${TAKES_FIRST}`) },
    { Files: null, Rejected: null },
    [],
  ],
])('who supersedes whom: %s', (_, files, until, unread) =>
  withCommandLine(async (place) => {
    await place.ok('init');
    await write(place, Object.fromEntries(Object.entries(files).map(([name, text]) => [FOLDER + name, text])));
    expect((await bring(place)).sources.flatMap((one) => one.unread)).toEqual(unread.map((one) => FOLDER + one));
    const { nodes } = JSON.parse(await place.ok('export')) as { nodes: Record<string, unknown>[] };
    const decisions = nodes.filter(({ kind }) => kind === 'decision');
    const ends = decisions.map(({ content, valid_until = null }) => [String(content).split(':')[0], valid_until]);
    expect(Object.fromEntries(ends)).toEqual(until);
  }),
);

test('a record says once that it was turned down', () =>
  withCommandLine(async (place) => {
    await place.ok('init');
    const outcome = '# Weak values\n\n## Status\n\nRejected\n\n## Decision\n\nRejected: they vanish at any time.\n';
    await write(place, { 'docs/adr/0001-weak.md': outcome });
    await bring(place);
    const { nodes } = JSON.parse(await place.ok('export')) as { nodes: Record<string, unknown>[] };
    const decisions = nodes.filter(({ kind }) => kind === 'decision').map(({ content }) => content);
    expect(decisions).toEqual(['Rejected: Weak values: they vanish at any time.']);
  }));

test('each file that looks like a record and is read as none is named with the reason', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    await write(place, {
      'docs/adr/0000-template.md': '# Title\n\n## Context\n',
      'docs/adr/README.md': '# Records\n\nStatus: one each.\n',
      'docs/adr/how-we-write.md': '# How we write\n\nIn short words.\n',
      'docs/adr/0001-use-sqlite.md': ACCEPTED,
      'docs/adr/0002-use-tabs.md': '# Use tabs\n\n* Status: accepted\n\n## Context\n\nWidths differ.\n',
      'docs/adr/0003-use-bun.md': '# Use Bun\n\n* Status: proposed\n\n## Decision\n\nBun.\n',
      'docs/adr/0004-no-title.md': '## Decision\n\nNothing.\n',
      'docs/adr/0005-drop-node.md': '# Drop Node 18\n\n* Status: deprecated\n\n## Decision\n\nNode 20.\n',
      'docs/adr/0006-clients.md':
        '# Clients\n\n* Status: accepted\n\n## Options\n\n### IndexedDB (chosen)\n\n### Files\n',
      'docs/adr/adr-007.md': '# Use pnpm\n\n## Context\n\nDisks are full.\n',
      'docs/adr/use-yarn.md': '# Use Yarn\n\n## Status\n\nDraft\n\n## Context\n\nDisks are full.\n',
    });
    const unread = [
      'docs/adr/0002-use-tabs.md has no section "Decision" or "Decision outcome"',
      'docs/adr/0003-use-bun.md is not decided yet',
      'docs/adr/0004-no-title.md has no title',
      'docs/adr/0005-drop-node.md was given up, and has no date',
      'docs/adr/0006-clients.md has no section "Decision" or "Decision outcome"',
      'docs/adr/adr-007.md has no section "Decision" or "Decision outcome"',
      'docs/adr/use-yarn.md is not decided yet',
    ];
    const shown = await place.ok('import', '--from', 'adr', '--dry-run');
    expect(shown).toBe(
      [
        ...['## docs/adr', '1 new', '- decision: Use SQLite'],
        ...unread.slice(0, 5).map((one) => `  Not read: ${one}`),
        ...['  … and 2 more not read', 'Nothing was written: --dry-run only looks.', ''],
      ].join('\n'),
    );
    const { sources } = await bring(place);
    expect(sources).toMatchObject([{ source: 'docs/adr', new: 1, unread }]);
  });
});
