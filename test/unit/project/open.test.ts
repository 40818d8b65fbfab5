import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silent } from '../../../src/server/base/log';
import { type OpenProject, openProject } from '../../../src/server/project/open';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-memory-open-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const options = (): OpenProject => ({
  place: { path: join(folder, 'new', '.svc', 'memory.db'), kind: 'variable', reason: 'test', root: folder },
  holder: () => ({ pid: 1, host: 'here', client: 'test' }),
  log: silent,
  tokenizer: () => ({ count: () => 1, fits: () => true }),
});

test('several that open a store at once, whose folder is not there yet, make it together', async () => {
  const projects = await Promise.all([1, 2, 3].map(() => openProject(options())));
  for (const project of projects) await project.close();
  expect((await readdir(join(folder, 'new', '.svc'))).sort()).toEqual(['.gitignore', 'memory.db']);
});

test('a namespace that is no name is refused before anything is made', async () => {
  await expect(openProject({ ...options(), namespace: 'two\nlines' })).rejects.toThrow(/^invalid_input: "namespace"/);
  expect(await readdir(folder)).toEqual([]);
});

test('a .gitignore that people wrote keeps its lines and gets the one for databases, once', async () => {
  const svc = join(folder, 'new', '.svc');
  await mkdir(svc, { recursive: true });
  await writeFile(join(svc, '.gitignore'), 'notes.txt');
  for (let i = 0; i < 2; i++) await (await openProject(options())).close();
  expect(await readFile(join(svc, '.gitignore'), 'utf8')).toBe('notes.txt\n*.db*\n');
});

test('a write into a store that was deleted meanwhile is refused instead of lost', async () => {
  const project = await openProject(options());
  const write = () => project.write(async () => undefined);
  await write();
  for (const file of await readdir(join(folder, 'new', '.svc'))) await rm(join(folder, 'new', '.svc', file));
  await expect(write()).rejects.toThrow(/^unavailable: The store .* was deleted or replaced/);
  await project.close();
});
