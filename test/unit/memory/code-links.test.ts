import { describe, expect, it } from 'vitest';
import { matchOlderMemories, namesWithoutLink } from '../../../src/server/memory/code/link-older';
import { linksAround } from '../../../src/server/memory/code/links-around';
import { memoriesAround } from '../../../src/server/memory/code/memories-around-diff';
import { type FileMemories, memoriesForCode } from '../../../src/server/memory/code/memories-of-file';
import type { CodeIndex } from '../../../src/server/memory/code/touches';
import { testCode } from '../../support/code-index';
import { type MemoryTest, NOON, withMemory } from '../../support/memory';

const store = async ({ ok }: MemoryTest, ...entities: string[]): Promise<string> =>
  (await ok<{ node_id: string }>('memory_store', { content: 'it', kind: 'fact', entities })).node_id;

/** A project in which each of these names is that of a function, by a path. */
function codeWith(path: string, ...names: string[]) {
  const code = testCode();
  code.write(
    path,
    NOON,
    names.map((name, i) => ({ name, text: name, from: i + 1, to: i + 1 })),
  );
  return code;
}

/** The names of memories that were stored before, and that lead to code now that these names are new in it. */
async function ledLater(entities: readonly string[], brought: readonly string[]): Promise<string[]> {
  const code: { now: CodeIndex } = { now: testCode() };
  const index: CodeIndex = { ...testCode(), match: (names) => code.now.match(names) };
  let led: string[] = [];
  await withMemory(
    async (test) => {
      for (const entity of entities) await store(test, entity);
      code.now = codeWith('src/a.ts', ...entities);
      led = [...(await matchOlderMemories(test.memory, new Set(brought))).keys()];
    },
    { code: index },
  );
  return led.sort();
}

describe('memories that were stored before their code', () => {
  it('are looked up by the names that are new, and by no others', async () => {
    expect(await ledLater(['openFile', 'closeFile', '#hidden'], ['openFile', '#secret'])).toEqual(['openFile']);
  });

  it('are found by a path in both of its spellings, and by all that they name in a file that has new names', async () => {
    expect(await ledLater(['src/a.ts', './src/a.ts', 'src/b.ts'], ['src/a.ts'])).toEqual(['./src/a.ts', 'src/a.ts']);
    expect(await ledLater(['src/a.ts#x.run', './src/a.ts#y.run'], ['src/a.ts#run'])).toEqual([
      './src/a.ts#y.run',
      'src/a.ts#x.run',
    ]);
    expect(await ledLater(['x#y.run', 'z#y.run'], ['x#run'])).toEqual(['x#y.run']);
  });

  it('are not looked at for a name that has led them to the code of another one', () => {
    const code = codeWith('src/a.ts', 'Job.run', 'Other.run');
    const [job, other] = ['Job.run', 'Other.run'];
    const match: CodeIndex['match'] = async (names) => {
      const [[, [symbol] = []] = []] = await code.match([first ? job : other]);
      return new Map(symbol ? names.filter((name) => name.includes('#')).map((name) => [name, [symbol]]) : []);
    };
    let first = true;
    return withMemory(
      async (test) => {
        // What another entity is called says nothing of this link.
        await test.ok('memory_import', { nodes: [{ kind: 'entity', content: 'The runner', aliases: ['run'] }] });
        await store(test, 'src/a.ts#exports.run');
        first = false;
        expect(await matchOlderMemories(test.memory, new Set(['src/a.ts#run']))).toEqual(new Map());
      },
      { code: { ...code, match } },
    );
  });
});

it('a name with a path has led no memory to code in another file', () => {
  expect(namesWithoutLink(['x#run', 'run()'], [['y', 'run']])).toEqual(['x#run']);
  // But where no name means that code any more, this one did: its file is called otherwise since.
  expect(namesWithoutLink(['x#run'], [['y', 'run']])).toEqual([]);
  expect(
    namesWithoutLink(
      ['x#run', 'x#stop'],
      [
        ['y', 'run'],
        ['y', 'run'],
      ],
    ),
  ).toEqual(['x#stop']);
  expect(namesWithoutLink(['src/x.ts', 'src/later.ts#run'], [['src/y.ts', 'y.ts']])).toEqual(['src/later.ts#run']);
  expect(namesWithoutLink(['x#run'], [['x', 'run']])).toEqual([]);
  expect(namesWithoutLink(['x#run'], [['x', 'Job.run']])).toEqual([]);
});

