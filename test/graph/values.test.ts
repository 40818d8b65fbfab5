import { expect, it } from 'vitest';
import type { CodeLocation } from '../../src/server/memory/code/touches';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

const LIMITS = `const MOST_HOPS = 3;
export const limits = {
  depth() { return MOST_HOPS; },
};
export class Limits {
  depth() { return 1; }
}
export function walk() {
  return MOST_HOPS;
}
`;
const SOURCES = {
  'src/limits.ts': LIMITS,
  'src/other.ts': 'export const MOST_HOPS = 5;\nexport function other() {}\n',
  'src/limits.py': 'MOST_TRIES = 3\n\ndef run():\n    return MOST_TRIES\n',
};

/** What a memory is linked to: `path:line name`. */
async function placesOf({ call }: FollowedRepository, memory_id: string): Promise<string[]> {
  const places = await call<CodeLocation[]>('memory_to_code', { memory_id });
  return places.map(({ graph_node_id }) => graph_node_id).sort();
}

async function store({ call }: FollowedRepository, content: string, entities: string[], more = {}): Promise<string> {
  const input = { content, kind: 'fact', entities, ...more };
  return (await call<{ node_id: string }>('memory_store', input)).node_id;
}

async function inDoubt({ call }: FollowedRepository): Promise<string[]> {
  const { memories } = await call<{ memories: { id: string }[] }>('check', {});
  return memories.map(({ id }) => id);
}

it('a constant is code: a memory stands on it, and is doubted when its value changes', () =>
  withFollowedRepository(SOURCES, async (repository) => {
    await repository.build();
    const named = await store(repository, 'Three steps are enough', ['src/limits.ts#MOST_HOPS']);
    const held = await store(repository, 'It is three deep', ['src/limits.ts#limits.depth']);
    const python = await store(repository, 'Three times', ['src/limits.py#MOST_TRIES']);
    const other = await store(repository, 'Walks', ['src/limits.ts#walk']);
    expect(await placesOf(repository, named)).toEqual(['constant:src/limits.ts:MOST_HOPS:1']);
    expect(await placesOf(repository, held)).toEqual(['method:src/limits.ts:depth:3']);
    expect(await placesOf(repository, python)).toEqual(['constant:src/limits.py:MOST_TRIES:1']);
    expect(await repository.text('memory_for_code', { file_path: 'src/limits.ts', line: 1 })).toContain(
      '### constant MOST_HOPS (L1–1)',
    );
    await repository.edit('src/limits.ts', 'MOST_HOPS = 3', 'MOST_HOPS = 4');
    await repository.edit('src/limits.py', 'MOST_TRIES = 3', 'MOST_TRIES = 4');
    expect(await inDoubt(repository)).toEqual(expect.arrayContaining([named, python]));
    expect(await inDoubt(repository)).not.toContain(other);
    expect(await inDoubt(repository)).not.toContain(held);
    await repository.edit('src/limits.ts', 'return MOST_HOPS; }', 'return 4; }');
    expect(await inDoubt(repository)).toContain(held);
    await repository.edit('src/limits.ts', 'const MOST_HOPS = 4', 'let MOST_HOPS = 3');
    expect(await inDoubt(repository)).not.toContain(named);
  }));

it('a memory is about the constants that its text names in the files that it is about', () =>
  withFollowedRepository(SOURCES, async (repository) => {
    await repository.build();
    const WALK = 'function:src/limits.ts:walk:8';
    const MOST = 'constant:src/limits.ts:MOST_HOPS:1';
    const walk = await store(repository, 'walk() takes at most MOST_HOPS (3) steps', ['src/limits.ts#walk']);
    expect(await placesOf(repository, walk)).toEqual([MOST, WALK]);
    // Nor in other files, nor other definitions, nor words that any text has.
    const prose = await store(repository, 'The limits of Limits and walk are in a file', ['src/limits.ts#walk']);
    expect(await placesOf(repository, prose)).toEqual([WALK]);
    const quoted = await store(repository, 'What `limits` has is read once', ['src/limits.ts#walk']);
    expect(await placesOf(repository, quoted)).toEqual(['constant:src/limits.ts:limits:2', WALK]);
    expect(await placesOf(repository, await store(repository, 'MOST_HOPS is 3', ['hops']))).toEqual([]);
    // What takes its place is about what it says itself.
    const again = await store(repository, 'walk() takes MOST_HOPS steps or fewer', ['src/limits.ts#walk'], {
      supersedes: walk,
    });
    expect(await placesOf(repository, again)).toEqual([MOST, WALK]);
    const plain = await store(repository, 'walk() ends', ['src/limits.ts#walk'], { supersedes: again });
    expect(await placesOf(repository, plain)).toEqual([WALK]);
    const { imported } = await repository.call<{ imported: number }>('memory_import', {
      nodes: [{ kind: 'fact', content: 'MOST_HOPS bounds a walk', entities: ['src/limits.ts'], id: 'f_constant' }],
    });
    expect(imported).toBe(1);
    expect(await placesOf(repository, 'f_constant')).toContain(MOST);
    await repository.edit('src/limits.ts', 'MOST_HOPS = 3', 'MOST_HOPS = 4');
    expect(await inDoubt(repository)).toContain('f_constant');
  }));

