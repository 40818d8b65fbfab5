/** A symbol whose story the working files alone do not tell: each of its changes is a commit. */
import { describe, expect, it, vi } from 'vitest';
import { locateMemory } from '../../src/server/memory/verify';
import type { Check } from '../support/check-repository';
import { builtOnce, type FollowedRepository } from '../support/followed-repository';

const TOTAL = `export function total(items: Item[], country: string): number {
  const sum = items.reduce((all, item) => all + item.price * item.count, 0);
  const rate = country === 'de' ? 0.19 : 0.2;
  if (sum > 1000) return sum * (1 + rate) - 25;
  return sum * (1 + rate);
}
`;
const FORMAT = `export function format(amount: number): string {
  const [whole = '', part] = amount.toFixed(2).split('.');
  return whole.split('').reverse().join('').replace(/[0-9]{3}/g, '$& ') + '.' + part;
}
`;
const VAT = 'export const VAT = 0.2;\n';
/** Something else, that does its work. */
const SETTLE = `export function settle(invoice: Invoice): Receipt {
  return ledger.close(invoice.lines);
}
`;
const REWRITTEN = 'export function grandTotal(order: Order): Money {\n  return new Bill(order).sum();\n}\n';
const LINES = Array.from({ length: 20 }, (_, i) => `// What is said in line ${i} stays.\n`).join('');
const CART = 'src/cart.ts';
const TAX = 'src/tax.ts';

const withSources = builtOnce({ [CART]: TOTAL + FORMAT, [TAX]: VAT });

type Change = (repository: FollowedRepository) => Promise<void>;

const renamedIn =
  (path: string): Change =>
  ({ edit }) =>
    edit(path, 'function total', 'function grandTotal');
const editedIn =
  (path: string): Change =>
  ({ edit }) =>
    edit(path, '- 25', '- 50');
const copiedTo =
  (...paths: readonly string[]): Change =>
  async ({ read, write }) => {
    const text = await read(CART);
    for (const path of paths) await write(path, text);
  };
const separated: Change = ({ edit }) => edit(CART, "+ '.' + part", "+ ',' + part");
const moved: Change = async ({ read, write }) => {
  const text = await read(CART);
  const code = text.replace(FORMAT, '');
  await write(TAX, VAT + code);
  await write(CART, FORMAT);
};
const removed: Change = ({ write }) => write(CART, FORMAT);
const settled: Change = ({ write }) => write(CART, SETTLE + FORMAT);
const renamedTo =
  (to: string, from = CART): Change =>
  ({ move }) =>
    move(from, to);

/** Each change is a commit; what is said is the same before and after the last one. */
async function afterCommits(changes: readonly Change[], expected: readonly string[]): Promise<void> {
  await withSources(async (repository) => {
    const { remember, commit, project } = repository;
    const id = await remember(`${CART}#total`);
    const judged = async (): Promise<string[]> => {
      const located = await locateMemory(project.memory, id);
      return located.map(({ now: { verdict, symbol } }) =>
        [verdict, ...(symbol ? [symbol.file_path, symbol.name] : [])].join(' '),
      );
    };
    for (const [i, change] of changes.entries()) {
      if (i > 0) commit();
      await change(repository);
    }
    expect(await judged(), 'before the last commit').toEqual(expected);
    commit();
    expect(await judged(), 'after it').toEqual(expected);
  });
}