it('a symbol that came into a file concerns its own memories, not those of its neighbours and twins', () => {
  const code = codeWith('src/old.ts', 'openFile', 'closeFile');
  const now = { file_path: 'src/new.ts', code_type: 'function', name: 'openFile' };
  const was = { ...now, file_path: 'src/old.ts', hash: 'hash of openFile' };
  return withMemory(
    async (test) => {
      const id = await store(test, 'openFile');
      await store(test, 'closeFile');
      code.write('src/twin.ts', NOON, [{ name: 'twin', text: 'openFile', from: 1, to: 1 }]);
      await store(test, 'twin()');
      code.write('src/old.ts', NOON, [{ name: 'closeFile', text: 'closeFile', from: 1, to: 1 }]);
      code.write('src/new.ts', NOON, [{ name: 'openFile', text: 'openFile', from: 1, to: 1 }]);
      code.write('src/twin.ts', NOON, []);
      const found = await memoriesAround(test.memory, { paths: ['src/new.ts'], brought: [], base: '' }, []);
      expect(found.map((one) => [one.id, one.last])).toMatchObject([[id, now]]);
      const { links, parameters } = await linksAround(test.memory, 'src/new.ts', []);
      const around = await test.memory.sql.all(
        `SELECT t.name FROM (${links}) AS around CROSS JOIN mem_links AS t ON t.id = around.id`,
        parameters,
      );
      expect(around).toEqual([{ name: 'openFile' }]);
    },
    { code: { ...code, cameTo: async () => [{ was, now }] } },
  );
});

it('Git is asked once, whatever number of files is not there any more, and about none where all are', () => {
  const code = codeWith('src/a.ts', 'openFile');
  const asked: unknown[] = [];
  const pathsAt: CodeIndex['pathsAt'] = async (commit, files) => {
    asked.push([commit, ...files]);
    return files.map(([, path]) => (path === 'src/b.ts' ? 'src/new.ts' : path));
  };
  return withMemory(
    async (test) => {
      const around = { paths: ['src/new.ts'], brought: [], base: 'base' };
      code.write('src/b.ts', NOON, [{ name: 'closeFile', text: 'closeFile', from: 1, to: 1 }]);
      await store(test, 'openFile');
      const id = await store(test, 'closeFile');
      await store(test, 'closeFile', 'openFile');
      expect(await memoriesAround(test.memory, around, [])).toEqual([]);
      expect(asked).toEqual([]);
      code.remove('src/a.ts');
      code.remove('src/b.ts');
      const found = await memoriesAround(test.memory, around, []);
      expect(asked).toEqual([['base', ['commit', 'src/a.ts'], ['commit', 'src/b.ts']]]);
      expect(found.map(({ touch }) => `${touch.file_path} ${touch.name}`)).toEqual(
        Array(2).fill('src/new.ts closeFile'),
      );
      expect(found[0]).toMatchObject({ id, isGone: true, last: undefined });
    },
    { code: { ...code, commit: () => 'commit', pathsAt } },
  );
});

it('a memory that is linked to a symbol is no weak one there, though an everyday word of it leads there, too', () => {
  const code = codeWith('src/a.ts', 'connect', 'close');
  return withMemory(
    async (test) => {
      const id = await store(test, 'connect()', 'open');
      code.write('src/a.ts', NOON, [{ name: 'open', text: 'connect', from: 1, to: 1 }]);
      const { symbols }: FileMemories = await memoriesForCode(test.memory, 'src/a.ts', undefined);
      expect(symbols.map(({ name }) => name)).toEqual(['open']);
      expect(symbols[0]?.memories).toMatchObject([{ id, verdict: 'moved' }]);
      expect(symbols[0]?.memories[0]).not.toHaveProperty('weak');
    },
    { code },
  );
});
