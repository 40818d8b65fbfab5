/** What stood elsewhere when a memory was stored is not where its code went, wherever Git has moved it since. */
import { expect, it } from 'vitest';
import { codeDoubts } from '../../src/server/memory/code/doubts';
import { lensesForFile } from '../../src/server/memory/code/lenses';
import { locateMemory } from '../../src/server/memory/verify';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';
import { FORMAT, PARSE } from './refactored-sources';

const TWIN = PARSE.replace('parse', 'split');

async function standing({ project }: FollowedRepository, id: string): Promise<string> {
  const links = await locateMemory(project.memory, id);
  const { symbol, verdict } = links.find(({ key }) => key.name === 'parse')?.now ?? {};
  return symbol ? `${verdict} ${symbol.file_path} ${symbol.name}` : `${verdict}`;
}

it.each([
  {
    title: 'a twin in another file that is renamed',
    files: { 'src/text.ts': `${PARSE}\n${FORMAT}`, 'src/other.ts': TWIN },
    change: async ({ edit, git }: FollowedRepository) => {
      await edit('src/text.ts', PARSE, '');
      git('mv', 'src/other.ts', 'src/renamed.ts');
    },
    expected: 'gone',
  },
  {
    title: 'one of its name in another file that is renamed',
    files: { 'src/text.ts': `${PARSE}\n${FORMAT}`, 'src/other.ts': PARSE.replace('trim', 'trimEnd') },
    change: async ({ edit, git }: FollowedRepository) => {
      await edit('src/text.ts', PARSE, '');
      git('mv', 'src/other.ts', 'src/renamed.ts');
    },
    expected: 'gone',
  },
  {
    title: 'a twin in its own file, which is renamed',
    files: { 'src/text.ts': `${PARSE}\n${TWIN}\n${FORMAT}` },
    change: async ({ edit, git }: FollowedRepository) => {
      await edit('src/text.ts', PARSE, '');
      git('mv', 'src/text.ts', 'src/renamed.ts');
    },
    expected: 'gone',
  },
  {
    title: 'a method of its name in its own file, which is renamed',
    files: { 'src/text.ts': `${PARSE}\nexport class Text {\n  parse() {\n    return this;\n  }\n}\n${FORMAT}` },
    change: async ({ edit, git }: FollowedRepository) => {
      await edit('src/text.ts', PARSE, '');
      git('mv', 'src/text.ts', 'src/renamed.ts');
    },
    expected: 'gone',
  },
  {
    title: 'a twin beside it, where both its name and its file change',
    files: { 'src/text.ts': `${PARSE}\n${TWIN}\n${FORMAT}` },
    change: async ({ edit, git }: FollowedRepository) => {
      await edit('src/text.ts', 'function parse(', 'function parseList(');
      git('mv', 'src/text.ts', 'src/renamed.ts');
    },
    expected: 'moved src/renamed.ts parseList',
  },
])('is not taken for it: $title', ({ files, change, expected }) =>
  withFollowedRepository(files, async (repository) => {
    await repository.build();
    const id = await repository.remember('src/text.ts#parse');
    await change(repository);
    expect(await standing(repository, id), 'in the working files').toBe(expected);
    await repository.build();
    expect(await standing(repository, id), 'after a build').toBe(expected);
    repository.git('commit', '-am', 'changed');
    expect(await standing(repository, id), 'after a commit').toBe(expected);
  }),
);

it('is found in what an editor has not saved yet', () =>
  withFollowedRepository({ 'src/text.ts': `${PARSE}\n${FORMAT}`, 'src/other.ts': TWIN }, async (repository) => {
    await repository.build();
    await repository.remember('src/text.ts#parse');
    await repository.edit('src/text.ts', PARSE, '');
    const lenses = await lensesForFile(repository.project.memory, 'src/other.ts', `${TWIN}\n${PARSE}`);
    expect(lenses.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual(['parse moved']);
  }));

it('what is another version is a doubt once no reference has its commit, though no file has changed', () =>
  withFollowedRepository({ 'src/text.ts': PARSE }, async (repository) => {
    const { git, write, build, remember, project } = repository;
    await build();
    git('checkout', '--detach');
    await write('src/text.ts', PARSE.replace('trim', 'trimEnd'));
    git('commit', '-am', 'on no branch');
    git('tag', 'kept');
    await remember('src/text.ts#parse');
    git('checkout', 'main');
    const known = new Map();
    expect(await codeDoubts(project.memory, known)).toEqual([]);
    git('tag', '-d', 'kept');
    expect(await codeDoubts(project.memory, known)).toHaveLength(1);
  }));
