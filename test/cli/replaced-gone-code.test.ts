import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OPEN, type Repository, withRepositoryHere } from '../support/check-repository';

const SHUT = 'export function shut() {\n  return disconnect("main", { now: true });\n}\n';
const KEPT = OPEN;
const BOTH = `${OPEN}${SHUT}`;
const REMOVED = 'shut was removed; its callers look themselves';
const MARKED = `${REMOVED}\n  (this branch has another version of the code)\n`;

type Left = 'is committed' | 'is not committed yet';

/** A memory on code that is gone by now, while the branch `old` has it. */
interface Gone extends Repository {
  readonly id: string;
  store(content: string, name: string, ...more: string[]): Promise<string>;
  /** What the memory says now. */
  replace(id: string, content?: string): Promise<string>;
  doubts(): Promise<string[]>;
  commit(path: string, text: string): Promise<void>;
  go(branch: string): Promise<number>;
}

async function withGone(
  left: Left,
  work: (gone: Gone) => Promise<void>,
  { name = 'src/open.ts#shut', shared = false } = {},
): Promise<void> {
  await withRepositoryHere(async (repository) => {
    const { git, write, build, json, ok } = repository;
    const commit = async (path: string, text: string): Promise<void> => {
      await write(path, text);
      git('add', 'src');
      git('commit', '--quiet', '-m', 'next');
    };
    const store: Gone['store'] = async (content, entity, ...more) =>
      (await json<{ node_id: string }>('store', content, '--kind', 'fact', '--entities', entity, ...more)).node_id;
    await commit('src/open.ts', BOTH);
    await build();
    const id = await store('shut waits for its callers', name);
    if (shared) await ok('share', id);
    git('branch', 'old');
    await write('src/open.ts', OPEN);
    if (left === 'is committed') git('commit', '--quiet', '-a', '-m', 'removed');
    const gone: Gone = {
      ...repository,
      ...{ id, store, commit },
      replace: (older, content = REMOVED) => store(content, name, '--supersedes', older),
      async doubts() {
        const { stale_nodes, missing_nodes } = await json<
          Record<'stale_nodes' | 'missing_nodes', readonly { readonly node_id: string; readonly verdict: string }[]>
        >('verify-staleness', '--no-queue');
        return [...stale_nodes, ...missing_nodes]
          .map(({ verdict }) => verdict)
          .filter((verdict) => verdict !== 'unchanged');
      },
      async go(branch) {
        git('checkout', '--quiet', branch);
        return (await build()).linked;
      },
    };
    expect(await gone.doubts()).toEqual(['gone']);
    await work(gone);
  });
}

const settle = async ({ git }: Gone): Promise<void> => {
  if (git('status', '--porcelain', '--untracked-files=no') !== '') git('commit', '--quiet', '-a', '-m', 'removed');
};

/** On both branches and back, nothing is asked, and the function that stands on one of them is marked. */
async function expectSettled(gone: Gone): Promise<void> {
  const { ok, build, doubts, go } = gone;
  expect(await doubts()).toEqual([]);
  await settle(gone);
  expect((await build()).linked).toBe(0);
  expect(await doubts()).toEqual([]);
  expect(await go('old')).toBe(0);
  expect(await ok('for-code', 'src/open.ts')).toContain(MARKED);
  expect(await doubts()).toEqual(['other version']);
  expect(await go('main')).toBe(0);
  expect(await doubts()).toEqual([]);
}

describe.each<Left>(['is committed', 'is not committed yet'])('where the removal %s', (left) => {
  it.each(['src/open.ts#shut', 'shut()'])(
    'what takes the place of a memory whose code is gone says so, and is of another version on a branch that has it: by %s',
    (name) =>
      withGone(
        left,
        async (gone) => {
          await gone.replace(gone.id);
          await expectSettled(gone);
        },
        { name },
      ),
  );

  it('so it is in files of the repository', () =>
    withGone(
      left,
      async (gone) => {
        await gone.replace(gone.id);
        await expectSettled(gone);
      },
      { shared: true },
    ));

  it('so it is where a person had confirmed that it is gone, and where it is put in other words once more', () =>
    withGone(left, async (gone) => {
      await gone.ok('verify', gone.id, 'confirm');
      const first = await gone.replace(gone.id, 'shut is there no more');
      await gone.replace(first);
      await expectSettled(gone);
    }));
});

it('what an export says of it is taken over, and undone it is as before', () =>
  withGone('is committed', async (gone) => {
    const { ok, json, path, git, doubts, build } = gone;
    const exported = async () => {
      await ok('export', '--force', 'all.json');
      return readFileSync(path('all.json'), 'utf8').split(/,?\n/).sort();
    };
    const id = await gone.replace(gone.id);
    const after = await exported();
    const { operation } = await json<{ operation: number }>('undo');
    expect(await doubts()).toEqual(['gone']);
    await ok('undo', `${operation}`);
    expect(await exported()).toEqual(after);
    await ok('forget', id, '--purge');
    await ok('import', 'all.json');
    git('checkout', '--quiet', 'old');
    await build();
    expect(await ok('for-code', 'src/open.ts')).toContain(MARKED);
  }));

