import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeDoubts } from '../../src/server/memory/code/doubts';
import { locateMemory } from '../../src/server/memory/verify';
import type { Check } from '../support/check-repository';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

const OPEN = 'export function open() {\n  return connect("main", 1, 2, 3, 4, 5);\n}\n';
const OTHER = OPEN.replace('main', 'other');
const START = OTHER.replace('open', 'start');

async function standing({ project }: FollowedRepository, id: string): Promise<string> {
  const [found] = await locateMemory(project.memory, id);
  const ref = found?.now.ref === undefined ? '' : ` of ${found.now.ref}`;
  return `${found?.now.verdict}${ref}`;
}

const doubts = async ({ project }: FollowedRepository) => (await codeDoubts(project.memory)).length;

it.each([true, false])('a look at an older branch is no doubt, and leaves nothing behind (built there: %s)', (built) =>
  withFollowedRepository({ 'src/open.ts': OTHER }, async (repository) => {
    const { git, write, build, remember } = repository;
    git('branch', 'older');
    await write('src/open.ts', OPEN);
    git('commit', '-am', 'newer');
    await build();
    const id = await remember('src/open.ts#open');
    git('checkout', 'older');
    if (built) await build();
    expect(await standing(repository, id)).toBe('other version of main');
    expect(await doubts(repository)).toBe(0);
    git('checkout', 'main');
    if (built) await build();
    expect(await standing(repository, id)).toBe('unchanged');
    await write('src/open.ts', OPEN.replace('main', 'third'));
    expect(await standing(repository, id)).toBe('changed');
    expect(await doubts(repository)).toBe(1);
  }),
);

it.each([true, false])(
  'what an older branch has as well is in doubt when it is edited there (built there: %s)',
  (built) =>
    withFollowedRepository(
      { 'src/open.ts': OPEN, 'src/shut.ts': OTHER.replace('open', 'shut') },
      async (repository) => {
        const { git, write, build, remember, remove } = repository;
        git('branch', 'older');
        await write('src/shut.ts', OPEN.replace('open', 'shut'));
        git('commit', '-am', 'newer');
        await build();
        const id = await remember('src/open.ts#open');
        const shut = await remember('src/shut.ts#shut');
        git('checkout', 'older');
        if (built) await build();
        expect([await standing(repository, id), await standing(repository, shut)]).toEqual([
          ...['unchanged', 'other version of main'],
        ]);
        await write('src/open.ts', OTHER);
        await write('src/shut.ts', OTHER.replace('open', 'shut').replace('other', 'third'));
        // What the branch has otherwise is edited, too.
        expect([await standing(repository, id), await standing(repository, shut)]).toEqual(['changed', 'changed']);
        expect(await doubts(repository)).toBe(2);
        await write('src/shut.ts', 'export const nothing = 1;\n');
        expect(await standing(repository, shut)).toBe('gone');
        await write('src/shut.ts', OTHER.replace('open', 'shut'));
        expect(await standing(repository, shut)).toBe('other version of main');
        await remove('src/open.ts');
        expect(await standing(repository, id)).toBe('gone');
        // As it is on this branch from now on.
        await write('src/open.ts', OTHER);
        git('commit', '-am', 'third');
        expect(await standing(repository, id)).toBe('other version of main');
        git('checkout', 'main');
        expect([await standing(repository, id), await standing(repository, shut)]).toEqual(['unchanged', 'unchanged']);
      },
    ),
);

it('what was confirmed on one branch is accepted there, and the text of the other one stays accepted', () =>
  withFollowedRepository({ 'src/open.ts': OTHER }, async (repository) => {
    const { git, write, build, remember, call } = repository;
    git('branch', 'older');
    await write('src/open.ts', OPEN);
    git('commit', '-am', 'newer');
    await build();
    const id = await remember('src/open.ts#open');
    git('checkout', 'older');
    await call('memory_verify', { node_id: id, status: 'confirm' });
    expect(await standing(repository, id)).toBe('unchanged');
    git('checkout', 'main');
    expect(await standing(repository, id)).toBe('unchanged');
  }));

it('a memory of a branch that was given up is judged by its text', () =>
  withFollowedRepository({ 'src/open.ts': OPEN }, async (repository) => {
    const { git, write, build, remember } = repository;
    git('checkout', '-b', 'feature');
    await write('src/new.ts', START);
    git('add', '-A');
    git('commit', '-m', 'feature');
    await build();
    const id = await remember('src/new.ts#start');
    git('checkout', 'main');
    expect(await standing(repository, id)).toBe('other version of feature');
    git('branch', '-D', 'feature');
    expect(await standing(repository, id)).toBe('gone');
    await write('src/new.ts', START);
    git('add', '-A');
    git('commit', '-m', 'squashed');
    expect(await standing(repository, id)).toBe('unchanged');
  }));

/** Puts aside what three memories were stored on: what is new in a file and in a file of its own, and what was changed. */
async function putAside(repository: FollowedRepository): Promise<readonly string[]> {
  const { git, write, remember } = repository;
  await write('src/open.ts', OTHER + START);
  await write('src/new.ts', START);
  const ids = [
    await remember('src/open.ts#open'),
    await remember('src/open.ts#start'),
    await remember('src/new.ts#start'),
  ];
  git('stash', 'push', '--include-untracked');
  return ids;
}

const allStanding = (repository: FollowedRepository, ids: readonly string[]): Promise<string[]> =>
  Promise.all(ids.map((id) => standing(repository, id)));

