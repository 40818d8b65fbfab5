import { expect, it } from 'vitest';
import { OPEN, type Repository, withRepositoryHere } from '../support/check-repository';

const MINE = OPEN.replace('main', 'mine');
const SHUT = 'export function shut() {\n  return disconnect("main", { now: true });\n}\n';

/** The verdicts of this memory, by each file that it is on. */
async function verdictOf({ ok }: Repository, id: string): Promise<string[]> {
  const { stale_nodes, missing_nodes } = JSON.parse(await ok('verify-staleness', '--no-queue', '--json')) as Record<
    'stale_nodes' | 'missing_nodes',
    readonly { readonly node_id: string; readonly verdict: string }[]
  >;
  return [...stale_nodes, ...missing_nodes].filter(({ node_id }) => node_id === id).map(({ verdict }) => verdict);
}

async function store({ json }: Repository, content: string, entity: string): Promise<string> {
  const asked = ['store', content, '--kind', 'fact', '--entities', entity];
  return (await json<{ node_id: string }>(...asked)).node_id;
}

it('a file that was moved and changed is a changed file, as status counts it', () =>
  withRepositoryHere(async (repository) => {
    const { git, write, json, ok } = repository;
    const id = await store(repository, 'is generated', 'src/open.ts');
    git('mv', 'src/open.ts', 'src/opens.ts');
    await write('src/opens.ts', `${OPEN}\nexport const later = 1;\n`);
    git('commit', '--quiet', '-a', '-m', 'moved');
    const out = await ok('verify-staleness');
    expect(out).toMatch(/no longer fit +0\nabout a file that changed +1\n/);
    expect(out).toMatch(new RegExp(`${id}.*file changed`));
    expect(await json('status')).toMatchObject({ doubts: 1, doubts_of_files: 1 });
  }));

/** As agents work: the memory is stored first, and the change is committed then, on a branch of its own. */
async function onTopic(repository: Repository): Promise<{ readonly changed: string; readonly added: string }> {
  const { git, write } = repository;
  git('checkout', '--quiet', '-b', 'topic');
  await write('src/open.ts', MINE);
  await write('src/shut.ts', SHUT);
  const changed = await store(repository, 'opens its own', 'src/open.ts#open');
  const added = await store(repository, 'shuts at once', 'src/shut.ts#shut');
  git('add', 'src');
  git('commit', '--quiet', '-m', 'mine');
  return { changed, added };
}

it('what was committed on another branch after the memory was stored is another version here, and no doubt', () =>
  withRepositoryHere(async (repository) => {
    const { git, ok, build } = repository;
    const { changed, added } = await onTopic(repository);
    git('checkout', '--quiet', 'main');
    for (const built of [false, true]) {
      if (built) await build();
      expect(await verdictOf(repository, changed)).toEqual(['other version']);
      expect(await verdictOf(repository, added)).toEqual(['other version']);
      const told = await ok('for-code', 'src/open.ts');
      expect(told).not.toContain('changed since');
      expect(told).toMatch(/opens its own\n {2}\(this branch has another version of the code\)\n/);
    }
    git('checkout', '--quiet', 'topic');
    expect([await verdictOf(repository, changed), await verdictOf(repository, added)].flat()).not.toContain('changed');
    // Where no branch has it, the text decides.
    git('checkout', '--quiet', 'main');
    git('branch', '--quiet', '-D', 'topic');
    expect(await verdictOf(repository, changed)).toEqual(['changed']);
    expect(await verdictOf(repository, added)).toEqual(['gone']);
  }));

it('what was changed before it was committed on another branch, and never was on this one, is no code that went', () =>
  withRepositoryHere(async (repository) => {
    const { git, write, build } = repository;
    git('branch', 'topic');
    await write('src/shut.ts', SHUT);
    const added = await store(repository, 'shuts at once', 'src/shut.ts#shut');
    const whole = await store(repository, 'is about shutting', 'src/shut.ts');
    await write('src/shut.ts', SHUT.replace('now', 'soon'));
    git('add', 'src');
    git('commit', '--quiet', '-m', 'mine');
    const verdicts = async () => [await verdictOf(repository, added), await verdictOf(repository, whole)].flat();
    expect(await verdicts()).toEqual(['changed', 'changed']);
    git('checkout', '--quiet', 'topic');
    for (const built of [false, true]) {
      if (built) await build();
      expect(await verdicts()).toEqual(['other version', 'other version']);
    }
    git('merge', '--quiet', 'main');
    git('rm', '--quiet', 'src/shut.ts');
    git('commit', '--quiet', '-m', 'removed');
    expect(await verdicts()).toEqual(['gone', 'gone']);
  }));

