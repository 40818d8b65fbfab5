import { join } from 'node:path';
import { expect, it } from 'vitest';
import { locateMemory } from '../../src/server/memory/verify';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';
import { openSqlite } from '../support/sqlite';

const SOURCE = 'export function open() {\n  return connect("the main one", 1, 2, 3, 4);\n}\n';

/** Gives the links the hash that a program without literals gave this text. */
async function asBefore({ folder, project }: FollowedRepository): Promise<void> {
  const [symbol] = (await project.memory.code.inFile('src/open.ts', `${SOURCE}\n`)).filter(
    ({ name }) => name === 'open',
  );
  expect(symbol?.old_hash).toEqual(expect.any(String));
  const store = await openSqlite(join(folder, '.svc', 'memory.db'));
  await store.all(`UPDATE mem_links SET hash = '${symbol?.old_hash}'`);
  await store.close();
}

async function verdict({ project }: FollowedRepository, id: string): Promise<string | undefined> {
  return (await locateMemory(project.memory, id))[0]?.now.verdict;
}

it('a link of an older program is judged by its rule, once, and has the hash of today then', async () => {
  await withFollowedRepository({ 'src/open.ts': SOURCE }, async (repository) => {
    const { build, remember, edit, refresh, project } = repository;
    await build();
    const id = await remember('open()');
    const [today] = await project.memory.sql.all('SELECT hash FROM mem_links');
    await asBefore(repository);
    // What is not saved in the graph is read, and known by the old rule.
    await edit('src/open.ts', 'return', '// a comment in it\n  return');
    expect(await verdict(repository, id)).toBe('changed');
    await edit('src/open.ts', '// a comment in it\n  ', '');
    await edit('src/open.ts', 'export function', '// above\nexport function');
    expect(await verdict(repository, id)).toBe('unchanged');
    await refresh('src/open.ts');
    expect(await project.memory.sql.all('SELECT hash FROM mem_links')).toEqual([today]);
    expect(await verdict(repository, id)).toBe('unchanged');
    // By the rule of today, a space in a text counts.
    await edit('src/open.ts', 'the main one', 'the  main one');
    expect(await verdict(repository, id)).toBe('changed');
  });
});

it('an open doubt of an older program stays one, and ends when the text is back', async () => {
  await withFollowedRepository({ 'src/open.ts': SOURCE }, async (repository) => {
    const { build, remember, edit, refresh } = repository;
    await build();
    const id = await remember('open()');
    await asBefore(repository);
    await edit('src/open.ts', 'connect(', 'connectTo(');
    await build();
    expect(await verdict(repository, id)).toBe('changed');
    await edit('src/open.ts', 'connectTo(', 'connect(');
    expect(await verdict(repository, id)).toBe('unchanged');
    await refresh('src/open.ts');
    expect(await verdict(repository, id)).toBe('unchanged');
  });
});

it('a link of an older program on a file that nobody changed is judged by its rule, and carried over by the next build', async () => {
  await withFollowedRepository({ 'src/open.ts': SOURCE }, async (repository) => {
    const { build, remember, write, project } = repository;
    await build();
    const id = await remember('open()');
    const [today] = await project.memory.sql.all('SELECT hash FROM mem_links');
    await asBefore(repository);
    expect(await verdict(repository, id)).toBe('unchanged');
    await write('src/more.ts', 'export const more = 1;\n');
    await build();
    expect(await project.memory.sql.all('SELECT hash FROM mem_links')).toEqual([today]);
  });
});
