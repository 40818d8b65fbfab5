import { expect, it } from 'vitest';
import type { MemoryGroup } from '../../src/server/memory/people/memory-groups';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

const VIEW = 'export function render() {\n  return draw("view", 1, 2, 3, 4, 5, 6);\n}\n';
const HELP = 'export function help() {\n  return say("help", 1, 2, 3, 4, 5, 6);\n}\n';
const STAYS = 'export function stays() {\n  return keep("here", 1, 2, 3, 4, 5, 6);\n}\n';
const FILES = { 'lib/view.js': VIEW + HELP, 'lib/other.js': STAYS };

const FACTS = { kinds: ['fact'] };

/** What the lists say of it: its groups by file, and the ids that a list of nodes with this filter has. */
const lists = ({ call }: FollowedRepository) => ({
  async files(more: object = {}): Promise<string[]> {
    const groups = await call<MemoryGroup[]>('groups', { by: 'file', ...more });
    return groups.map(({ name, memories, missing }) => `${name} ${memories}${missing ? ' missing' : ''}`);
  },
  async ids(filter: object): Promise<string[]> {
    return (await call<{ id: string }[]>('nodes', { ...FACTS, ...filter })).map(({ id }) => id).sort();
  },
  matching: async (filter: object): Promise<unknown[]> =>
    (await call<{ matching: number }[]>('sessions', filter)).map(({ matching }) => matching),
});

async function withMoved(
  work: (
    repository: FollowedRepository,
    ids: Readonly<Record<'file' | 'render' | 'both' | 'stays', string>>,
  ) => Promise<void>,
): Promise<void> {
  await withFollowedRepository(FILES, async (repository) => {
    const { build, git, remember } = repository;
    await build();
    const ids = {
      file: await remember('lib/view.js'),
      render: await remember('lib/view.js#render'),
      both: await remember('lib/view.js#render', 'lib/view.js#help', 'lib/other.js#stays'),
      stays: await remember('lib/other.js#stays'),
    };
    git('branch', 'older');
    git('mv', 'lib/view.js', 'lib/template.js');
    git('commit', '-m', 'move');
    await build();
    await work(repository, ids);
  });
}

it('a file that was moved is listed once, under the path that it has', () =>
  withMoved(async (repository, { file, render, both, stays }) => {
    const { files, ids } = lists(repository);
    expect(await files()).toEqual(['lib/other.js 2', 'lib/template.js 3']);
    expect(await ids({ in_file: 'lib/template.js' })).toEqual([file, render, both].sort());
    expect(await ids({ in_file: 'lib/view.js' })).toEqual([]);
    expect(await ids({ in_file: 'lib/other.js' })).toEqual([both, stays].sort());
  }));

it('the filter finds what was moved by its old path and by its new one', () =>
  withMoved(async (repository, { file, render, both, stays }) => {
    const { files, ids, matching } = lists(repository);
    for (const letters of ['Template', 'view']) {
      expect(await ids({ file: letters })).toEqual([file, render, both].sort());
      expect(await ids({ file: letters, symbol: 'rend' })).toEqual([render, both].sort());
      expect(await ids({ file: letters, symbol: 'stays' })).toEqual([]);
      expect(await files({ file: letters, symbol: 'help' })).toEqual(['lib/other.js 1', 'lib/template.js 1']);
      expect(await matching({ file: letters })).toEqual([3]);
    }
    expect(await ids({ file: 'nowhere' })).toEqual([]);
    // Of some that a list shows already.
    expect(await ids({ ids: [both, stays], file: 'template' })).toEqual([both]);
    expect(await ids({ ids: [render, stays] })).toEqual([render, stays].sort());
    expect(await ids({ ids: [] })).toEqual([]);
  }));

it('a function that went to another file goes alone, and a new name is found as the old one is', () =>
  withFollowedRepository(FILES, async (repository) => {
    const { build, git, remember, write } = repository;
    const { files, ids } = lists(repository);
    await build();
    const help = await remember('lib/view.js#help');
    const render = await remember('lib/view.js#render');
    await write('lib/view.js', VIEW.replace('render', 'paint'));
    await write('lib/other.js', STAYS + HELP);
    git('commit', '-am', 'move');
    await build();
    expect(await files()).toEqual(['lib/other.js 1', 'lib/view.js 1']);
    expect(await ids({ in_file: 'lib/other.js' })).toEqual([help]);
    expect(await ids({ in_file: 'lib/view.js' })).toEqual([render]);
    for (const symbol of ['paint', 'render']) expect(await ids({ file: 'view', symbol })).toEqual([render]);
    expect(await ids({ file: 'other', symbol: 'help' })).toEqual([help]);
  }));

it.each([true, false])('on a branch where the file is back it is listed there (built there: %s)', (built) =>
  withMoved(async (repository, { file, render, both }) => {
    const { files, ids } = lists(repository);
    repository.git('checkout', 'older');
    if (built) await repository.build();
    expect(await files()).toEqual(['lib/other.js 2', 'lib/view.js 3']);
    expect(await ids({ in_file: 'lib/view.js' })).toEqual([file, render, both].sort());
    expect(await ids({ in_file: 'lib/template.js' })).toEqual([]);
    repository.git('checkout', 'main');
    if (built) await repository.build();
    expect(await files()).toEqual(['lib/other.js 2', 'lib/template.js 3']);
  }),
);

it('memories of another namespace follow as well', () =>
  withFollowedRepository(FILES, async (repository) => {
    const { build, git, call } = repository;
    await build();
    await call('memory_switch_namespace', { namespace: 'work' });
    const id = await repository.remember('lib/view.js#render');
    git('mv', 'lib/view.js', 'lib/template.js');
    git('commit', '-m', 'move');
    await build();
    const { files, ids } = lists(repository);
    expect(await files()).toEqual(['lib/template.js 1']);
    await call('memory_switch_namespace', { namespace: 'default' });
    expect(await ids({ in_file: 'lib/template.js', namespace: 'work' })).toEqual([id]);
    expect(await ids({ file: 'template' })).toEqual([]);
  }));
