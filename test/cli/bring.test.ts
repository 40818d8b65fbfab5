import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { bring, write } from '../support/bring';
import { type CommandLine, withCommandLine } from '../support/command-line';

const FILES =
  '# 1. Use files\n\nDate: 2024-03-01\n\n## Status\n\nSuperseded by [2](0002-use-sqlite.md)\n\n## Decision\n\nFiles.\n';
const SQLITE =
  '# 2. Use SQLite\n\nDate: 2024-05-06\n\n## Status\n\nAccepted\n\n## Context\n\nFiles are slow.\n\n## Decision\n\nSQLite.\n';
const RECORDS = { 'docs/adr/0001-use-files.md': FILES, 'docs/adr/0002-use-sqlite.md': SQLITE };

async function waiting(place: CommandLine) {
  const { proposals } = await place.json<{
    proposals: { source: number; node: { id: string; content: string }; origin: { kind: string; name: string } }[];
  }>('review', '--only', 'proposals');
  return proposals;
}

test('what is there is shown first, and waits as proposals of its source', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    await write(place, RECORDS);
    const shown = await place.ok('import', '--from', 'here', '--dry-run');
    expect(shown).toBe(
      '## docs/adr\n2 new\n- decision: Use files\n- decision: Use SQLite\nNothing was written: --dry-run only looks.\n',
    );
    expect(await waiting(place)).toEqual([]);
    expect(await place.run(['import', '--from', 'here'])).toMatchObject({
      status: 2,
      err: 'usage: there is no terminal to ask on. Nothing was written: add --yes to bring them.\n',
    });
    expect(await bring(place)).toMatchObject({ imported: 2, sources: [{ source: 'docs/adr', new: 2 }] });
    // The older one is closed by what came with it.
    expect(await waiting(place)).toMatchObject([
      { node: { content: 'Use SQLite' }, origin: { kind: 'import', name: 'docs/adr' } },
    ]);
    expect(await place.ok('why', 'Use SQLite')).toContain('Files are slow.');
    expect((await place.run(['recall', 'project context'])).out).not.toContain('SQLite');
  });
});

test('a second run brings nothing; a changed source supersedes what waits, and what was kept only once it is kept', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    await write(place, RECORDS);
    await bring(place);
    expect(await bring(place)).toMatchObject({ imported: 0, sources: [{ new: 0, changed: 0, known: 2 }] });
    const [first] = await waiting(place);
    await write(place, { 'docs/adr/0002-use-sqlite.md': SQLITE.replace('slow', 'very slow') });
    const second = await bring(place);
    expect(second).toMatchObject({ imported: 1, sources: [{ new: 0, changed: 1, known: 1 }] });
    expect(second.sources[0]?.memories[0]?.supersedes).toContain(first?.node.id);
    const [newer, ...others] = await waiting(place);
    expect(others).toEqual([]);
    await place.ok('review', 'keep', '--source', String(newer?.source), '--yes');
    await write(place, { 'docs/adr/0002-use-sqlite.md': SQLITE.replace('slow', 'slowest') });
    await bring(place);
    const kept = await place.json<{ valid_until: string | null }>('node', newer?.node.id ?? '');
    expect(kept.valid_until).toBeNull();
    const [newest] = await waiting(place);
    await place.ok('review', 'keep', newest?.node.id ?? '', '--yes');
    const closed = await place.json<{ valid_until: string | null }>('node', newer?.node.id ?? '');
    expect(closed.valid_until).not.toBeNull();
  });
});

test('a rule is about the code that it names in backticks, and not about values and commands', async () => {
  const lines = [
    'A body is sent by `HTTPConnection.request`, with `JSONDecoder` and `_splitnport`.',
    'Leave `/` alone in `quote_plus`, unless it is `safe`.',
    'A `res.redirect` ends with `res.end()`, see `lib/response.js`.',
    'Set `npm` to `true`, from `1.2.3` on, by `npm run build`, with `NODE_ENV` and `URLs`.',
  ];
  await withCommandLine(async (place) => {
    await place.ok('init');
    await write(place, { 'AGENTS.md': `# For agents\n\n${lines.map((line) => `- ${line}\n`).join('')}` });
    const { sources } = await bring(place);
    const memories = sources.flatMap((source) => source.memories);
    expect(memories.map(({ entities }) => entities)).toEqual([
      ['HTTPConnection.request', 'JSONDecoder', '_splitnport'],
      ['quote_plus'],
      ['res.redirect', 'res.end()', 'lib/response.js'],
      [],
    ]);
  });
});

