import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silent } from '../../../src/server/base/log';
import { type OpenProject, openProject } from '../../../src/server/project/open';
import { urlOf } from '../../../src/store-place/store-place';
import { testHolder } from '../../support/holder';
import { removeFolder } from '../../support/remove-folder';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-memory-open-'));
});

afterEach(() => removeFolder(folder));

/** Opens the store, writes nothing into it, and closes it. */
async function writeOnce(): Promise<void> {
  const project = await openProject(options());
  await project.write(async () => undefined);
  await project.close();
}

const options = (): OpenProject => ({
  place: {
    url: urlOf(join(folder, 'new', '.svc', 'memory.db')),
    kind: 'named',
    reason: 'test',
    root: folder,
  },
  home: join(folder, 'home'),
  holder: testHolder,
  log: silent,
  tokenizer: () => ({ count: () => 1, fits: () => true }),
});

test('several that open a store at once, whose folder is not there yet, make it together', async () => {
  const projects = await Promise.all([1, 2, 3].map(() => openProject(options())));
  for (const project of projects) await project.close();
  expect((await readdir(join(folder, 'new', '.svc'))).sort()).toEqual(['memory.db']);
});

test('a namespace that is no name is refused before anything is made', async () => {
  await expect(openProject({ ...options(), namespace: 'two\nlines' })).rejects.toThrow(/^invalid_input: "namespace"/);
  expect(await readdir(folder)).toEqual([]);
});

test('a .gitignore that people wrote keeps its lines and gets the one for databases, once', async () => {
  const svc = join(folder, 'new', '.svc');
  await mkdir(svc, { recursive: true });
  await writeFile(join(svc, '.gitignore'), 'notes.txt');
  for (let i = 0; i < 2; i++) await writeOnce();
  expect(await readFile(join(svc, '.gitignore'), 'utf8')).toBe('notes.txt\n*.db*\n');
});

test('the folder of a store is kept out of version control by its first write, never by a read', async () => {
  const ignore = join(folder, 'new', '.svc', '.gitignore');
  await (await openProject(options())).close();
  expect(existsSync(ignore)).toBe(false);
  await writeOnce();
  expect(await readFile(ignore, 'utf8')).toBe('*\n!config.yaml\n!memories/\n!memories/**\n');
});

test('a .gitignore that an earlier version wrote is brought up to date', async () => {
  await (await openProject(options())).close();
  const ignore = join(folder, 'new', '.svc', '.gitignore');
  await writeFile(ignore, '*.db*\n');
  await writeOnce();
  expect(await readFile(ignore, 'utf8')).toBe('*\n!config.yaml\n!memories/\n!memories/**\n');
});

test('a .gitignore that is a link, a folder or very long is left as it is, and so is what the link leads to', async () => {
  const svc = join(folder, 'new', '.svc');
  const ignore = join(svc, '.gitignore');
  const victim = join(folder, 'victim');
  await mkdir(svc, { recursive: true });
  await writeFile(victim, 'mine');
  for (const target of [victim, join(folder, 'missing'), '/dev/zero']) {
    await symlink(target, ignore);
    await writeOnce();
    expect(await readlink(ignore)).toBe(target);
    await rm(ignore);
  }
  expect(await readFile(victim, 'utf8')).toBe('mine');
  expect(existsSync(join(folder, 'missing'))).toBe(false);
  await mkdir(ignore);
  await writeOnce();
  await rm(ignore, { recursive: true });
  await writeFile(ignore, 'x\n'.repeat(50_000));
  await writeOnce();
  expect((await readFile(ignore, 'utf8')).length).toBe(100_000);
});

test('a write into a store that was deleted meanwhile is refused instead of lost', async () => {
  const project = await openProject(options());
  const write = () => project.write(async () => undefined);
  await write();
  for (const file of await readdir(join(folder, 'new', '.svc'))) await rm(join(folder, 'new', '.svc', file));
  await expect(write()).rejects.toThrow(
    /^unavailable: The store .* was deleted while it was open\. .*svc-memory restore-backup rescued-/,
  );
  await project.close();
});

test('a store that nobody accepted is read no longer than its limit, statement by statement and as a whole', async () => {
  const stranger = await openProject(options());
  await stranger.write(async () => undefined);
  await stranger.close();
  const { place } = options();
  const foreign = {
    ...options(),
    place: { ...place, kind: 'project' },
    home: join(folder, 'victim'),
  } as const;
  const endless = 'WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT sum(x) FROM r';
  const project = await openProject({ ...foreign, foreignLimitMs: 200 });
  try {
    expect(project.access).toBe('foreign');
    await Promise.all([
      expect(project.memory.sql.all(endless)).rejects.toThrow(/^unavailable: Reading .* took too long/),
      expect(project.store.snapshot((sql) => sql.all(endless))).rejects.toThrow(
        /^unavailable: Reading .* took too long/,
      ),
    ]);
    await expect(project.memory.sql.get('SELECT 1')).rejects.toThrow(/^unavailable: Reading .* took too long/);
  } finally {
    await project.close();
  }
});
