import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SVC_FILE } from '../support/code-project';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { gitIn } from '../support/git-in';

const OPEN = 'export function open() {\n  return connect("main", 1, 2, 3, 4, 5);\n}\n';
const FILES = { 'src/open.ts': OPEN, '.gitignore': '.svc/\ntrees/\n' };

interface Staleness {
  readonly stale_nodes: readonly { readonly verdict: string }[];
  readonly missing: number;
}

/** A repository with a store, and a work tree of it: beside it, or in one of its folders. */
function withTree(where: '../beside' | 'trees/inside', work: (line: CommandLine) => Promise<void>): Promise<void> {
  return withCommandLine(
    async (line) => {
      const git = gitIn(line.folder);
      git('init', '--initial-branch=main');
      git('add', '-A');
      git('commit', '-m', 'first');
      git('worktree', 'add', where, '-b', 'other');
      await line.ok('init');
      await work(line);
      await rm(line.path(where), { recursive: true, force: true });
    },
    { files: FILES },
  );
}

async function staleness(line: CommandLine, cwd: string): Promise<string[]> {
  const { status, out, err } = await line.run(['verify-staleness', '--no-queue', '--json'], { cwd });
  expect({ status, err }).toEqual({ status: 0, err: '' });
  const { stale_nodes, missing } = JSON.parse(out) as Staleness;
  return [...stale_nodes.map(({ verdict }) => verdict), ...(missing > 0 ? ['missing'] : [])];
}

test.each(['../beside', 'trees/inside'] as const)(
  'the work tree %s has the memories of its repository, and the doubts of its own files',
  (where) =>
    withTree(where, async (line) => {
      const { node_id } = await line.json<{ node_id: string }>(
        ...['store', 'opens slowly', '--kind', 'fact', '--entities', 'src/open.ts#open'],
      );
      const run = async (...args: string[]) => line.run(args, { cwd: where });
      expect((await run('recall', 'slowly')).out).toContain(node_id);
      expect((await run('init')).out).toContain(`The store is already there: ${line.path('.svc', 'memory.db')}`);
      for (const cwd of ['.', where]) {
        expect((await line.run(['build'], { cwd, program: SVC_FILE })).status).toBe(0);
      }
      expect(await readFile(line.path(where, '.svc', '.gitignore'), 'utf8')).toContain('*');
      await writeFile(line.path(where, 'src/open.ts'), OPEN.replace('main', 'other'));
      expect([await staleness(line, '.'), await staleness(line, where)]).toEqual([[], ['changed']]);
      expect((await run('for-code', 'src/open.ts')).out).toContain('the code has changed since');
      expect(await line.ok('for-code', 'src/open.ts')).not.toContain('changed since');
      const stored = await run('store', 'from the work tree', '--kind', 'fact', '--entities', 'src/open.ts#open');
      expect(stored.status).toBe(0);
      expect(await line.ok('for-code', 'src/open.ts')).toContain('from the work tree');
    }),
);

test.each(['../beside', 'trees/inside'] as const)(
  'a folder of the work tree %s has the store of the same folder of its repository',
  (where) =>
    withTree(where, async (line) => {
      await mkdir(line.path('src/.svc'));
      const init = await line.run(['init'], { cwd: 'src' });
      expect(init.out).toContain(line.path('src', '.svc', 'memory.db'));
      const about = ['--kind', 'fact', '--entities', 'open.ts#open'];
      expect((await line.run(['store', 'below', ...about], { cwd: 'src' })).status).toBe(0);
      await mkdir(line.path(where, 'src/deep'));
      for (const cwd of [`${where}/src`, `${where}/src/deep`]) {
        const { out } = await line.run(['for-code', 'open.ts'], { cwd });
        expect((await line.run(['recall', 'below'], { cwd })).out).toContain('conf 1.00 — below');
        expect(out).toMatch(/^### function open \(L1–3\)\n.*below$/m);
      }
      expect((await line.run(['build'], { cwd: `${where}/src`, program: SVC_FILE })).status).toBe(0);
      expect((await line.run(['for-code', 'open.ts'], { cwd: `${where}/src/deep` })).out).toContain('below');
      expect((await line.run(['recall', 'below'], { cwd: where })).out).not.toContain('conf 1.00 — below');
    }),
);

test('a .git that names a repository which does not name the folder leads to no store', () =>
  withTree('../beside', async (line) => {
    await line.ok('store', 'secret', '--kind', 'fact');
    const pointer = await readFile(line.path('../beside/.git'), 'utf8');
    await mkdir(line.path('../forged'));
    await writeFile(line.path('../forged/.git'), pointer);
    const { out } = await line.run(['recall', 'secret'], { cwd: '../forged' });
    expect(out).not.toContain('conf 1.00 — secret');
    await rm(join(line.path('../forged')), { recursive: true });
  }));
