import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { type BuildSummary, type CodeProject, SVC_FILE, withCodeProject } from '../support/code-project';
import { BRIEFLY, makePipe } from '../support/special-files';

interface Summary extends BuildSummary {
  readonly unread_rules: readonly { readonly path: string; readonly reason: string }[];
}

async function built({ run }: CodeProject): Promise<Summary> {
  const { status, out, err } = await run(['build', '--json'], { program: SVC_FILE, ...BRIEFLY });
  expect([status, err]).toEqual([0, '']);
  return JSON.parse(out) as Summary;
}

const FILES = { 'src/a.ts': 'export function a() {}\n', 'out/b.ts': 'export function b() {}\n' };

it('waits for no pipe among the sources, whatever its name, and opens no device behind a link', async () => {
  await withCodeProject(FILES, async (project) => {
    const { path } = project;
    for (const name of ['tool', 'pipe.ts', 'package.json', 'tsconfig.json', 'README.md']) makePipe(path('src', name));
    symlinkSync('/dev/zero', path('src', 'zero.ts'));
    symlinkSync('/dev/zero', path('src', 'zero'));
    symlinkSync('tool', path('src', 'to-pipe'));
    expect(await built(project)).toMatchObject({
      files: 2,
      skipped: { 'no regular file': 1, link: 1 },
      skipped_files: [
        { path: 'src/pipe.ts', reason: 'no regular file' },
        { path: 'src/zero.ts', reason: 'link' },
      ],
    });
  });
});

it.each([
  ['a pipe', 'no regular file', makePipe],
  ['a folder', 'no regular file', (path: string) => mkdirSync(path)],
  ['a link to a device', 'leads out of the project', (path: string) => symlinkSync('/dev/zero', path)],
  [
    'a link to a file outside',
    'leads out of the project',
    (path: string) => symlinkSync(join(dirname(dirname(path)), 'home', 'rules'), path),
  ],
  ['longer than 100,000 bytes', 'too large', (path: string) => writeFileSync(path, `out/\n${'# x\n'.repeat(25_000)}`)],
])('does not read a .gitignore that is %s, and says that its rules do not count', async (_, reason, make) => {
  await withCodeProject(FILES, async (project) => {
    const { path, home, svc } = project;
    writeFileSync(join(home, 'rules'), 'out/\n');
    make(path('.gitignore'));
    expect(await built(project)).toMatchObject({ files: 2, unread_rules: [{ path: '.gitignore', reason }] });
    expect((await svc(['build'])).out).toContain(`\nThe rules in .gitignore do not count: ${reason}.\n`);
  });
});

it('names the .gitignore files of a folder and above it that do not count, and ten at most', async () => {
  await withCodeProject(FILES, async (project) => {
    const { path, svc, run } = project;
    makePipe(path('.gitignore'));
    for (let i = 0; i < 12; i++) {
      mkdirSync(path('src', `d${i}`));
      makePipe(path('src', `d${i}`, '.gitignore'));
    }
    const { out } = await svc(['build']);
    expect(out.match(/do not count: no regular file/g)).toHaveLength(10);
    expect(out).toContain('\n… nor do those in 3 files more; --json names them.\n');
    const options = { program: SVC_FILE, ...BRIEFLY };
    const ingested = await run(['ingest', '.', '--llm', 'none'], options);
    expect(ingested.out.match(/do not count: no regular file/g)).toHaveLength(10);
    expect(ingested.out).toContain('\n… nor do those in 3 files more; --json names them.\n');
    const told = JSON.parse((await run(['sync', '--json'], options)).out);
    expect(told.unread_rules).toHaveLength(13);
    expect(Object.keys(told.skipped)).not.toContainEqual(expect.stringContaining('gitignore'));
  });
});

it('keeps to a .gitignore that links to another file of the repository, and to an exclude file of the user', async () => {
  await withCodeProject({ ...FILES, rules: 'out/\n', 'mine.ts': 'function mine() {}\n' }, async (project) => {
    const { path, home } = project;
    symlinkSync('rules', path('.gitignore'));
    writeFileSync(join(home, 'exclude'), 'mine.ts\n');
    mkdirSync(path('.git', 'info'));
    symlinkSync(join(home, 'exclude'), path('.git', 'info', 'exclude'));
    expect(await built(project)).toMatchObject({ files: 1, unread_rules: [] });
    rmSync(path('.git', 'info', 'exclude'));
    makePipe(path('.git', 'info', 'exclude'));
    expect(await built(project)).toMatchObject({
      files: 2,
      unread_rules: [{ path: '.git/info/exclude', reason: 'no regular file' }],
    });
  });
});

it('takes a folder whose .git is no file, or names a folder of pipes, for no work tree', async () => {
  await withCodeProject(
    { ...FILES, 'sub/.git': 'gitdir: ../odd\n', 'sub/c.ts': 'function c() {}\n' },
    async (project) => {
      const { path } = project;
      makePipe(path('src', '.git'));
      symlinkSync('/dev/zero', path('out', '.git'));
      mkdirSync(path('odd'));
      makePipe(path('odd', 'commondir'));
      expect(await built(project)).toMatchObject({ files: 3, skipped: {} });
    },
  );
});

it('says of code that lies behind a link out of the project no more than of code that is not there', async () => {
  await withCodeProject(FILES, async (project) => {
    const { path, home, json, memoryServer } = project;
    writeFileSync(join(home, 'secret.ts'), 'export function secret() {}\n');
    symlinkSync(home, path('linked'));
    symlinkSync(join(home, 'secret.ts'), path('secret.ts'));
    symlinkSync('src/a.ts', path('again.ts'));
    await built(project);
    const server = await memoryServer();
    const entities = ['linked/secret.ts#secret', 'secret.ts#secret', 'linked/secret.ts', 'secret.ts', 'again.ts#a'];
    const { node_id } = await server.value<{ node_id: string }>('memory_store', {
      ...{ content: 'About code here and elsewhere', kind: 'fact', entities },
    });
    const locations = await json<{ file_path: string }[]>('to-code', node_id);
    expect(locations.map((one) => one.file_path)).toEqual(['again.ts']);
  });
});