it('what was begun here and taken back is gone, whatever another branch calls by its name', () =>
  withRepositoryHere(async (repository) => {
    const { git, write, remove } = repository;
    git('checkout', '--quiet', '-b', 'older');
    await write('src/shut.ts', SHUT.replace('now', 'older'));
    git('add', 'src');
    git('commit', '--quiet', '-m', 'older');
    git('checkout', '--quiet', 'main');
    await write('src/other.ts', 'export const other = 1;\n');
    git('add', 'src');
    git('commit', '--quiet', '-m', 'other');
    await write('src/shut.ts', SHUT);
    const added = await store(repository, 'shuts at once', 'src/shut.ts#shut');
    await write('src/open.ts', MINE);
    const changed = await store(repository, 'opens its own', 'src/open.ts#open');
    await remove('src/shut.ts');
    git('checkout', '--quiet', 'src');
    git('checkout', '--quiet', '-b', 'later');
    await write('src/open.ts', OPEN.replace('main', 'later'));
    git('commit', '--quiet', '-a', '-m', 'later');
    git('checkout', '--quiet', 'main');
    expect([await verdictOf(repository, added), await verdictOf(repository, changed)]).toEqual([['gone'], ['changed']]);
  }));

it('what was stored before its commit is followed when it is renamed and changed in one step', () =>
  withRepositoryHere(async (repository) => {
    const { git, write } = repository;
    await write('src/shut.ts', SHUT);
    const id = await store(repository, 'shuts at once', 'src/shut.ts#shut');
    git('add', 'src');
    git('commit', '--quiet', '-m', 'shut');
    await write('src/shut.ts', SHUT.replace('shut', 'close').replace('now: true', 'now: false'));
    expect(await verdictOf(repository, id)).toEqual(['changed']);
    expect(await repository.ok('for-code', 'src/shut.ts')).toContain('shuts at once');
  }));

it('what was taken back here is in doubt, though a branch that was made meanwhile has it', () =>
  withRepositoryHere(async (repository) => {
    const { git, write } = repository;
    await write('src/open.ts', MINE);
    const id = await store(repository, 'opens its own', 'src/open.ts#open');
    git('commit', '--quiet', '-a', '-m', 'mine');
    git('branch', 'topic');
    await write('src/open.ts', OPEN);
    git('commit', '--quiet', '-a', '-m', 'taken back');
    expect(await verdictOf(repository, id)).toEqual(['changed']);
  }));

it('what a merge has changed is in doubt, also where it takes the file of the other side and a branch has it as it was', () =>
  withRepositoryHere(async (repository) => {
    const { git, write } = repository;
    git('checkout', '--quiet', '-b', 'theirs');
    await write('src/open.ts', OPEN.replace('main', 'theirs'));
    git('commit', '--quiet', '-a', '-m', 'theirs');
    git('checkout', '--quiet', 'main');
    await write('src/open.ts', MINE);
    const id = await store(repository, 'opens its own', 'src/open.ts#open');
    git('commit', '--quiet', '-a', '-m', 'mine');
    git('branch', 'topic');
    git('merge', '--quiet', '-X', 'theirs', '-m', 'merged', 'theirs');
    expect(await verdictOf(repository, id)).toEqual(['changed']);
  }));

it('recall says of a memory that its code is of another branch', () =>
  withRepositoryHere(async (repository) => {
    const { git, ok } = repository;
    await onTopic(repository);
    const recalled = () => ok('recall', 'opens its own');
    expect(await recalled()).toMatch(/conf \d\.\d\d — opens its own/);
    git('checkout', '--quiet', 'main');
    // A busy machine may not know it in time.
    await expect.poll(recalled, { timeout: 60_000 }).toContain(' · code of another branch — opens its own');
  }));