describe('a copy that was made while the symbol stood is not where it went', () => {
  it.each<[string, readonly Change[]]>([
    ['renamed, copied, edited', [renamedIn(CART), copiedTo('src/cart.v1.ts'), editedIn(CART)]],
    ['copied, edited, renamed', [copiedTo('src/cart.v1.ts'), editedIn(CART), renamedIn(CART)]],
    ['copied, renamed, edited', [copiedTo('src/cart.v1.ts'), renamedIn(CART), editedIn(CART)]],
    [
      'edited, its old text kept as a fixture, renamed',
      [editedIn(CART), ({ write }) => write('test/fixtures/cart.ts', TOTAL), renamedIn(CART)],
    ],
    [
      'copied, then edited and renamed at once',
      [
        copiedTo('src/cart.v1.ts'),
        async (repository) => {
          await renamedIn(CART)(repository);
          await editedIn(CART)(repository);
        },
      ],
    ],
    ['copied twice, edited, renamed', [copiedTo('src/one.ts', 'src/two.ts'), editedIn(CART), renamedIn(CART)]],
    [
      'copied in the commit that edits it',
      [
        renamedIn(CART),
        async (repository) => {
          await copiedTo('legacy/cart.ts')(repository);
          await editedIn(CART)(repository);
        },
      ],
    ],
  ])('%s', (_, changes) => afterCommits(changes, [`changed ${CART} grandTotal`]));

  it('but where it is there no more, it went to the copy', () =>
    afterCommits([copiedTo('src/cart.v1.ts'), removed], ['moved src/cart.v1.ts total']));

  const HELPER = 'export function helper(line: string): string {\n  return line.trim();\n}\n';
  it.each<[string, readonly Change[]]>([
    ['with its file', [copiedTo('src/cart.v1.ts'), ({ remove }) => remove(CART)]],
    [
      'in a commit before that of another function in its file',
      [copiedTo('src/cart.v1.ts'), removed, ({ write }) => write(CART, FORMAT + HELPER)],
    ],
  ])('also when it is removed %s', (_, changes) => afterCommits(changes, ['moved src/cart.v1.ts total']));

  it.each<[string, readonly Change[]]>([
    ['copied, rewritten under another name', [copiedTo('test/fixtures/cart.ts'), settled]],
    ['renamed, copied, rewritten', [renamedIn(CART), copiedTo('test/fixtures/cart.ts'), settled]],
    [
      'copied, rewritten in its file, which is renamed',
      [
        copiedTo('src/v1/cart.ts'),
        // With more that stays as it is, Git takes it for a rename.
        ({ write }) => write(CART, TOTAL + FORMAT + LINES),
        async ({ move, edit }) => {
          await move(CART, 'src/basket.ts');
          await edit('src/basket.ts', TOTAL, SETTLE);
        },
      ],
    ],
    [
      'copied, rewritten, and something else since',
      [copiedTo('src/v1/cart.ts'), settled, ({ write }) => write(CART, FORMAT)],
    ],
  ])('nor where it is rewritten: %s', (_, changes) => afterCommits(changes, ['gone']));

  it('also when it was renamed before', () =>
    afterCommits([renamedIn(CART), copiedTo('src/cart.v1.ts'), removed], ['moved src/cart.v1.ts grandTotal']));
});

describe('what came beside it while it stood is another one, and it is gone when it is removed later', () => {
  const OTHER = "export function total(): string {\n  return process.env.TOTAL ?? 'none';\n}\n";
  const REPORT = 'export class Report {\n  total(): string {\n    return this.lines.join();\n  }\n}\n';
  it.each<[string, readonly Change[]]>([
    ['one of its name in a new file', [({ write }) => write('src/report.ts', OTHER), removed]],
    ['one of its name in a file that was there', [({ write }) => write(TAX, VAT + OTHER), removed]],
    [
      'one of its name, and its file is removed',
      [({ write }) => write(TAX, VAT + OTHER), ({ remove }) => remove(CART)],
    ],
    ['one of its name, after it was renamed', [renamedIn(CART), ({ write }) => write(TAX, VAT + OTHER), removed]],
    [
      'one that is like it, in its file',
      [
        async ({ read, write }) => {
          const text = await read(CART);
          await write(CART, text + TOTAL.replace('total', 'totalAbroad').replace('- 25', '- shipping'));
        },
        ({ edit }) => edit(CART, TOTAL, ''),
      ],
    ],
    [
      'one of its last name, in its file',
      [({ write }) => write(CART, `${TOTAL}${FORMAT}${REPORT}`), ({ edit }) => edit(CART, TOTAL, '')],
    ],
    [
      'one that is like it and has its name, in another file',
      [({ write }) => write(TAX, `export class Tax {\n${TOTAL.replace('export function ', '')}}\n`), removed],
    ],
  ])('%s', (_, changes) => afterCommits(changes, ['gone']));
});

