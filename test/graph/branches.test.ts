import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeDoubts } from '../../src/server/memory/code/doubts';
import { locateMemory } from '../../src/server/memory/verify';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

const OPEN = 'export function open() {\n  return connect("main", 1, 2, 3, 4, 5);\n}\n';
const OTHER = OPEN.replace('main', 'other');

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
    await write('src/new.ts', OTHER.replace('open', 'start'));
    git('add', '-A');
    git('commit', '-m', 'feature');
    await build();
    const id = await remember('src/new.ts#start');
    git('checkout', 'main');
    expect(await standing(repository, id)).toBe('other version of feature');
    git('branch', '-D', 'feature');
    expect(await standing(repository, id)).toBe('gone');
    await write('src/new.ts', OTHER.replace('open', 'start'));
    git('add', '-A');
    git('commit', '-m', 'squashed');
    expect(await standing(repository, id)).toBe('unchanged');
  }));

it('a confirmation on a branch that lacks the code does not accept that it is gone', () =>
  withFollowedRepository({ 'src/open.ts': OPEN }, async (repository) => {
    const { git, write, build, remember, call, remove } = repository;
    git('checkout', '-b', 'feature');
    await write('src/new.ts', OTHER.replace('open', 'start'));
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