it.each([
  ['--squash', 'topic'],
  ['--no-ff', '--no-commit', 'topic'],
])(
  'what this branch got by merge %s since, and has changed, is in doubt, whatever another branch still has',
  (...how) =>
    withRepositoryHere(async (repository) => {
      const { git, write } = repository;
      const { changed } = await onTopic(repository);
      git('checkout', '--quiet', 'main');
      git('merge', '--quiet', ...how);
      git('commit', '--quiet', '-m', 'merged');
      await write('src/open.ts', OPEN.replace('main', 'next'));
      expect(await verdictOf(repository, changed)).toEqual(['changed']);
      git('commit', '--quiet', '-a', '-m', 'next');
      expect(await verdictOf(repository, changed)).toEqual(['changed']);
    }),
);

it('what was committed when it was stored is in doubt where it changes, though an older branch has it as it was', () =>
  withRepositoryHere(async (repository) => {
    const { git, write } = repository;
    const id = await store(repository, 'opens main', 'src/open.ts#open');
    git('checkout', '--quiet', '-b', 'older');
    await write('README.md', '# Older\n');
    git('commit', '--quiet', '-a', '-m', 'older');
    git('checkout', '--quiet', 'main');
    await write('src/open.ts', MINE);
    git('commit', '--quiet', '-a', '-m', 'mine');
    expect(await verdictOf(repository, id)).toEqual(['changed']);
  }));

const openSays = ({ write }: Repository, what: string) =>
  write('src/open.ts', `export function open() {\n  return '${what}';\n}\n`);

async function commitOpen(repository: Repository, what: string): Promise<void> {
  await openSays(repository, what);
  repository.git('commit', '--quiet', '-a', '-m', what);
}

it('what is on the version of a branch is told by the check of another one that is to go there and changes the same code', () =>
  withRepositoryHere(async (repository) => {
    const { git, run, write } = repository;
    git('branch', 'topic');
    git('branch', 'idle');
    await commitOpen(repository, 'newer');
    const id = await store(repository, 'opens the newer one', 'src/open.ts#open');
    const checked = async () => {
      const { out } = await run(['check', '--since', 'main', '--json']);
      return (JSON.parse(out) as { memories: { id: string }[] }).memories.map((one) => one.id);
    };
    git('checkout', '--quiet', 'topic');
    await commitOpen(repository, 'ours');
    expect(await verdictOf(repository, id)).toEqual(['other version']);
    expect(await checked()).toContain(id);
    git('checkout', '--quiet', 'idle');
    await write('README.md', '# Idle\n');
    git('add', '.');
    git('commit', '--quiet', '-m', 'idle');
    expect(await checked()).not.toContain(id);
  }));

it('what was confirmed on this branch and has changed here since is in doubt, whatever another branch has', () =>
  withRepositoryHere(async (repository) => {
    const { git, ok } = repository;
    git('branch', 'older');
    git('branch', 'oldest');
    await commitOpen(repository, 'newer');
    const id = await store(repository, 'opens the newer one', 'src/open.ts#open');
    git('checkout', '--quiet', 'older');
    expect(await verdictOf(repository, id)).toEqual(['other version']);
    await openSays(repository, 'ours');
    expect(await verdictOf(repository, id)).toEqual(['changed']);
    await ok('verify', id, 'confirm');
    await commitOpen(repository, 'ours');
    expect(await verdictOf(repository, id)).toEqual(['unchanged']);
    await commitOpen(repository, 'next');
    expect(await verdictOf(repository, id)).toEqual(['changed']);
    git('checkout', '--quiet', 'oldest');
    await commitOpen(repository, 'of nobody');
    expect(await verdictOf(repository, id)).toEqual(['other version']);
    git('checkout', '--quiet', 'main');
    expect(await verdictOf(repository, id)).toEqual(['unchanged']);
  }));

