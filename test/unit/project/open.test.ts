import { mkdtemp, readdir, rm } from 'node:fs/promises';
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