describe('a symbol that a commit took to another file is followed there', () => {
  it.each<[string, readonly Change[]]>([
    ['renamed, then edited', [moved, renamedIn(TAX), editedIn(TAX)]],
    ['edited, then renamed', [moved, editedIn(TAX), renamedIn(TAX)]],
    ['renamed before', [renamedIn(CART), moved, editedIn(TAX)]],
    [
      'copied from there before it is edited',
      [moved, renamedIn(TAX), async ({ read, write }) => write('src/tax.v1.ts', await read(TAX)), editedIn(TAX)],
    ],
  ])('%s', (_, changes) => afterCommits(changes, [`changed ${TAX} grandTotal`]));

  it('with its file, and again', () =>
    afterCommits(
      [
        renamedTo('src/basket.ts'),
        renamedIn('src/basket.ts'),
        editedIn('src/basket.ts'),
        renamedTo('src/checkout.ts', 'src/basket.ts'),
        ({ edit }) => edit('src/checkout.ts', 'function grandTotal', 'function sumUp'),
      ],
      ['changed src/checkout.ts sumUp'],
    ));

  it('also when a branch was merged that began before it was written', () =>
    withSources(async ({ git, read, write, edit, commit, remember, project }) => {
      git('branch', 'older');
      await write(CART, (await read(CART)) + TOTAL.replace('total', 'discounted'));
      commit();
      const id = await remember(`${CART}#discounted`);
      git('checkout', '-q', 'older');
      for (const one of ['1', '2', '3']) {
        await write(CART, `export const STEP_${one} = ${one};\n${await read(CART)}`);
        commit();
      }
      git('checkout', '-q', '-');
      git('merge', '-q', '--no-edit', 'older');
      await write(CART, (await read(CART)).replace(TOTAL.replace('total', 'discounted'), ''));
      await write(TAX, VAT + TOTAL.replace('total', 'discounted'));
      commit();
      await edit(TAX, 'function discounted', 'function grandTotal');
      commit();
      await edit(TAX, '- 25', '- 50');
      const [there] = await locateMemory(project.memory, id);
      expect(there?.now).toMatchObject({ verdict: 'changed', symbol: { file_path: TAX, name: 'grandTotal' } });
    }));

  it.each<[string, Change, Change, Change, readonly Change[]]>([
    [
      'another part of its old file was changed on a branch that was merged',
      moved,
      separated,
      separated,
      [renamedIn(TAX), ({ edit }) => edit(TAX, TOTAL.replace('function total', 'function grandTotal'), REWRITTEN)],
    ],
    [
      'it was renamed on a branch that was merged, and edited meanwhile',
      editedIn(CART),
      renamedIn(CART),
      ({ write }) =>
        write(CART, TOTAL.replace('function total', 'function grandTotal').replace('- 25', '- 50') + FORMAT),
      [({ write }) => write(CART, REWRITTEN + FORMAT)],
    ],
  ])('also when %s', async (_, here, onBranch, resolve, later) =>
    withSources(async (repository) => {
      const { git, commit, remember, project } = repository;
      let minutes = 0;
      const next = async (change: Change): Promise<void> => {
        await change(repository);
        vi.stubEnv('GIT_COMMITTER_DATE', new Date(Date.now() + ++minutes * 60_000).toISOString());
        commit();
      };
      const id = await remember(`${CART}#total`);
      git('branch', 'beside');
      await next(here);
      git('checkout', '-q', 'beside');
      await next(onBranch);
      git('checkout', '-q', '-');
      git('merge', '-q', '--no-commit', '-s', 'ours', 'beside');
      await next(resolve);
      for (const change of later) await next(change);
      const [there] = await locateMemory(project.memory, id);
      expect(there?.now).toMatchObject({ verdict: 'changed', symbol: { name: 'grandTotal' } });
    }).finally(() => vi.unstubAllEnvs()),
  );

  it('and is gone where that file has it no more', () =>
    afterCommits([moved, renamedIn(TAX), editedIn(TAX), ({ write }) => write(TAX, VAT)], ['gone']));
});

describe('what is cut out of one file and put into another one, as by hand', () => {
  it.each<[string, (repository: FollowedRepository, ...paths: string[]) => Promise<unknown>]>([
    ['is shown there by an editor', ({ refresh }, ...paths) => refresh(...paths)],
    ['is shown there after a build', ({ build }) => build()],
  ])('%s', (_, look) =>
    withSources(async (repository) => {
      const { remember, edit, commit, write, read, shown } = repository;
      const id = await remember(`${CART}#total`);
      await edit(CART, '- 25', '- 50');
      await look(repository, CART);
      commit();
      const text = await read(CART);
      await write(CART, FORMAT);
      await look(repository, CART);
      expect(await shown(id, true)).toEqual(['gone']);
      await write(TAX, VAT + text.replace(FORMAT, ''));
      await look(repository, TAX);
      expect(await shown(id, true)).toEqual([`${TAX} total changed`]);
      commit();
      expect(await shown(id, true)).toEqual([`${TAX} total changed`]);
    }),
  );
});

describe('what is deleted is told by a check, also when it was in doubt before', () => {
  it.each<[string, readonly Change[], Change, string]>([
    ['renamed, edited', [renamedIn(CART), editedIn(CART)], removed, `${CART} grandTotal`],
    ['moved, edited', [moved, editedIn(TAX)], ({ write }) => write(TAX, VAT), `${TAX} total`],
    [
      'renamed, edited, its file renamed',
      [renamedIn(CART), editedIn(CART), renamedTo('src/basket.ts')],
      ({ write }) => write('src/basket.ts', FORMAT),
      'src/basket.ts grandTotal',
    ],
  ])('%s', (_, changes, deletion, expected) =>
    withSources(async (repository) => {
      const { remember, commit, call } = repository;
      await remember(`${CART}#total`);
      for (const change of changes) {
        await change(repository);
        commit();
      }
      const checked = async (): Promise<string[]> => {
        const { memories } = await call<Check>('check', {});
        return memories.flatMap(({ symbols }) =>
          symbols.map(({ verdict, was }) => `${verdict} ${was.file_path} ${was.name}`),
        );
      };
      expect(await checked(), 'before it is').toEqual([]);
      await deletion(repository);
      expect(await checked(), 'when it is').toEqual([`gone ${expected}`]);
    }),
  );
});