it('what was put aside is another version until it is back, whatever is put right meanwhile', () =>
  withFollowedRepository({ 'src/open.ts': OPEN }, async (repository) => {
    const { git, write, call, commit } = repository;
    const ids = await putAside(repository);
    const aside = ids.map(() => 'other version of stash');
    expect(await allStanding(repository, ids)).toEqual(aside);
    await write('src/open.ts', `export const first = 1;\n${OPEN}`);
    git('add', '-A');
    const touched = async (input: object) => (await call<Check>('check', input)).memories.map(({ verdict }) => verdict);
    expect([await touched({ staged: true }), await allStanding(repository, ids)]).toEqual([[], aside]);
    commit();
    expect([await touched({ since: 'HEAD~1' }), await allStanding(repository, ids)]).toEqual([[], aside]);
    expect(await doubts(repository)).toBe(0);
    git('stash', 'pop');
    expect(await allStanding(repository, ids)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  }));

it('what was edited once more before it was put aside is another version as well', () =>
  withFollowedRepository({ 'src/open.ts': OPEN }, async (repository) => {
    const { git, write, remember } = repository;
    await write('src/new.ts', START);
    const id = await remember('src/new.ts#start');
    await write('src/new.ts', START.replace('other', 'third'));
    git('stash', 'push', '--include-untracked');
    expect(await standing(repository, id)).toBe('other version of stash');
    git('stash', 'drop');
    expect(await standing(repository, id)).toBe('gone');
  }));

it('what was put aside and is back, edited and committed, is in doubt, though it still lies aside', () =>
  withFollowedRepository({ 'src/open.ts': OPEN }, async (repository) => {
    const { git, write, commit } = repository;
    const ids = await putAside(repository);
    git('stash', 'apply');
    await write('src/open.ts', (OTHER + START).replaceAll('other', 'third'));
    await write('src/new.ts', START.replace('other', 'third'));
    expect(await allStanding(repository, ids)).toEqual(['changed', 'changed', 'changed']);
    commit();
    expect(await allStanding(repository, ids)).toEqual(['changed', 'changed', 'changed']);
  }));

it('what was confirmed here and has changed is in doubt, though what was put aside here has it as it was', () =>
  withFollowedRepository({ 'src/open.ts': OTHER }, async (repository) => {
    const { git, write, remember, call, commit } = repository;
    git('branch', 'older');
    await write('src/open.ts', OPEN);
    commit();
    const id = await remember('src/open.ts#open');
    git('checkout', 'older');
    await write('src/open.ts', OPEN.replace('main', 'ours'));
    commit();
    await call('memory_verify', { node_id: id, status: 'confirm' });
    await write('src/new.ts', START);
    git('stash', 'push', '--include-untracked');
    await write('src/open.ts', OPEN.replace('main', 'next'));
    commit();
    expect(await standing(repository, id)).toBe('changed');
  }));

it('a confirmation on a branch that lacks the code does not accept that it is gone', () =>
  withFollowedRepository({ 'src/open.ts': OPEN }, async (repository) => {
    const { git, write, build, remember, call, remove } = repository;
    git('checkout', '-b', 'feature');
    await write('src/new.ts', START);
    git('add', '-A');
    git('commit', '-m', 'feature');
    await build();
    const id = await remember('src/new.ts#start');
    git('checkout', 'main');
    await call('memory_verify', { node_id: id, status: 'confirm' });
    git('merge', 'feature');
    await remove('src/new.ts');
    expect(await standing(repository, id)).toBe('gone');
  }));

it('what is gone and was confirmed is no doubt, until it is back with another text', () =>
  withFollowedRepository({ 'src/open.ts': OPEN }, async (repository) => {
    const { write, build, remember, call } = repository;
    await build();
    const id = await remember('src/open.ts#open');
    await write('src/open.ts', 'export const nothing = 1;\n');
    expect([await standing(repository, id), await doubts(repository)]).toEqual(['gone', 1]);
    await call('memory_verify', { node_id: id, status: 'confirm' });
    expect([await standing(repository, id), await doubts(repository)]).toEqual(['unchanged', 0]);
    await write('src/open.ts', OTHER);
    expect([await standing(repository, id), await doubts(repository)]).toEqual(['changed', 1]);
  }));

it('what moved among more changed files than are taken apart is found by its name, or by the words of its text, without a build', () => {
  const pads = Object.fromEntries(
    Array.from({ length: 310 }, (_, i) => [`src/pad/${i}.ts`, `export const pad${i} = ${i};\n`]),
  );
  const close =
    'export function closeTheWholeSession(session) {\n  return session.disconnect(session.shutdownTimeout, 6, 7, 8, 9);\n}\n';
  return withFollowedRepository({ ...pads, 'src/open.ts': OPEN, 'src/close.ts': close }, async (repository) => {
    const { folder, git, write, build, remember, remove } = repository;
    // Too much else for Git to call it a rename.
    const own = (text: string): string => `${'// Of a file of its own.\n'.repeat(60)}${text}`;
    await build();
    const [opened, closed] = [await remember('src/open.ts#open'), await remember('src/close.ts#closeTheWholeSession')];
    await remove('src/open.ts');
    await remove('src/close.ts');
    await write('src/moved/rewritten.ts', own(OTHER));
    await write('src/moved/renamed.ts', own(close.replace('closeTheWholeSession(', 'end(')));
    for (const path of ['src/moved/rewritten.ts', 'src/moved/renamed.ts']) utimesSync(join(folder, path), 1_000, 1_000);
    for (const [path, text] of Object.entries(pads)) await write(path, `${text}// changed\n`);
    git('add', '-A');
    git('commit', '-m', 'a pull of many files');
    expect(await standing(repository, opened)).toBe('changed');
    expect(await standing(repository, closed)).toBe('moved');
  });
});