it('one that was stored before its constant was there is about it from then on', () =>
  withFollowedRepository(SOURCES, async (repository) => {
    await repository.build();
    const id = await store(repository, 'walk() ends at MOST_STEPS', ['src/limits.ts#walk']);
    const whole = await store(repository, 'All of it ends at MOST_STEPS', ['./src/limits.ts']);
    expect(await placesOf(repository, id)).toEqual(['function:src/limits.ts:walk:8']);
    await repository.write('src/limits.ts', `${LIMITS}const MOST_STEPS = 9;\n`);
    await repository.refresh('src/limits.ts');
    expect(await placesOf(repository, id)).toEqual([
      'constant:src/limits.ts:MOST_STEPS:11',
      'function:src/limits.ts:walk:8',
    ]);
    expect(await placesOf(repository, whole)).toContain('constant:src/limits.ts:MOST_STEPS:11');
    repository.git('commit', '-qam', 'bound the walk');
    await repository.edit('src/limits.ts', 'MOST_STEPS = 9', 'MOST_STEPS = 8');
    expect(await inDoubt(repository)).toContain(id);
  }));

it('a value as short as a number is known by its name alone, whatever else it is made of', () =>
  withFollowedRepository(SOURCES, async (repository) => {
    await repository.build();
    const id = await store(repository, 'Three steps are enough', ['src/limits.ts#MOST_HOPS']);
    const change = async (from: string, to: string): Promise<boolean> => {
      await repository.edit('src/limits.ts', from, to);
      return (await inDoubt(repository)).includes(id);
    };
    // Another one took its place.
    expect(await change('const MOST_HOPS = 3', 'const FEWEST = 3')).toBe(true);
    expect(await change('const FEWEST = 3', 'const MOST_HOPS = 3')).toBe(false);
    expect(await change('MOST_HOPS = 3', 'MOST_HOPS = process.env.HOPS ?? three')).toBe(true);
    expect(await repository.shown(id, true)).toEqual(['src/limits.ts MOST_HOPS changed']);
    await repository.call('memory_verify', { node_id: id, status: 'confirm' });
    expect(await inDoubt(repository)).not.toContain(id);
    expect(await change('process.env.HOPS ?? three', 'Level.MOST')).toBe(true);
  }));

it('what takes the place of a memory is about the values that it names, and no others', () =>
  withFollowedRepository(
    { ...SOURCES, 'src/Limits.java': 'class Limits {\n  static final int MOST_HOPS = 3;\n  void walk() {}\n}\n' },
    async (repository) => {
      await repository.build();
      const [FILE, MOST] = ['file:src/limits.ts:limits.ts:1', 'constant:src/limits.ts:MOST_HOPS:1'];
      const whole = await store(repository, 'MOST_HOPS bounds the file', ['src/limits.ts']);
      expect(await placesOf(repository, whole)).toEqual([MOST, FILE]);
      const other = { supersedes: whole };
      expect(
        await placesOf(repository, await store(repository, 'Nothing bounds it', ['src/limits.ts'], other)),
      ).toEqual([FILE]);
      const java = await store(repository, 'MOST_HOPS bounds a walk', ['src/Limits.java#Limits.walk']);
      await repository.move('src/Limits.java', 'src/Bounds.java');
      repository.git('add', '-A');
      repository.git('commit', '-qm', 'rename');
      await repository.build();
      const again = await store(repository, 'MOST_HOPS bounds each walk', ['src/Limits.java#Limits.walk'], {
        supersedes: java,
      });
      expect(await placesOf(repository, again)).toEqual([
        'constant:src/Bounds.java:Limits.MOST_HOPS:2',
        'method:src/Bounds.java:Limits.walk:3',
      ]);
      // A name that means nothing yet does so in the one that takes its place, too.
      const early = await store(repository, 'MOST_HOPS and later', ['src/limits.ts#later']);
      await repository.edit(
        'src/limits.ts',
        'export function walk',
        'export function later() {}\nexport function walk',
      );
      const late = await store(repository, 'MOST_HOPS, and later', ['src/limits.ts#later'], { supersedes: early });
      expect(await placesOf(repository, late)).toEqual([MOST, 'function:src/limits.ts:later:8']);
    },
  ));

it('of a name that stands twice one may go, and is settled by a person', () =>
  withFollowedRepository({ 'src/mode.py': 'DEBUG = False\nDEBUG = True\n' }, async (repository) => {
    await repository.build();
    const id = await store(repository, 'Nothing is printed', ['src/mode.py#DEBUG']);
    await repository.write('src/mode.py', 'DEBUG = True\n');
    expect(await inDoubt(repository)).toEqual([id]);
    await repository.call('memory_verify', { node_id: id, status: 'confirm' });
    expect(await inDoubt(repository)).toEqual([]);
    await repository.write('src/mode.py', 'DEBUG = 2\n');
    expect(await inDoubt(repository)).toEqual([id]);
  }));
