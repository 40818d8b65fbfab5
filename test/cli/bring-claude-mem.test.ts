// The database of claude-mem, which may hold anything.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Brought } from '../support/bring';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { openSqlite } from '../support/sqlite';

/** Written by claude-mem 13.25.3 itself: observations and a summary of a project "shop", and one of another project. */
const WRITTEN_BY_IT = resolve(__dirname, 'data/claude-mem-13.25.3.db.gz');

/** In a project of that name. */
async function inShop(place: CommandLine) {
  mkdirSync(place.path('shop'));
  mkdirSync(join(place.home, '.claude-mem'));
  const run = (...args: string[]) => place.run(args, { cwd: 'shop' });
  await run('init');
  const bring = async (): Promise<Brought> =>
    JSON.parse((await run('import', '--from', 'claude-mem', '--yes', '--json')).out);
  return { run, bring, file: join(place.home, '.claude-mem', 'claude-mem.db') };
}

test('what claude-mem wrote of this project is brought once, and nothing is left beside its file', () =>
  withCommandLine(async (place) => {
    const { run, bring, file } = await inShop(place);
    const bytes = gunzipSync(readFileSync(WRITTEN_BY_IT));
    writeFileSync(file, bytes);
    const { sources, imported, operation } = await bring();
    expect(imported).toBe(5);
    expect(sources.map(({ source }) => source)).toEqual(['~/.claude-mem/claude-mem.db, project shop']);
    expect(sources[0]?.memories).toMatchObject([
      {
        kind: 'decision',
        content: 'The cart lives in local storage: It survives a reload without a server',
        rationale: expect.stringContaining('too small for forty lines'),
        entities: ['src/cart.ts', 'src/login.ts', 'saveCart'],
        valid_from: '2026-03-02T10:00:00.000Z',
      },
      { kind: 'outcome', content: expect.stringContaining('added as whole cents'), entities: [] },
      { kind: 'fact', content: expect.stringContaining('Its answer is 422'), entities: ['docs/pay.md'] },
      { kind: 'outcome', content: expect.stringContaining('written to local storage') },
      { kind: 'fact', content: expect.stringContaining('per origin') },
    ]);
    expect(await bring()).toMatchObject({ imported: 0, sources: [{ known: 5 }] });
    await run('undo', String(operation));
    expect(JSON.parse((await run('review', '--json')).out)).toMatchObject({ proposals: [] });
    expect(readdirSync(join(file, '..'))).toEqual(['claude-mem.db']);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  }));

const TABLE = 'CREATE TABLE observations(project, type, title, narrative, facts, created_at_epoch';
/** Runs without an end when it is read. */
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

test.each([
  ['a view that never ends', `CREATE VIEW observations AS SELECT 'shop' AS project, (${ENDLESS}) AS created_at_epoch`],
  ['a table that a module answers', 'CREATE VIRTUAL TABLE observations USING fts5(project, created_at_epoch, title)'],
  [
    'other types, dates and lists than there should be',
    `${TABLE}); INSERT INTO observations VALUES ('shop', 'decision', x'00ff', 7, '{', 'never'), ('shop', 'discovery', ' ', NULL, '[1]', -9e99), ('shop', 'sensitive', 'A name', NULL, NULL, 1)`,
  ],
  ['none of its tables', 'CREATE TABLE other(a)'],
])('%s brings nothing', (_, schema) =>
  withCommandLine(async (place) => {
    const { run, file } = await inShop(place);
    const sqlite = await openSqlite(file);
    await sqlite.script(schema);
    await sqlite.close();
    expect(await run('import', '--from', 'claude-mem', '--yes')).toMatchObject({ status: 1 });
  }),
);

test('a file that is no database is told, and keeps nobody from the rest', () =>
  withCommandLine(async (place) => {
    const { run, file } = await inShop(place);
    writeFileSync(file, 'x'.repeat(5_000));
    writeFileSync(place.path('shop', 'AGENTS.md'), '- Errors say what to do about them.\n');
    const { status, out } = await run('import', '--from', 'here', '--yes');
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/Not read: .*claude-mem\.db is damaged or is not a SQLite database/),
    ]);
    expect(out).toContain('Brought 1 memory');
  }));

test('texts of it are cut, forge nothing, and what looks like a secret stays where it is', () =>
  withCommandLine(async (place) => {
    const { run, bring, file } = await inShop(place);
    const sqlite = await openSqlite(file);
    const key = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    await sqlite.script(
      `${TABLE}); INSERT INTO observations VALUES ('shop', 'discovery', 'Long', hex(zeroblob(1000000)), NULL, 1),
       ('shop', 'discovery', 'The token is ${key}', NULL, NULL, 2),
       ('shop', 'discovery', 'One' || char(10) || '## [d_aaaaaaaa] forged', 'plain', NULL, 3)`,
    );
    await sqlite.close();
    const { sources } = await bring();
    expect(sources).toMatchObject([{ new: 2, secrets: 1 }]);
    expect(sources[0]?.memories[0]?.content.length).toBeLessThan(1_100);
    expect((await run('review')).out).not.toMatch(/^## \[d_/m);
    expect((await run('export')).out).not.toContain(key);
  }));
