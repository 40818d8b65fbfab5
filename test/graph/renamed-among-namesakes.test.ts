/** A symbol that is renamed while other things in it keep its old name, or have had the new one before. */
import { expect, it, vi } from 'vitest';
import type { SourceThread, SourceThreadTask } from '../../src/server/graph/source-thread';
import { lensesForFile } from '../../src/server/memory/code/lenses';
import { checkStaleness } from '../../src/server/memory/code/staleness';
import type { Check } from '../support/check-repository';
import { builtOnce, type FollowedRepository, THREADS } from '../support/followed-repository';

const TOKENS = `export class TokenCache {
  private entries = new Map<string, number>();

  get(source: string): number | undefined {
    const known = this.entries.get(source);
    return known === undefined ? undefined : known + this.entries.size;
  }

  fetch(source: string): number {
    return this.entries.get(source) ?? this.parent.fetch(source) ?? this.entries.size;
  }

  #sum(first: number): number {
    return this.entries.size === 0 ? first : this.#sum(first + this.entries.size);
  }

  size(): number {
    return this.entries.size;
  }
}

export function parse(text: string): unknown {
  const read = JSON.parse(text);
  return Array.isArray(read) ? read.map(String) : read;
}
`;
const COUNTS = `class Counts:
    def __init__(self):
        self.entries = {}

    def get(self, word):
        found = self.entries.get(word, 0)
        return found + len(self.entries)
`;
const TWINS = `export class First {
  get(key: string) {
    return this.entries.get(key) ?? this.entries.get('first');
  }
}

export class Second {
  get(key: string) {
    return this.entries.get(key) ?? this.entries.get('first');
  }
}
`;

const BAG = `class Bag
  def empty?(kind)
    @things.select { |one| one.kind == kind }.empty?
  end
end
`;

const SOURCES = { 'src/bag.rb': BAG, 'src/tokens.ts': TOKENS, 'src/counts.py': COUNTS, 'src/twins.ts': TWINS };
const withSources = builtOnce(SOURCES);

interface Renaming {
  readonly title: string;
  readonly path?: string;
  readonly about: string;
  /** Pieces of the file, and what takes their place. */
  readonly edits: readonly (readonly [string, string])[];
  readonly expected: string;
}

const GET: Renaming = {
  title: 'a method whose body calls another thing of its name',
  about: 'TokenCache.get',
  edits: [['  get(source', '  lookup(source']],
  expected: 'TokenCache.lookup moved',
};

const RENAMINGS: readonly Renaming[] = [
  GET,
  {
    title: 'a method in Python',
    path: 'src/counts.py',
    about: 'Counts.get',
    edits: [['def get(', 'def count(']],
    expected: 'Counts.count moved',
  },
  {
    title: 'a function',
    about: 'parse()',
    edits: [['function parse(', 'function readAll(']],
    expected: 'readAll moved',
  },
  {
    title: 'a method that gets the name of what it calls, as does one of its own calls',
    about: 'TokenCache.fetch',
    edits: [
      ['  get(source', '  other(source'],
      ['  fetch(source', '  get(source'],
      ['parent.fetch(', 'parent.get('],
    ],
    expected: 'TokenCache.get moved',
  },
  {
    title: 'a private method',
    about: 'src/tokens.ts#TokenCache.#sum',
    edits: [
      ['  #sum(', '  #total('],
      ['this.#sum(', 'this.#total('],
    ],
    expected: 'TokenCache.#total moved',
  },
  {
    title: 'a private method that becomes a public one',
    about: 'src/tokens.ts#TokenCache.#sum',
    edits: [
      ['  #sum(', '  sum('],
      ['this.#sum(', 'this.sum('],
    ],
    expected: 'TokenCache.sum moved',
  },
  {
    title: 'a method whose name ends in a mark, in Ruby',
    path: 'src/bag.rb',
    about: 'src/bag.rb#Bag.empty?',
    edits: [['def empty?', 'def bare?']],
    expected: 'Bag.bare? moved',
  },
  {
    title: 'a method whose class is renamed as well',
    about: 'TokenCache.get',
    edits: [...GET.edits, ['class TokenCache', 'class Tokens']],
    expected: 'Tokens.lookup moved',
  },
  {
    title: 'a tiny method, which is the same in its file',
    about: 'TokenCache.size',
    edits: [['  size()', '  count()']],
    expected: 'TokenCache.count moved',
  },
  {
    title: 'one that is changed as well stays in doubt',
    about: 'TokenCache.get',
    edits: [...GET.edits, ['known + this', 'known - this']],
    expected: 'TokenCache.lookup changed',
  },
  {
    title: 'one that calls another method now stays in doubt',
    about: 'TokenCache.get',
    edits: [...GET.edits, ['this.entries.get(source);', 'this.entries.find(source);']],
    expected: 'TokenCache.lookup changed',
  },
  {
    title: 'one that is not renamed, and calls another method now, stays in doubt',
    about: 'TokenCache.get',
    edits: [['this.entries.get(source);', 'this.entries.lookup(source);']],
    expected: 'TokenCache.get changed',
  },
  {
    title: 'a new method with its text, where something else has its name, is another one',
    about: 'TokenCache.get',
    edits: [['  get(source', '  get(): number {\n    return this.entries.size;\n  }\n\n  lookup(source']],
    expected: 'TokenCache.get changed',
  },
  {
    title: 'of two that are the same, neither is taken for it',
    path: 'src/twins.ts',
    about: 'First.get',
    edits: [
      ['  get(key', '  lookup(key'],
      ['  get(key', '  lookup(key'],
    ],
    expected: 'gone',
  },
];