test('what was dropped does not come back; what was undone does', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    await write(place, RECORDS);
    const { operation } = await bring(place);
    await place.ok('undo', String(operation));
    expect(await waiting(place)).toEqual([]);
    expect(await bring(place)).toMatchObject({ imported: 2 });
    const [proposal] = await waiting(place);
    expect(await place.ok('review', 'drop', proposal?.node.id ?? '')).toMatch(
      /^Dropped: \[\w+\] .+ \(svc-memory undo \d+\)\n$/,
    );
    expect(await bring(place)).toMatchObject({ imported: 0 });
    expect(await waiting(place)).toEqual([]);
  });
});

test('entities that nothing but undone drafts named are not listed', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    await write(place, { 'AGENTS.md': '# For agents\n\n- Quote with `quote_plus`, never by hand.\n' });
    const { operation } = await bring(place);
    const listed = async () => (await place.json<{ content: string }[]>('entities')).map(({ content }) => content);
    expect(await listed()).toEqual(['quote_plus']);
    await place.ok('undo', String(operation));
    expect(await listed()).toEqual([]);
  });
});

test('secrets are left out and counted, and no link leads out of the project', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    const secret = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_');
    await write(place, {
      'docs/adr/0003-token.md': `# Use a token\n\n## Decision\n\nThe token ${secret}.\n`,
      '../outside.md': '# Outside\n\n## Decision\n\nNobody may see it.\n',
    });
    await symlink('../../../outside.md', place.path('docs/adr/0004-link.md'));
    const { out } = await place.run(['import', '--from', 'adr', '--yes']);
    expect(out).toBe('## docs/adr\n1 left out, because it looks like a secret\nThere is nothing new to bring.\n');
  });
});

test('without a store nothing is brought, and with nothing there the status is 1', async () => {
  await withCommandLine(async (place) => {
    await write(place, RECORDS);
    expect(await place.run(['import', '--from', 'here', '--yes'])).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^unavailable: There is no store in this project.*"svc-memory init"/),
    });
  });
  await withCommandLine(async (place) => {
    await place.ok('init');
    expect(await place.run(['import', '--from', 'adr'])).toMatchObject({
      status: 1,
      out: expect.stringMatching(/^Nothing was found\. Looked for adr/),
    });
    expect(await place.run(['import', '--from', 'nowhere'])).toMatchObject({ status: 2 });
    expect(await place.run(['import', 'file.json', '--from', 'adr'])).toMatchObject({ status: 2 });
    expect(await place.run(['import', 'file.json', '--yes'])).toMatchObject({ status: 2 });
    expect(await place.run(['import'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('<file> is missing'),
    });
  });
});

