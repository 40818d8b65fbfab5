import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SVC_FILE } from '../support/code-project';
import { type CommandLine, commandLineIn, withCommandLine } from '../support/command-line';
import { gitIn } from '../support/git-in';

const OPEN = `export function openStore(path: string) {
  const file = readFileSync(path);
  const options = { strict: true, retries: 3 };
  return parseTheFile(file, options);
}
`;
const OTHER = 'export const limit = 7;\n';
const EDITED = OPEN.replace('strict: true, retries: 3', 'strict: false, retries: 5');

const build = async (line: CommandLine): Promise<void> => {
  expect((await line.run(['build'], { program: SVC_FILE })).status).toBe(0);
};
const writeOpen = (line: CommandLine, text: string) => cp(join(line.folder, text), join(line.folder, 'src/b.ts'));

/** A memory on a function, whose file was renamed and edited since; and a clone of that on another machine, without a store. */
function withClone(work: (own: CommandLine, clone: CommandLine) => Promise<void>): Promise<void> {
  return withCommandLine(
    async (own) => {
      const git = gitIn(own.folder);
      git('init', '--initial-branch=main');
      git('add', '-A');
      git('commit', '-m', 'first');
      await own.ok('init');
      const { node_id } = await own.json<{ node_id: string }>(
        ...['store', 'opens slowly', '--kind', 'fact', '--entities', 'src/a.ts#openStore'],
      );
      await own.ok('share', node_id);
      await own.ok('export', 'all.json');
      git('mv', 'src/a.ts', 'src/b.ts');
      await writeOpen(own, 'edited');
      git('add', '-A', '.', ':!all.json');
      git('commit', '-m', 'moved');
      const place = { folder: join(own.folder, '../clone'), home: join(own.folder, '../other home') };
      git('clone', '.', place.folder);
      await mkdir(place.home);
      const clone = commandLineIn(place);
      await clone.ok('init');
      await work(own, clone);
    },
    { files: { 'src/a.ts': OPEN, edited: EDITED, other: OTHER } },
  );
}

const CHANGED = /opens slowly.*the code has changed since/s;

it('a shared memory is on code that moved before the folder was cloned, also after a build', () =>
  withClone(async (_, clone) => {
    await clone.ok('trust', '--yes');
    expect(await clone.ok('for-code', 'src/b.ts')).toMatch(CHANGED);
    expect(await clone.ok('recall', 'opens slowly')).toMatch(/code changed.*opens slowly/);
    await build(clone);
    expect(await clone.ok('for-code', 'src/b.ts')).toMatch(CHANGED);
  }));

it.each([
  ['is imported', (own: CommandLine, clone: CommandLine) => clone.ok('import', own.path('all.json'))],
  ['is shared', (_: CommandLine, clone: CommandLine) => clone.ok('trust', '--yes')],
])('what %s after a build is found on code that moved before, after the next one', (_, bring) =>
  withClone(async (own, clone) => {
    await build(clone);
    await bring(own, clone);
    await build(clone);
    expect(await clone.ok('for-code', 'src/b.ts')).toMatch(CHANGED);
  }),
);

it('code that is gone is on the file that it was in last, whatever that was called', () =>
  withClone(async (own) => {
    await build(own);
    await cp(own.path('other'), own.path('src/b.ts'));
    const told = async () => [await own.ok('for-code', 'src/b.ts'), (await own.run(['for-code', 'src/a.ts'])).out];
    const GONE = /openStore.*gone.*opens slowly/s;
    expect(await told()).toEqual([expect.stringMatching(GONE), expect.stringContaining('the nearest are "src/b.ts"')]);
    await build(own);
    expect(await told()).toEqual([expect.stringMatching(GONE), expect.stringContaining('the nearest are "src/b.ts"')]);
  }));