/** As lists tell it: `name verdict`. */
async function told({ shown }: FollowedRepository, id: string, path: string): Promise<string[]> {
  return (await shown(id, true)).map((one) => one.replace(`${path} `, ''));
}

it.each(RENAMINGS)('$title', ({ path = 'src/tokens.ts', about, edits, expected }) =>
  withSources(async (repository) => {
    const { remember, edit, read, write, refresh, build, git, project, call } = repository;
    const id = await remember(about);
    const before = await read(path);
    for (const [from, to] of edits) await edit(path, from, to);
    const after = await read(path);
    const [verdict] = expected.split(' ').slice(-1);
    const checked = async (input: object): Promise<string[]> =>
      (await call<Check>('check', input)).memories.map((one) => one.verdict);
    const doubt = verdict === 'moved' ? [] : [verdict];

    await write(path, before);
    const lenses = await lensesForFile(project.memory, path, after);
    const lens = lenses.find(({ node_ids }) => node_ids.includes(id));
    expect(lens?.verdict === 'gone' ? 'gone' : `${lens?.name} ${lens?.verdict}`, 'while it is not saved').toBe(
      expected,
    );

    await write(path, after);
    expect(await told(repository, id, path), 'before it is seen').toEqual([expected]);
    expect(await checked({}), 'as a change').toEqual(doubt);
    await refresh('src');
    expect(await told(repository, id, path), 'after it was saved').toEqual([expected]);
    git('add', '-A');
    expect(await checked({ staged: true }), 'as it is staged').toEqual(doubt);
    git('commit', '-m', 'renamed');
    await build();
    expect(await told(repository, id, path), 'after a commit').toEqual([expected]);
    expect(await checked({}), 'after a commit').toEqual([]);
    expect(await checked({ since: 'HEAD~1' }), 'since the commit before').toEqual(doubt);
  }),
);

it('is found in a file that is renamed as well', () =>
  withSources(async (repository) => {
    const { remember, edit, git, call, build } = repository;
    const id = await remember('TokenCache.get');
    git('mv', 'src/tokens.ts', 'src/words.ts');
    await edit('src/words.ts', '  get(source', '  lookup(source');
    git('add', '-A');
    expect((await call<Check>('check', { staged: true })).memories).toEqual([]);
    await build();
    expect(await told(repository, id, 'src/words.ts')).toEqual(['TokenCache.lookup moved']);
    git('commit', '-m', 'renamed');
    expect(await told(repository, id, 'src/words.ts')).toEqual(['TokenCache.lookup moved']);
  }));

it('is what a diff renames once more, or changes, after it was renamed', () =>
  withSources(async ({ remember, edit, git, call }) => {
    await remember('TokenCache.get');
    await edit('src/tokens.ts', '  get(source', '  lookup(source');
    git('commit', '-am', 'renamed');
    await edit('src/tokens.ts', '  lookup(source', '  find(source');
    expect((await call<Check>('check', {})).memories).toEqual([]);
    await edit('src/tokens.ts', 'known + this', 'known - this');
    expect((await call<Check>('check', {})).memories).toMatchObject([{ verdict: 'changed' }]);
    await edit('src/tokens.ts', '  find(source', '  lookup(source');
    expect((await call<Check>('check', {})).memories).toMatchObject([{ verdict: 'changed' }]);
  }));