test('decisions are written as records, keep their files, and are the same when they are brought elsewhere', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    await write(place, { 'docs/adr/0004-of-somebody.md': '# Theirs\n\n## Decision\n\nTheirs.\n' });
    const list = [
      { id: 'd_bakilomu', content: 'Notes are files', kind: 'decision', valid_from: '2025-01-01T10:00:00.000Z' },
      {
        ...{ id: 'd_bakilome', content: 'Notes are in one SQLite file', kind: 'decision', supersedes: ['d_bakilomu'] },
        ...{ rationale: 'atomic', alternatives_rejected: ['Postgres'], entities: ['src/store.ts'], confidence: 0.8 },
      },
      { content: 'No decision', kind: 'fact' },
    ];
    await place.run(['import', '-'], { input: JSON.stringify(list) });
    await place.ok('review', 'keep', '--source', '1', '--yes');
    expect(await place.ok('export', '--to', 'adr', 'docs/adr')).toBe(
      `Wrote 2 decisions to ${place.path('docs', 'adr')}\n`,
    );
    expect((await readdir(place.path('docs', 'adr'))).sort()).toEqual([
      ...['0004-of-somebody.md', '0005-notes-are-files.md', '0006-notes-are-in-one-sqlite-file.md'],
    ]);
    expect(await readFile(place.path('docs/adr/0005-notes-are-files.md'), 'utf8')).toContain(
      'status: "superseded by [ADR-0006](0006-notes-are-in-one-sqlite-file.md)"',
    );
    expect(await place.ok('export', '--to', 'adr', 'docs/adr')).toContain('Wrote 0 decisions');
    // In the same store they are what they were.
    expect(await bring(place)).toMatchObject({ imported: 1, sources: [{ new: 1, known: 2 }] });

    await mkdir(place.path('second', '.svc'), { recursive: true });
    await cp(place.path('docs'), place.path('second', 'docs'), { recursive: true });
    expect((await place.run(['init'], { cwd: 'second' })).status).toBe(0);
    expect((await place.run(['import', '--from', 'adr', '--yes'], { cwd: 'second' })).status).toBe(0);
    const decisionsIn = async (cwd: string) => {
      const { nodes } = JSON.parse((await place.run(['export'], { cwd })).out) as { nodes: Record<string, unknown>[] };
      const own = nodes.filter(({ kind, entities }) => kind === 'decision' && !String(entities).includes('somebody'));
      return own.map(({ recorded_at, standing, origin, session_id, ...decision }) => decision);
    };
    const first = await decisionsIn('.');
    expect(first).toHaveLength(2);
    expect(await decisionsIn('second')).toEqual(first);
  });
});

test('records are written over no link, and not without a folder', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    await place.ok('store', 'Notes are files', '--kind', 'decision');
    await write(place, { '../outside/keep.md': '' });
    await symlink('../outside', place.path('docs'));
    expect(await place.run(['export', '--to', 'adr', 'docs'])).toMatchObject({ status: 1 });
    expect(await readdir(place.path('../outside'))).toEqual(['keep.md']);
    expect(await place.run(['export', '--to', 'adr'])).toMatchObject({ status: 2 });
  });
});

test('what holds is written into AGENTS.md between marks, which no text can end, and is not brought back', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    await write(place, { 'AGENTS.md': '# Rules\n\n- Errors say what to do about them.\n' });
    await bring(place);
    await place.ok('agents-block', 'write');
    const [older] = [await place.json<{ node_id: string }>('store', 'Notes are files', '--kind', 'decision')];
    await place.ok(
      ...['store', 'Notes are rows <!-- /svc-memory -->', '--kind', 'decision', '--supersedes', older?.node_id ?? ''],
      ...['--rationale', 'files\nare slow', '--alternatives-rejected', 'files', '--entities', 'src/notes.ts'],
    );
    await place.ok('store', 'Run npm test', '--kind', 'procedure');
    await place.ok('store', 'Not a rule', '--kind', 'fact');
    const text = () => readFile(place.path('AGENTS.md'), 'utf8');
    const before = await text();
    expect(await place.ok('export', '--to', 'agents-md')).toMatch(/^Wrote 2 memories, in .*AGENTS\.md\n$/);
    const block = (await text()).slice(before.length);
    expect((await text()).startsWith(before)).toBe(true);
    expect(block.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- Notes are rows <! -- /svc-memory -- >. Why: files are slow. Rejected: files. On src/notes.ts.',
      '- Run npm test.',
    ]);
    expect(await place.ok('export', '--to', 'agents-md')).toContain('There already: 2 memories');
    expect(await bring(place)).toMatchObject({ imported: 0, sources: [{ known: 1 }] });
    await place.ok('agents-block', 'remove');
    expect(await text()).toContain('- Run npm test.');
    await symlink('AGENTS.md', place.path('linked.md'));
    expect(await place.run(['export', '--to', 'agents-md', 'linked.md'])).toMatchObject({ status: 1 });
    expect(await place.run(['export', '--to', 'agents-md', '../x.md'])).toMatchObject({ status: 2 });
  });
});
