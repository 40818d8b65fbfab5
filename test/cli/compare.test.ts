import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OPEN, type Repository, STORE, withRepositoryHere } from '../support/check-repository';
import { openSqlite } from '../support/sqlite';

interface Compared {
  readonly symbols: readonly {
    readonly verdict: string;
    readonly was: { readonly name: string };
    readonly now: { readonly name: string; readonly start_line: number } | null;
    readonly commit: string | null;
    readonly text_then: string | null;
    readonly text_now: string | null;
  }[];
}

const compared = async ({ ok }: Repository, id: string): Promise<Compared['symbols']> =>
  (JSON.parse(await ok('compare', id, '--json')) as Compared).symbols;

const idOf = async ({ ok }: Repository, content: string): Promise<string> => {
  const found = JSON.parse(await ok('nodes', '--json', '--letters', content)) as { readonly id: string }[];
  return found[0]?.id ?? '';
};

const opened = (what: string): string => OPEN.replace('main', what).trimEnd();

it('shows the function as Git has it at the commit of the link, beside the function as it is', async () => {
  await withRepositoryHere(async (repository) => {
    const { write, ok, git } = repository;
    const id = await idOf(repository, 'opens slowly');
    expect(await ok('compare', id)).toMatch(/\n\nsrc\/open\.ts:1 open: unchanged since \d{4}-\d\d-\d\d\n$/);
    await write('src/open.ts', `// A comment above.\n\n${OPEN.replace('main', 'other')}`);
    const [only, ...others] = await compared(repository, id);
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      ...{ verdict: 'changed', text_then: opened('main'), text_now: opened('other') },
      ...{ now: { name: 'open', start_line: 3 }, commit: git('rev-parse', 'HEAD').trim() },
    });
    const text = await ok('compare', id);
    expect(text).toMatch(
      /^- \[d_\w+\] \d{4}-\d\d-\d\d · conf 1\.00 — decision: opens slowly\n {2}because measured\n\n/,
    );
    expect(text).toMatch(
      /src\/open\.ts:3 open: changed since \d{4}-\d\d-\d\d\n {2}- {3}return connect\("main"\);\n {2}\+ {3}return connect\("other"\);\n$/,
    );
    // Once it is committed, HEAD has it no more, and the commit of the link has.
    git('commit', '--quiet', '--all', '-m', 'second');
    expect((await compared(repository, id))[0]).toMatchObject({ text_then: opened('main'), text_now: opened('other') });
  });
});

it('shows what is gone, and nothing in its place', async () => {
  await withRepositoryHere(async (repository) => {
    await repository.write('src/store.ts', STORE.replace(/ {2}put[^}]*}\n/, ''));
    expect((await compared(repository, await idOf(repository, 'puts safely')))[0]).toMatchObject({
      ...{ verdict: 'gone', now: null, text_now: null },
      text_then: '  put(key: string) {\n    return write(key);\n  }',
    });
  });
});

it('shows code that was never committed, from a copy that was kept when the memory was stored or confirmed', async () => {
  await withRepositoryHere(async (repository) => {
    const { write, ok, build } = repository;
    await write('src/new.ts', OPEN.replace('open', 'reopen').replace('main', 'first'));
    await build();
    await ok('store', 'reopens twice', '--kind', 'decision', '--entities', 'src/new.ts#reopen');
    const id = await idOf(repository, 'reopens twice');
    const now = async (what: string) => write('src/new.ts', OPEN.replace('open', 'reopen').replace('main', what));
    await now('second');
    expect((await compared(repository, id))[0]?.text_then).toContain('"first"');
    await ok('verify', id, 'confirm');
    await now('third');
    const [after] = await compared(repository, id);
    expect(after).toMatchObject({ verdict: 'changed', commit: null });
    expect([after?.text_then, after?.text_now].map((text) => /"(\w+)"/.exec(text ?? '')?.[1])).toEqual([
      'second',
      'third',
    ]);
  });
});

