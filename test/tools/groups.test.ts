import { expect, it } from 'vitest';
import type { MemoryGroup } from '../../src/server/memory/people/memory-groups';
import { testCode } from '../support/code-index';
import { bringAsFile } from '../support/imports';
import { type MemoryTest, withMemory } from '../support/memory';

const CODE = testCode();
CODE.write('src/store.ts', 1, [{ name: 'open', text: 'open it', from: 1, to: 2 }]);
CODE.write('src/other.ts', 1, [{ name: 'close', text: 'close it', from: 1, to: 2 }]);

async function fill({ ok }: MemoryTest): Promise<void> {
  await ok('memory_store', { content: 'Opening is lazy', kind: 'decision', entities: ['open()'] });
  await ok('memory_store', { content: 'Opening logs', kind: 'fact', entities: ['open()'] });
  await ok('memory_store', { content: 'Both are sync', kind: 'fact', entities: ['open()', 'close()'] });
  await ok('memory_store', { content: 'On no code', kind: 'preference', entities: ['team'] });
  const { node_id } = await ok<{ node_id: string }>('memory_store', { content: 'Opening is eager', kind: 'fact' });
  await ok('memory_verify', { node_id, status: 'refute' });
}

it('counts what is valid now by kind, in the order of kinds, and by file, each memory once', () =>
  withMemory(
    async (test) => {
      await fill(test);
      const groups = (input: object): Promise<MemoryGroup[]> => test.ok('groups', input);
      expect(await groups({ by: 'kind' })).toEqual([
        { name: 'fact', memories: 2 },
        { name: 'decision', memories: 1 },
        { name: 'preference', memories: 1 },
      ]);
      expect(await groups({ by: 'kind', closed: true })).toContainEqual({ name: 'fact', memories: 3 });
      expect(await groups({ by: 'file' })).toEqual([
        { name: 'src/other.ts', memories: 1 },
        { name: 'src/store.ts', memories: 3 },
        { name: '', memories: 1 },
      ]);
      expect(await groups({ by: 'file', letters: 'opening', kinds: ['fact'] })).toEqual([
        { name: 'src/store.ts', memories: 1 },
      ]);
      expect(await groups({ by: 'kind', symbol: 'clos' })).toEqual([{ name: 'fact', memories: 1 }]);
      await expect(test.ok('groups', { by: 'colour' })).rejects.toThrow('by');
    },
    { code: CODE },
  ));

it('finds by file and symbol also what was stored with a name that no code has', () =>
  withMemory(
    async (test) => {
      await fill(test);
      const about = (content: string, entity: string) =>
        test.ok('memory_store', { content, kind: 'fact', entities: [entity] });
      await about('Weak tags are enough', 'src/Utils.ts#wetag');
      await about('No dependency is added', 'package.json');
      await about('Tags are short', 'wetag');
      const found = async (filter: object): Promise<string[]> =>
        (await test.ok<{ content: string }[]>('nodes', filter)).map(({ content }) => content);
      expect(await found({ symbol: 'wet' })).toEqual(['Weak tags are enough']);
      expect(await found({ file: 'utils', symbol: 'tag', kinds: ['fact'] })).toEqual(['Weak tags are enough']);
      expect(await found({ file: 'package' })).toEqual(['No dependency is added']);
      expect(await found({ file: 'package', symbol: 'wet' })).toEqual([]);
      expect(await found({ symbol: 'wet', whole: true })).toEqual([]);
      expect(await found({ symbol: 'WeTag', whole: true })).toEqual(['Weak tags are enough']);
      await about('Closing is slow', 'src/other.ts#Store.close');
      expect(await found({ symbol: 'close', whole: true })).toEqual(['Closing is slow', 'Both are sync']);
      expect(await found({ symbol: 'store.close', whole: true })).toEqual(['Closing is slow']);
      expect(await test.ok('groups', { by: 'kind', file: 'src/utils' })).toEqual([{ name: 'fact', memories: 1 }]);
    },
    { code: CODE },
  ));

it('marks files that are not there, and lists what is on a file, or on none', () =>
  withMemory(
    async (test) => {
      await fill(test);
      await test.project.store.transact((sql) =>
        sql.run("UPDATE mem_links SET file_path = 'src/gone.ts' WHERE file_path = 'src/other.ts'"),
      );
      expect(await test.ok('groups', { by: 'file' })).toContainEqual({
        name: 'src/gone.ts',
        memories: 1,
        missing: true,
      });
      const list = async (in_file: string): Promise<string[]> =>
        (await test.ok<{ content: string }[]>('nodes', { kinds: ['fact', 'decision', 'preference'], in_file })).map(
          ({ content }) => content,
        );
      expect(await list('src/store.ts')).toEqual(['Both are sync', 'Opening logs', 'Opening is lazy']);
      expect(await list('src/store')).toEqual([]);
      expect(await list('')).toEqual(['On no code']);
    },
    { code: CODE },
  ));

it('lists and counts what was stored in no session', () =>
  withMemory(async (test) => {
    await fill(test);
    await bringAsFile(await test.another({ by: 'person' }), [
      { id: 'd_redis', kind: 'decision', content: 'The cache is Redis', session_id: null },
      { id: 'f_redis', kind: 'fact', content: 'Redis listens on 6379', session_id: null },
      { kind: 'session', id: 's_brought', content: 'Brought with its session' },
      { kind: 'fact', content: 'It has a session', session_id: 's_brought' },
    ]);
    expect(await test.ok('groups', { by: 'kind', sessionless: true })).toEqual([
      { name: 'fact', memories: 1 },
      { name: 'decision', memories: 1 },
    ]);
    expect(await test.ok('groups', { by: 'kind', sessionless: true, letters: 'listens' })).toEqual([
      { name: 'fact', memories: 1 },
    ]);
    expect(await test.ok('nodes', { sessionless: true, kinds: ['fact', 'decision'] })).toMatchObject([
      { content: 'Redis listens on 6379', session_id: null },
      { content: 'The cache is Redis', session_id: null },
    ]);
  }));

it('says of sessions how many of their memories pass a filter, and what those that nobody named are about', () =>
  withMemory(
    async (test) => {
      await fill(test);
      const sessions = (input: object): Promise<object[]> => test.ok('sessions', input);
      expect(await sessions({})).toMatchObject([{ topic: 'Opening is lazy', matching: null }]);
      expect(await sessions({ letters: 'opening' })).toMatchObject([{ matching: 2 }]);
      expect(await sessions({ kinds: ['preference'] })).toMatchObject([{ matching: 1 }]);
      expect(await sessions({ kinds: ['procedure'] })).toEqual([]);
      expect(await sessions({ file: 'other', letters: 'sync' })).toMatchObject([{ matching: 1 }]);
      await test.ok('memory_end_session', { summary: 'Done' });
      await test.ok('memory_start_session', { name: 'Move the store' });
      await test.ok('memory_store', { content: 'It moved', kind: 'outcome' });
      expect(await sessions({ letters: 'moved' })).toMatchObject([
        { content: 'Move the store', topic: null, valid: 1 },
      ]);
      // Its name has the words, whatever its memories say.
      expect(await sessions({ letters: 'the store' })).toMatchObject([{ content: 'Move the store', matching: 0 }]);
      const [{ id } = { id: '' }] = await test.ok<{ id: string }[]>('nodes', { kinds: ['outcome'] });
      await test.ok('memory_forget', { node_id: id });
      expect(await sessions({ letters: 'the store' })).toMatchObject([{ node_count: 1, valid: 0 }]);
    },
    { code: CODE },
  ));
