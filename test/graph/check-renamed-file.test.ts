/** A change of code whose file has got another name since a memory was kept on it. */
import { expect, it } from 'vitest';
import type { Check } from '../support/check-repository';
import { builtOnce, type FollowedRepository } from '../support/followed-repository';

const GET = `  get(key: string, now = Date.now()): string | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    if (now - entry.storedAt > 60_000) return undefined;
    this.entries.set(key, entry);
    return entry.html;
  }
`;
const LOOKUP = GET.replace('get(key: string', 'lookup(key: string');
const EXTRACTED = `  lookup(key: string, now = Date.now()): string | undefined {
    const entry = this.entries.get(key);
    return entry && this.refresh(key, entry, now);
  }

  private refresh(key: string, entry: Entry, now: number): string | undefined {
    this.entries.delete(key);
    if (now - entry.storedAt > 60_000) return undefined;
    this.entries.set(key, entry);
    return entry.html;
  }
`;
const CACHE = `interface Entry {
  html: string;
  storedAt: number;
}

export class FragmentCache {
  private entries = new Map<string, Entry>();

${GET}
  set(key: string, html: string, now = Date.now()) {
    this.entries.delete(key);
    this.entries.set(key, { html, storedAt: now });
  }

  clear() {
    this.entries.clear();
  }
}
`;
const [OLD, NEW, NEWEST] = ['src/fragment-cache.ts', 'src/html-cache.ts', 'src/cache/html.ts'];

const withCache = builtOnce({ [OLD]: CACHE });

interface Kept extends FollowedRepository {
  /** `<verdict> <what it was> [→ <what it is>]` of each symbol. */
  found(input?: object): Promise<string[]>;
}

/** Keeps a memory on `FragmentCache.get`. */
function withKept(work: (kept: Kept) => Promise<void>): Promise<void> {
  return withCache(async (repository) => {
    const { call, remember } = repository;
    await remember(`${OLD}#FragmentCache.get`);
    await work({
      ...repository,
      async found(input = {}) {
        const { memories } = await call<Check>('check', input);
        return memories.flatMap(({ symbols }) =>
          symbols.map(
            ({ verdict, was, now }) => `${verdict} ${was.name}${now ? ` → ${now.file_path} ${now.name}` : ''}`,
          ),
        );
      },
    });
  });
}

type Step = (kept: Kept) => Promise<void>;

const method: Step = ({ edit }) => edit(OLD, GET, LOOKUP);
const file: Step = ({ move }) => move(OLD, NEW);
const both = [method, file];

it.each<{ title: string; before?: readonly Step[]; change: Step; expected: string }>([
  { title: 'is removed', change: ({ edit }) => edit(NEW, LOOKUP, ''), expected: 'gone FragmentCache.lookup' },
  {
    title: 'has a part taken out of it',
    change: ({ edit }) => edit(NEW, LOOKUP, EXTRACTED),
    expected: `changed FragmentCache.lookup → ${NEW} FragmentCache.lookup`,
  },
  {
    title: 'is rewritten',
    change: ({ edit }) => edit(NEW, '60_000', '90_000'),
    expected: `changed FragmentCache.lookup → ${NEW} FragmentCache.lookup`,
  },
  { title: 'goes with its file', change: ({ remove }) => remove(NEW), expected: 'gone FragmentCache.lookup' },
  {
    title: 'is removed while its file gets a third name',
    change: async ({ edit, move }) => {
      await edit(NEW, LOOKUP, '');
      await move(NEW, NEWEST);
    },
    expected: 'gone FragmentCache.lookup',
  },
  {
    title: 'is removed after its file was renamed twice',
    before: [...both, ({ move }) => move(NEW, NEWEST)],
    change: ({ edit }) => edit(NEWEST, LOOKUP, ''),
    expected: 'gone FragmentCache.lookup',
  },
  {
    title: 'is removed after its file was renamed first',
    before: [file, ({ edit }) => edit(NEW, GET, LOOKUP)],
    change: ({ edit }) => edit(NEW, LOOKUP, ''),
    expected: 'gone FragmentCache.lookup',
  },
  {
    title: 'was in doubt after its file was renamed, and is removed',
    before: [file, ({ edit }) => edit(NEW, '60_000', '90_000')],
    change: ({ edit }) => edit(NEW, GET.replace('60_000', '90_000'), ''),
    expected: 'gone FragmentCache.get',
  },
])('tells of a method that $title', ({ before = both, change, expected }) =>
  withKept(async (kept) => {
    const { found, git, build, commit } = kept;
    for (const step of before) {
      await step(kept);
      commit();
    }
    expect(await found()).toEqual([]);
    await change(kept);
    expect(await found()).toEqual([expected]);
    git('add', '-A');
    expect(await found({ staged: true })).toEqual([expected]);
    await build();
    expect(await found({ staged: true })).toEqual([expected]);
    commit();
    expect(await found()).toEqual([]);
    expect(await found({ since: 'HEAD~1' })).toEqual([expected]);
  }),
);

