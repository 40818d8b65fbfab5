/** A symbol that gets another name and text while others have the last part of its name: a diff and the working files tell the same. */
import { expect, it } from 'vitest';
import { locateMemory } from '../../src/server/memory/verify';
import type { Check } from '../support/check-repository';
import { builtOnce, type FollowedRepository } from '../support/followed-repository';

const CACHED = `def cached(label):
    def decorate(work):
        def wrapper(*args):
            seen.append(label)
            return work(*args)
        return wrapper
    return decorate
`;
/** Little of the inner one is as in that one. */
const LIMITED = `def limited(most):
    def decorate(work):
        def wrapper(first, *rest):
            while len(waiting) > most:
                waiting.popleft().cancel()
            waiting.append(first)
            return [work(first, one) for one in rest]
        return wrapper
    return decorate
`;
const LOGGED = `def logged(work):
    def wrapper(*args):
        print('called', args)
        return work(*args)
    return wrapper
`;

function keeper(name: string, line: string): string {
  return `export class ${name} {
  run(jobs: readonly string[]): number {
    const each = (job: string): number => {
      ${line}
      return this.lengths.get(job) ?? this.fallback(job);
    };
    return jobs.map(each).reduce((sum, one) => sum + one, 0);
  }
}
`;
}
const READER = `export class Reader {
  run(path: string): string {
    return this.disk.read(path).trim();
  }
}
`;
const WROTE = 'this.written.add(job);';

/** A method with an inner function that calls another thing of the method's name. */
function store(name: string, method: string, line = 'known.push(key);'): string {
  return `export class ${name} {
  ${method}(keys: readonly string[]): string[] {
    const one = (key: string): string => {
      ${line}
      return this.under.load(key) ?? this.missing(key);
    };
    return keys.map(one).filter((text) => text !== '');
  }
}
`;
}

const withSources = builtOnce({
  'tools/calls.py': `${CACHED}\n${LOGGED}`,
  'src/writer.ts': `${READER}\n${keeper('Writer', WROTE)}`,
  'src/stores.ts': `${store('Cache', 'load')}\n${store('Repo', 'load', 'loaded.push(key);')}`,
  'src/reader.ts': READER.replace('.trim()', '.trimEnd()'),
});

interface Rewriting {
  readonly title: string;
  readonly about: string;
  readonly change: (repository: FollowedRepository) => Promise<void>;
  readonly expected: string;
}

const REWRITINGS: readonly Rewriting[] = [
  {
    title: 'an inner function, where an old one beside it has its last name',
    about: 'cached.decorate.wrapper',
    change: ({ edit }) => edit('tools/calls.py', CACHED, LIMITED),
    expected: 'changed limited.decorate.wrapper',
  },
  {
    title: 'a method whose class goes to another file under another name, where old classes have its last name',
    about: 'Writer.run',
    change: async ({ write }) => {
      await write('src/writer.ts', READER);
      await write('src/saver.ts', keeper('Saver', `${WROTE} this.count++;`));
    },
    expected: 'changed Saver.run',
  },
  {
    title: 'a method, where two files get a new one of its last name',
    about: 'Writer.run',
    change: async ({ write }) => {
      await write('src/writer.ts', READER);
      await write('src/saver.ts', keeper('Saver', `${WROTE} this.count++;`));
      await write('src/other.ts', keeper('Other', `${WROTE} this.all.push(job);`));
    },
    expected: 'gone',
  },
  {
    title: 'a method, beside one of another class that gets the same name and is as it was but for that',
    about: 'Repo.load',
    change: ({ write }) =>
      write('src/stores.ts', `${store('Cache', 'read')}\n${store('Repo', 'read', 'loaded.unshift(key);')}`),
    expected: 'changed Repo.read',
  },
];

it.each(REWRITINGS)('$title', ({ about, change, expected }) =>
  withSources(async (repository) => {
    const { remember, build, git, project, call } = repository;
    const id = await remember(about);
    const judged = async (): Promise<string[]> => {
      const located = await locateMemory(project.memory, id);
      return located.map(({ now: { verdict, symbol } }) => `${verdict}${symbol ? ` ${symbol.name}` : ''}`);
    };
    const checked = async (input: object): Promise<string[]> =>
      (await call<Check>('check', input)).memories.flatMap(({ symbols }) =>
        symbols.map(({ verdict, now }) => `${verdict}${now ? ` ${now.name}` : ''}`),
      );

    await change(repository);
    expect(await judged(), 'before it is seen').toEqual([expected]);
    expect(await checked({}), 'as a change').toEqual([expected]);
    git('add', '-A');
    expect(await checked({ staged: true }), 'as it is staged').toEqual([expected]);
    git('commit', '-m', 'rewritten');
    expect(await judged(), 'after a commit').toEqual([expected]);
    await build();
    expect(await judged(), 'after a build').toEqual([expected]);
    expect(await checked({ since: 'HEAD~1' }), 'since the commit before').toEqual([expected]);
  }),
);