it('code that comes back is in doubt until somebody says that the memory holds', () =>
  withGone('is committed', async (gone) => {
    const { ok, doubts, commit, write } = gone;
    const id = await gone.replace(gone.id);
    await commit('src/open.ts', BOTH);
    expect(await doubts()).toEqual(['changed']);
    expect(await ok('compare', id)).toContain('+ export function shut() {');
    await ok('verify', id, 'confirm');
    expect(await doubts()).toEqual([]);
    await write('src/open.ts', `${OPEN}${SHUT.replace('shut()', 'close()')}`);
    expect(await doubts()).toEqual(['moved']);
  }));

describe.each(['is in a file that was renamed', 'was moved to another file'])(
  'where the code %s before it was gone',
  (way) => {
    const withMoved = (work: (repository: Repository, older: string, replace: () => Promise<void>) => Promise<void>) =>
      withRepositoryHere(async (repository) => {
        const { git, write, build, json } = repository;
        const commit = (): string => git('add', 'src') + git('commit', '--quiet', '-m', 'next');
        const store = async (content: string, ...more: string[]): Promise<string> =>
          (
            await json<{ node_id: string }>(
              'store',
              content,
              '--kind',
              'fact',
              '--entities',
              'src/open.ts#shut',
              ...more,
            )
          ).node_id;
        await write('src/open.ts', BOTH);
        commit();
        await build();
        const older = await store('shut waits for its callers');
        if (way === 'was moved to another file') {
          await write('src/open.ts', OPEN);
          await write('src/shut.ts', `${KEPT}${SHUT}`);
        } else {
          git('mv', 'src/open.ts', 'src/shut.ts');
        }
        commit();
        await build();
        await write('src/shut.ts', KEPT);
        await work(repository, older, async () => {
          await store(REMOVED, '--supersedes', older);
          commit();
          git('revert', '--no-edit', 'HEAD');
          await build();
        });
      });

    it('what takes its place is in doubt in that file when it comes back', () =>
      withMoved(async ({ ok, found, run }, _, replace) => {
        await replace();
        expect((await run(['review'])).out).toContain('changed  src/shut.ts:');
        expect(await ok('for-code', 'src/shut.ts')).toContain(`${REMOVED}\n  (the code has changed since)`);
        expect(await found('--since', 'HEAD~1')).toEqual([`${REMOVED}: changed shut@src/shut.ts:4`]);
      }));

    it('review and compare name the file where it was last', () =>
      withMoved(async ({ ok }, older) => {
        expect(await ok('review')).toMatch(/^\d+ {2}gone {2}src\/shut\.ts shut\n +shut is gone\n/m);
        expect(await ok('compare', older)).toContain('src/shut.ts shut: shut is gone\n');
      }));

    it('so it is where a person had confirmed that it is gone', () =>
      withMoved(async ({ ok, run }, older, replace) => {
        await ok('verify', older, 'confirm');
        expect(await ok('for-code', 'src/shut.ts')).toContain('shut waits');
        await replace();
        expect((await run(['review'])).out).toContain('changed  src/shut.ts:');
      }));
  },
);

it('what was taken away and put back before it was committed is in doubt, whatever an older branch lacks', () =>
  withGone('is not committed yet', async (gone) => {
    const { git, doubts } = gone;
    git('branch', 'older', 'HEAD~1');
    await gone.replace(gone.id);
    git('checkout', '--quiet', 'src');
    expect(await doubts()).toEqual(['changed']);
  }));

it('what is called so elsewhere is another thing', () =>
  withGone(
    'is committed',
    async (gone) => {
      await gone.commit('src/twin.ts', SHUT.replace('true', 'false'));
      await gone.commit('src/twins.ts', SHUT.replace('true', 'null'));
      await gone.build();
      await gone.replace(gone.id);
      expect(await gone.doubts()).toEqual([]);
      for (const twin of ['src/twin.ts', 'src/twins.ts']) {
        expect((await gone.run(['for-code', twin])).out).not.toContain(REMOVED);
      }
      await expectSettled(gone);
    },
    { name: 'shut()' },
  ));

it('a value that only the text names is such code as well, as long as the text names it', () =>
  withRepositoryHere(async ({ git, write, build, json, ok }) => {
    const store = async (content: string, ...more: string[]) =>
      (await json<{ node_id: string }>('store', content, '--kind', 'fact', '--entities', 'src/open.ts', ...more))
        .node_id;
    await write('src/open.ts', `${OPEN}export const MOST_OPEN = 8;\n`);
    git('commit', '--quiet', '-a', '-m', 'most');
    await build();
    const first = await store('`MOST_OPEN` is enough');
    git('branch', 'old');
    await write('src/open.ts', OPEN);
    git('commit', '--quiet', '-a', '-m', 'none');
    await build();
    const second = await store('`MOST_OPEN` was removed', '--supersedes', first);
    git('checkout', '--quiet', 'old');
    expect((await build()).linked).toBe(0);
    expect(await ok('for-code', 'src/open.ts')).toMatch(
      /### constant MOST_OPEN .*\n- .* `MOST_OPEN` was removed\n {2}\(this branch has another version of the code\)\n/,
    );
    git('checkout', '--quiet', 'main');
    await build();
    await store('opens as many as there are', '--supersedes', second);
    expect(await ok('for-code', 'src/open.ts')).not.toContain('MOST_OPEN');
  }));