it('tells of it also where the graph has followed it before', () =>
  withKept(async (kept) => {
    for (const step of both) {
      await step(kept);
      await kept.build();
      kept.commit();
    }
    await kept.edit(NEW, LOOKUP, '');
    await kept.refresh(NEW);
    expect(await kept.found()).toEqual(['gone FragmentCache.lookup']);
  }));

it('tells of a branch that renames the file, then removes what was renamed before, and then the file', () =>
  withKept(async (kept) => {
    const { git, edit, move, remove, commit, found } = kept;
    await method(kept);
    commit();
    await move(OLD, NEW);
    commit();
    git('checkout', '--quiet', '-b', 'feature');
    await move(NEW, NEWEST);
    commit();
    await edit(NEWEST, LOOKUP, '');
    commit();
    expect(await found({ since: 'main' })).toEqual(['gone FragmentCache.lookup']);
    await remove(NEWEST);
    commit();
    expect(await found({ since: 'main' })).toEqual(['gone FragmentCache.lookup']);
    expect(await found({ since: 'HEAD~1' })).toEqual([]);
  }));

it('lays nothing of it to a change that leaves it, moves it, or comes after it has gone', () =>
  withKept(async (kept) => {
    const { edit, write, found, commit } = kept;
    for (const step of both) {
      await step(kept);
      commit();
    }
    await edit(NEW, 'this.entries.clear();', 'this.entries = new Map();');
    expect(await found()).toEqual([]);
    await edit(NEW, LOOKUP, '');
    await write('src/apart.ts', `export class FragmentCache {\n${LOOKUP}}\n`);
    expect(await found()).toEqual([]);
    await write('src/apart.ts', 'export const apart = 1;\n');
    expect(await found()).toEqual(['gone FragmentCache.lookup']);
    commit();
    await edit(NEW, 'this.entries = new Map();', '// Nothing.');
    expect(await found()).toEqual([]);
  }));

it('follows a file from commit to commit where another one has taken its path since', () => {
  const old = CACHE.replace('60_000', '30_000');
  return withKept(async ({ write, move, edit, git, commit, found, call, remember }) => {
    await write(NEW, old);
    commit();
    git('tag', 'before');
    await remember(`${NEW}#FragmentCache.get`);
    await move(NEW, NEWEST);
    commit();
    await move(OLD, NEW);
    commit();
    // By its path the second one is in the file that is there now.
    expect(await found({ since: 'before' })).toEqual([`changed FragmentCache.get → ${NEW} FragmentCache.get`]);
    await edit(NEW, '60_000', '90_000');
    const { memories } = await call<Check>('check', { since: 'before' });
    expect(
      memories.map(({ symbols }) => symbols.map(({ now }) => `${now?.file_path} ${now?.name}`)),
      'of both',
    ).toEqual([[`${NEW} FragmentCache.get`], [`${NEW} FragmentCache.get`]]);
  });
});