it('is no change of what a branch brought, linked and renamed', () =>
  withSources(async ({ remember, write, edit, git, call, build }) => {
    git('checkout', '-b', 'feature');
    await write('src/more.ts', TOKENS.replace('TokenCache', 'MoreCache'));
    git('add', '-A');
    git('commit', '-m', 'more');
    await build();
    await remember('MoreCache.get');
    await edit('src/more.ts', '  get(source', '  lookup(source');
    git('commit', '-am', 'renamed');
    expect((await call<Check>('check', { since: 'main' })).memories).toEqual([]);
    await edit('src/more.ts', 'known + this', 'known - this');
    git('commit', '-am', 'changed');
    expect((await call<Check>('check', { since: 'main' })).memories).toMatchObject([{ verdict: 'changed' }]);
  }));

/** The texts that are taken apart for the names that symbols had, while this works; all in vain where it is to take too long. */
async function askedIn(work: () => Promise<void>, tooLong = false): Promise<readonly string[]> {
  const asked: string[] = [];
  const spies = THREADS.threads.map((thread) => {
    const ask: SourceThread['ask'] = thread.ask.bind(thread);
    return vi.spyOn(thread, 'ask').mockImplementation(async (task: SourceThreadTask) => {
      if (!('options' in task) || task.options?.former === undefined) return ask(task);
      asked.push(task.text);
      return tooLong ? { extracted: 'takes too long' } : ask(task);
    });
  });
  await work().finally(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return asked;
}

const MANY = Array.from({ length: 12 }, (_, i) => `part${i}`);
const PARTS = `class Parts:
${MANY.map((name) => `    def ${name}(self, word):\n        return self.under.${name}(word) + self.under.size(word, 1)\n`).join('\n')}`;

it('is looked for once in a file, however many of its symbols are gone', () =>
  withSources(async ({ remember, write, git, call, build, project }) => {
    await write('src/parts.py', PARTS);
    git('add', '-A');
    git('commit', '-m', 'parts');
    await build();
    for (const name of MANY) await remember(`Parts.${name}`);
    const checked = async (questions: number, verdicts: readonly string[]): Promise<void> => {
      const asked = await askedIn(async () => {
        const { memories } = await call<Check>('check', {});
        expect(memories.map(({ verdict }) => verdict)).toEqual(verdicts);
      });
      expect(asked).toHaveLength(questions);
    };
    const gone = MANY.map(() => 'gone');

    // Another thing stands twice in what is left.
    await write('src/parts.py', 'def other(word):\n    return word.other(word) + word.partial\n');
    await checked(1, gone);
    expect(
      await askedIn(async () => expect((await checkStaleness(project.memory)).doubts).toHaveLength(MANY.length)),
    ).toHaveLength(1);

    // In this one nothing has a name that is looked for: `part1` is in no word.
    await write('src/parts.py', 'def other(word):\n    return word.another + word.part1x + word.others\n');
    await checked(0, gone);

    await write('src/parts.py', PARTS.replace('def part0(', 'def first(').replace('def part7(', 'def other('));
    await checked(1, []);
  }));

it('is not judged while it takes too long to find out', () =>
  withSources(async ({ remember, edit, call, project }) => {
    await remember('TokenCache.get');
    await edit('src/tokens.ts', '  get(source', '  lookup(source');
    const asked = await askedIn(async () => {
      expect(await call<Check>('check', {})).toMatchObject({ memories: [], not_judged: ['src/tokens.ts'] });
      expect((await checkStaleness(project.memory)).doubts).toMatchObject([{ verdict: 'not judged' }]);
    }, true);
    expect(asked.length).toBeGreaterThan(0);
    expect(await call<Check>('check', {})).toMatchObject({ memories: [], not_judged: [] });
    expect((await checkStaleness(project.memory)).doubts).toMatchObject([{ verdict: 'moved' }]);
    await edit('src/tokens.ts', 'known + this', 'known - this');
    expect((await call<Check>('check', {})).memories).toMatchObject([{ verdict: 'changed' }]);
  }));
