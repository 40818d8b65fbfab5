/** Memories on code that no commit had when they were kept. */
import { expect, it } from 'vitest';
import type { Verdict } from '../../src/server/memory/code/touches';
import { locateMemory } from '../../src/server/memory/verify';
import type { Check } from '../support/check-repository';
import { builtOnce, type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

const PATH = 'src/a.ts';
const FIRST = 'export const x = 1;\n';
const TOTAL = `
export function total(order: Order, rates: Rates): number {
  const sum = order.lines.reduce((all, line) => all + line.price * line.count, 0);
  const tax = sum * (rates.get(order.country) ?? 0.19);
  return Math.round((sum + tax) * 100) / 100;
}
`;
const OTHER = '\nexport function other(): string {\n  return "other";\n}\n';

const withFirst = builtOnce({ [PATH]: FIRST });

interface Kept extends FollowedRepository {
  readonly id: string;
  /** `<verdict>[ <name>]` of each symbol. */
  found(input?: object): Promise<string[]>;
  /** The same by the working files alone. */
  judged(): Promise<string[]>;
  commit(): void;
}

/** Keeps a memory on `total`, which only the working file has beside what is committed. */
function withKept(work: (kept: Kept) => Promise<void>, committed = FIRST): Promise<void> {
  return withFirst(async (repository) => {
    const { write, remember, call, commit, project, build } = repository;
    const shown = (verdict: Verdict | string, symbol: { readonly name: string } | null | undefined): string =>
      `${verdict}${symbol ? ` ${symbol.name}` : ''}`;
    if (committed !== FIRST) {
      await write(PATH, committed);
      commit();
      await build();
    }
    await write(PATH, committed + TOTAL);
    const id = await remember(`${PATH}#total`);
    await work({
      ...repository,
      id,
      async found(input = {}) {
        const { memories } = await call<Check>('check', input);
        return memories.flatMap(({ symbols }) => symbols.map(({ verdict, now }) => shown(verdict, now)));
      },
      judged: async () => (await locateMemory(project.memory, id)).map(({ now }) => shown(now.verdict, now.symbol)),
      commit,
    });
  });
}

it.each([
  ['gets another name and text', FIRST + TOTAL.replace('total(', 'priceOf(').replace('0.19', '0.2'), 'changed priceOf'],
  ['is removed', FIRST + OTHER, 'gone'],
  ['gives way to another one', `${FIRST}\nexport function open(): boolean {\n  return x === 1;\n}\n`, 'gone'],
])('tells of code that %s before its first commit, as it is staged, and since then', (_, text, expected) =>
  withKept(async ({ found, judged, write, git, build, commit }) => {
    expect(await found()).toEqual([]);
    await write(PATH, text);
    expect(await judged()).toEqual([expected]);
    expect(await found()).toEqual([expected]);
    git('add', '-A');
    expect(await found({ staged: true })).toEqual([expected]);
    commit();
    expect(await found()).toEqual([]);
    expect(await found({ since: 'HEAD~1' })).toEqual([expected]);
    await build();
    expect(await found({ since: 'HEAD~1' })).toEqual([expected]);
    expect(await judged()).toEqual([expected]);
    // What was in doubt before it is not laid to a change.
    await write(PATH, text.replace('x = 1', 'x = 2'));
    expect(await found()).toEqual([]);
  }),
);

it('does not take what stood there before, and is edited meanwhile, for code that is removed before its first commit', () => {
  const twin = TOTAL.replace('total(', 'subtotal(').replace('+ tax', '- tax');
  return withKept(async ({ write, found, judged }) => {
    await write(PATH, FIRST + twin.replace('0.19', '0.2'));
    expect(await judged()).toEqual(['gone']);
    expect(await found()).toEqual(['gone']);
  }, FIRST + twin);
});

it('does not miss what is not staged yet, nor what somebody has confirmed as gone', () =>
  withKept(async ({ id, found, write, git, call }) => {
    await write(PATH, `${FIRST}${OTHER}`);
    git('add', '-A');
    await write(PATH, `${FIRST}${OTHER}${TOTAL}`);
    expect(await found({ staged: true })).toEqual([]);
    await write(PATH, `${FIRST}${OTHER}`);
    expect(await found({ staged: true })).toEqual(['gone']);
    await call('memory_verify', { node_id: id, status: 'confirm' });
    expect(await found({ staged: true })).toEqual([]);
  }));

it.each([true, false])('tells of code that goes before a repository has any commit (built: %s)', (built) =>
  withFollowedRepository({ [PATH]: FIRST }, async ({ git, write, build, remember, call }) => {
    git('update-ref', '-d', 'HEAD');
    await write(PATH, FIRST + TOTAL);
    if (built) await build();
    await remember(`${PATH}#total`);
    const found = async (input = {}) => (await call<Check>('check', input)).memories.map(({ verdict }) => verdict);
    expect(await found()).toEqual([]);
    await write(PATH, FIRST + OTHER);
    expect(await found()).toEqual(['gone']);
    git('add', '-A');
    expect(await found({ staged: true })).toEqual(['gone']);
    git('commit', '-m', 'first');
    expect(await found()).toEqual([]);
    await write(PATH, FIRST);
    expect(await found()).toEqual([]);
  }),
);

it('tells of code that a branch brings in one commit and removes in the next, once a memory was kept on it', () =>
  withFirst(async ({ write, remember, git, call }) => {
    git('checkout', '--quiet', '-b', 'feature');
    await write('src/b.ts', TOTAL);
    git('add', '-A');
    git('commit', '--quiet', '-m', 'total');
    await remember('src/b.ts#total');
    await write('src/b.ts', OTHER);
    git('commit', '--quiet', '-a', '-m', 'other');
    const { memories } = await call<Check>('check', { since: 'main' });
    expect(memories.map(({ verdict }) => verdict)).toEqual(['gone']);
    await write('src/b.ts', OTHER.replace('"other"', '"third"'));
    expect((await call<Check>('check', {})).memories).toEqual([]);
  }));