it('shows what stood there last where an edit was confirmed and then undone', async () => {
  await withRepositoryHere(async (repository) => {
    const { write, ok, build, git } = repository;
    const id = await idOf(repository, 'opens slowly');
    // Makes a copy of the code.
    await ok('verify', id, 'confirm');
    const edit = async (what: string): Promise<void> => {
      await write('src/open.ts', OPEN.replace('main', what));
      await build();
    };
    await edit('tried');
    await ok('verify', id, 'confirm');
    await edit('tried again');
    expect((await compared(repository, id))[0]).toMatchObject({ text_then: opened('tried'), commit: null });
    await edit('main');
    await edit('other');
    const head = git('rev-parse', 'HEAD').trim();
    expect((await compared(repository, id))[0]).toMatchObject({ text_then: opened('main'), commit: head });
    // The same where no commit has any of it.
    await write('src/new.ts', OPEN.replace('open', 'reopen').replace('main', 'first'));
    await build();
    await ok('store', 'reopens twice', '--kind', 'decision', '--entities', 'src/new.ts#reopen');
    const other = await idOf(repository, 'reopens twice');
    for (const what of ['second', 'first', 'third']) {
      await write('src/new.ts', OPEN.replace('open', 'reopen').replace('main', what));
      await build();
      if (what === 'second') await ok('verify', other, 'confirm');
    }
    expect((await compared(repository, other))[0]?.text_then).toContain('"first"');
    // What is written beside it says nothing of where it was.
    await edit('main');
    await edit('tried');
    await ok('verify', id, 'confirm');
    await write('src/copy.ts', OPEN);
    await edit('other');
    expect((await compared(repository, id))[0]).toMatchObject({ text_then: opened('tried'), commit: null });
  });
});

it('shows the same where the graph has this file alone', async () => {
  await withRepositoryHere(async (repository) => {
    const { write, ok, build, remove } = repository;
    await remove('src/store.ts');
    await build();
    const id = await idOf(repository, 'opens slowly');
    await ok('verify', id, 'confirm');
    for (const what of ['tried', 'main', 'other']) {
      await write('src/open.ts', OPEN.replace('main', what));
      await build();
      if (what === 'tried') await ok('verify', id, 'confirm');
    }
    expect((await compared(repository, id))[0]).toMatchObject({ text_then: opened('main') });
  });
});

it('says that nothing is known of then when the copy is gone with the code graph, and stays right about the rest', async () => {
  await withRepositoryHere(async (repository) => {
    const { write, ok, remove, build } = repository;
    await write('src/new.ts', OPEN.replace('open', 'reopen'));
    await build();
    await ok('store', 'reopens twice', '--kind', 'decision', '--entities', 'src/new.ts#reopen');
    const id = await idOf(repository, 'reopens twice');
    await remove('.svc/graph.db');
    await build();
    await write('src/new.ts', OPEN.replace('open', 'reopen').replace('main', 'other'));
    expect((await compared(repository, id))[0]).toMatchObject({ verdict: 'changed', text_then: null });
    expect(await ok('compare', id)).toContain('What it was then is not known');
  });
});

it('keeps copies in the code graph alone, at most a twentieth of it, the newest ones', async () => {
  await withRepositoryHere(async (repository) => {
    const { write, ok, build, path } = repository;
    const long = (i: number): string =>
      Array.from(
        { length: 120 },
        (_, at) => `  // ${(i * 7919 + at * 104729) % 99991} ${(i * 104723 + at * 7907) % 99989}\n`,
      ).join('');
    const functions = Array.from({ length: 40 }, (_, i) => `export function planted${i}() {\n${long(i)}}\n`);
    await write('src/many.ts', functions.join('\n'));
    await build();
    for (let i = 0; i < 40; i += 20) {
      const names = Array.from({ length: 20 }, (_, at) => ['--entities', `src/many.ts#planted${i + at}`]).flat();
      await ok('store', `many ${i}`, '--kind', 'fact', ...names);
    }
    const graph = await openSqlite(path('.svc', 'graph.db'));
    const kept = await graph.all<{ name: string; size: number }>('SELECT name, length(text) AS size FROM graph_texts');
    await graph.close();
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(40);
    expect(kept.every(({ name }) => Number(/\d+/.exec(name)?.[0]) >= 20)).toBe(true);
    const bytes = kept.reduce((sum, { size }) => sum + size, 0);
    expect(bytes).toBeLessThanOrEqual(statSync(path('.svc', 'graph.db')).size / 20);
  });
});
