/** A symbol that was renamed in a commit, and a helper that is taken out of it in a later one. */
import { expect, it } from 'vitest';
import { locateMemory } from '../../src/server/memory/verify';
import type { Check } from '../support/check-repository';
import { builtOnce, type FollowedRepository } from '../support/followed-repository';

const SETTINGS = `export function readSettings(text: string): Map<string, string> {
  const settings = new Map<string, string>();
  for (const line of text.split('\\n')) {
    if (line.startsWith('#')) continue;
    const at = line.indexOf('=');
    if (at === -1) throw new Error('no = in ' + line);
    const key = line.slice(0, at).trim();
    if (settings.has(key)) throw new Error('twice: ' + key);
    settings.set(key, line.slice(at + 1).trim());
  }
  return settings;
}
`;
const LINE = `const at = line.indexOf('=');
    if (at === -1) throw new Error('no = in ' + line);
    const key = line.slice(0, at).trim();
    if (settings.has(key)) throw new Error('twice: ' + key);
    settings.set(key, line.slice(at + 1).trim());
`;
const ADD_SETTING = `function addSetting(settings: Map<string, string>, line: string): void {
    ${LINE}}
`;
const CACHE = `export class Cache {
  get(key: string, now: number): string | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    if (now - entry.storedAt > this.most) return undefined;
    this.entries.set(key, entry);
    return entry.html;
  }
}
`;
const LOOKUP = `export class Cache {
  lookup(key: string, now: number): string | undefined {
    const entry = this.entries.get(key);
    return entry && this.refresh(key, entry, now);
  }

  private refresh(key: string, entry: Entry, now: number): string | undefined {
    this.entries.delete(key);
    if (now - entry.storedAt > this.most) return undefined;
    this.entries.set(key, entry);
    return entry.html;
  }
}
`;
const ROWS = `export function printRows(total: number, perPage: number): number[] {
  function pageStart(page: number): number {
    const start = page * perPage;
    if (start < 0) throw new RangeError('page ' + page);
    return Math.min(start, total);
  }
  const starts: number[] = [];
  for (let page = 0; page * perPage < total; page++) starts.push(pageStart(page));
  return starts;
}
`;
const STARTS = `export function printStarts(total: number, perPage: number): number[] {
  const starts: number[] = [];
  for (let page = 0; page * perPage < total; page++) starts.push(firstRow(page, perPage, total));
  return starts;
}

function firstRow(page: number, perPage: number, total: number): number {
  const start = page * perPage;
  if (start < 0) throw new RangeError('page ' + page);
  return Math.min(start, total);
}
`;

const withSources = builtOnce({ 'src/settings.ts': SETTINGS, 'src/cache.ts': CACHE, 'src/rows.ts': ROWS });

interface Extraction {
  readonly about: string;
  readonly path: string;
  readonly renamed: (text: string) => string;
  readonly extracted: (text: string) => string;
  readonly expected: string;
}

const withHelper = (text: string): string => `${text.replace(LINE, 'addSetting(settings, line);\n')}\n${ADD_SETTING}`;

const EXTRACTIONS: readonly Extraction[] = [
  {
    about: 'readSettings',
    path: 'src/settings.ts',
    renamed: (text) => text.replace('readSettings', 'parseSettings'),
    extracted: withHelper,
    expected: 'changed parseSettings',
  },
  {
    about: 'Cache.get',
    path: 'src/cache.ts',
    renamed: (text) => text.replace('get(key: string', 'lookup(key: string'),
    extracted: () => LOOKUP,
    expected: 'changed Cache.lookup',
  },
  {
    about: 'printRows.pageStart',
    path: 'src/rows.ts',
    renamed: (text) => text.replace('printRows', 'printStarts').replaceAll('pageStart', 'firstRow'),
    extracted: () => STARTS,
    expected: 'changed firstRow',
  },
];

/** What the commits since the tag did, as `<verdict>[ <name>]`. */
async function checkedSince({ call }: FollowedRepository): Promise<string[]> {
  const { memories } = await call<Check>('check', { since: 'before' });
  return memories.flatMap(({ symbols }) =>
    symbols.map(({ verdict, now }) => (now ? `${verdict} ${now.name}` : verdict)),
  );
}