it('what was confirmed where another branch took over a draft of this one is another version here', () =>
  withRepositoryHere(async (repository) => {
    const { git, ok } = repository;
    git('checkout', '--quiet', '-b', 'feature');
    await commitOpen(repository, 'draft');
    await commitOpen(repository, 'ours');
    git('checkout', '--quiet', 'main');
    await commitOpen(repository, 'theirs');
    const id = await store(repository, 'opens theirs', 'src/open.ts#open');
    await commitOpen(repository, 'draft');
    await ok('verify', id, 'confirm');
    git('checkout', '--quiet', 'feature');
    expect(await verdictOf(repository, id)).toEqual(['other version']);
  }));

it('what another branch has is neither laid to this one by check, nor compared with what this one has', () =>
  withRepositoryHere(async (repository) => {
    const { git, write, ok, json, found } = repository;
    const kept = await store(repository, 'opens by name', 'src/open.ts#open');
    const { changed } = await onTopic(repository);
    await ok('verify', kept, 'confirm');
    git('checkout', '--quiet', 'main');
    git('checkout', '--quiet', '-b', 'conflict');
    await write('src/open.ts', OPEN.replace('main', 'conflict'));
    git('commit', '--quiet', '-a', '-m', 'conflict');
    const affected = await found('--since', 'main');
    expect(affected).toContain('opens by name: changed open@src/open.ts:1');
    expect(affected.join()).not.toContain('opens its own');
    expect(await verdictOf(repository, changed)).toEqual(['other version']);

    git('checkout', '--quiet', 'main');
    await write('src/open.ts', OPEN.replace('main', 'edited'));
    const then = async (): Promise<string[]> => {
      const { symbols } = await json<{ symbols: { text_then: string }[] }>('compare', kept);
      return symbols.map(({ text_then }) => text_then);
    };
    expect(await then()).toEqual([OPEN.trimEnd()]);
    // Nor once it is committed: the other branch's text never stood here.
    git('commit', '--quiet', '-a', '-m', 'edited');
    expect(await verdictOf(repository, kept)).toEqual(['changed']);
    expect(await then()).toEqual([OPEN.trimEnd()]);
  }));

it('check finds what this branch changed of what was merged as one commit and moved since, though its branch is still there', () =>
  withRepositoryHere(async (repository) => {
    const { git, write, found } = repository;
    await onTopic(repository);
    await store(repository, 'opens for good', 'src/open.ts#open');
    git('checkout', '--quiet', 'main');
    git('merge', '--quiet', '--squash', 'topic');
    git('commit', '--quiet', '-m', 'squashed');
    git('mv', 'src/open.ts', 'src/opens.ts');
    git('commit', '--quiet', '-m', 'moved');
    git('checkout', '--quiet', '-b', 'later');
    await write('src/opens.ts', MINE.replace('mine', 'later'));
    git('commit', '--quiet', '-a', '-m', 'later');
    expect(await found('--since', 'main')).toContain('opens for good: changed open@src/opens.ts:1');
  }));

it('check --branch names what the branch has brought, and changed after a memory was kept on it', () =>
  withRepositoryHere(async (repository) => {
    const { git, write, run } = repository;
    const { added } = await onTopic(repository);
    const memories = async (...args: string[]) => {
      const { memories: all } = JSON.parse((await run(['check', ...args, '--json'])).out) as {
        memories: { id: string; verdict: string }[];
      };
      return all.filter(({ id }) => id === added).map(({ verdict }) => verdict);
    };
    expect(await memories('--branch')).toEqual([]);
    await write('src/shut.ts', SHUT.replace('true', 'false'));
    for (const args of [['--branch'], []]) expect(await memories(...args)).toEqual(['changed']);
    git('commit', '--quiet', '-a', '-m', 'not now');
    expect([await memories('--branch'), await memories()]).toEqual([['changed'], []]);
    await repository.ok('verify', added, 'confirm');
    expect(await memories('--branch')).toEqual([]);
    // Another branch's memory is not laid to a function that is called the same here.
    git('checkout', '--quiet', '-b', 'other', 'main');
    await write('src/shut.ts', SHUT.replace('true', 'maybe'));
    git('add', 'src');
    git('commit', '--quiet', '-m', 'other');
    expect(await memories('--branch')).toEqual([]);
  }));