it.each(EXTRACTIONS)('$about is where it was followed to', ({ about, path, renamed, extracted, expected }) =>
  withSources(async (repository) => {
    const { remember, build, read, write, move, commit, project, call, git } = repository;
    const id = await remember(about);
    git('tag', 'before');
    const judged = async (): Promise<string[]> => {
      const located = await locateMemory(project.memory, id);
      return located.map(({ now: { verdict, symbol } }) => `${verdict}${symbol ? ` ${symbol.name}` : ''}`);
    };

    await write(path, renamed(await read(path)));
    commit();
    await write(path, extracted(await read(path)));
    expect(await judged(), 'before the commit').toEqual([expected]);
    expect(await call<Check>('check', {})).toMatchObject({ memories: [{ id }] });
    commit();
    expect(await judged(), 'after it').toEqual([expected]);
    await build();
    expect(await checkedSince(repository), 'as a change of both commits').toEqual([expected]);
    await move(path, 'src/elsewhere.ts');
    commit();
    expect(await judged(), 'after its file was renamed').toEqual([expected]);
    expect(await checkedSince(repository), 'as a change of all three').toEqual([expected]);
    await call('memory_verify', { node_id: id, status: 'confirm' });
    expect(await checkedSince(repository), 'after somebody has confirmed it').toEqual([]);
  }),
);

it('a twin that stood there before is not what it was called', () =>
  withSources(async ({ remember, read, write, git, project }) => {
    const text = await read('src/settings.ts');
    await write('src/settings.ts', `${text}\n${text.replace('readSettings', 'twinOfIt')}`);
    git('add', '-A');
    git('commit', '-m', 'a twin');
    const id = await remember('readSettings');
    await write('src/settings.ts', text.replace('readSettings', 'twinOfIt'));
    git('commit', '-a', '-m', 'one goes');
    const located = await locateMemory(project.memory, id);
    expect(located.map(({ now: { verdict } }) => verdict)).toEqual(['gone']);
  }));

const CLOSE = `  close(): void {
    for (const socket of this.sockets) socket.end();
    this.sockets.clear();
    this.emit('closed', this.name);
  }
`;
const DISPOSE = CLOSE.replace('close()', 'dispose()');
const TIMER = `export class Timer {
  dispose(): void {
    clearTimeout(this.handle);
  }
}
`;
const classOf = (name: string, ...methods: readonly string[]): string =>
  `export class ${name} {\n${methods.join('\n')}}\n`;
const POOL = 'src/pools.ts';

const withTwins = builtOnce({ [POOL]: classOf('Pool', CLOSE, DISPOSE) });

it.each<{ title: string; change: (repository: FollowedRepository) => Promise<void>; expected: string }>([
  {
    title: 'its own name in another file, where its own file gets something of the name of its twin',
    change: async ({ write }) => {
      await write(POOL, `${classOf('Pool', DISPOSE)}\n${TIMER}`);
      await write('src/pool.ts', classOf('Pool', CLOSE.replace('this.name', 'this.name, Date.now()')));
    },
    expected: 'changed Pool.close',
  },
  {
    title: 'nowhere, where something of the name of its twin comes in a later commit',
    change: async ({ write, commit }) => {
      await write(POOL, classOf('Pool', DISPOSE));
      commit();
      await write(POOL, `${classOf('Pool', DISPOSE)}\n${TIMER}`);
    },
    expected: 'gone',
  },
])('what has a twin is found by $title', ({ change, expected }) =>
  withTwins(async (repository) => {
    const { remember, git, commit, project } = repository;
    const id = await remember('Pool.close');
    git('tag', 'before');
    await change(repository);
    commit();
    const located = await locateMemory(project.memory, id);
    expect(located.map(({ now: { verdict, symbol } }) => (symbol ? `${verdict} ${symbol.name}` : verdict))).toEqual([
      expected,
    ]);
    expect(await checkedSince(repository)).toEqual([expected]);
  }),
);
