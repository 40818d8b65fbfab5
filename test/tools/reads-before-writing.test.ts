import { afterEach, describe, expect, it, vi } from 'vitest';
import { followCode } from '../../src/server/code/follow-code';
import { StoreFile } from '../../src/server/db/store-file';
import type { CodeIndex } from '../../src/server/memory/code/touches';
import { type TestCode, testCode } from '../support/code-index';
import { type MemoryTest, withMemory } from '../support/memory';

afterEach(() => vi.restoreAllMocks());

interface Stored {
  readonly node_id: string;
}

const CONNECT = { name: 'connect', text: 'open a socket', from: 1, to: 9 };

/** A store whose code cannot be read while the store is being written: every other process would wait for the disk. */
async function withGuardedCode(work: (test: MemoryTest, code: TestCode) => Promise<void>): Promise<void> {
  let writing = 0;
  const { transact } = StoreFile.prototype;
  vi.spyOn(StoreFile.prototype, 'transact').mockImplementation(function (this: StoreFile, doWrite) {
    return transact.call(this, async (sql) => {
      writing++;
      try {
        return await doWrite(sql);
      } finally {
        writing--;
      }
    }) as never;
  });
  const code = testCode();
  const guarded = new Proxy<CodeIndex>(code, {
    get(index, name: keyof CodeIndex) {
      const member = index[name];
      if (typeof member !== 'function' || name === 'relativePath') return member;
      return (...given: never[]) => {
        if (writing > 0) throw new Error(`${name}() reads files inside a write transaction`);
        return (member as (...all: never[]) => unknown)(...given);
      };
    },
  });
  await withMemory((test) => work(test, code), { code: guarded });
}

async function linksOf({ project }: MemoryTest): Promise<string[]> {
  const rows = await project.store.all<{ content: string; name: string }>(
    `SELECT n.content, t.name FROM mem_links AS t JOIN mem_nodes AS n ON n.seq = t.node ORDER BY n.seq, t.name`,
  );
  return rows.map(({ content, name }) => `${content}: ${name}`);
}

describe('files are read before a write, never in it', () => {
  it('by memory_store, which links what names, aliases and new entities stand for', () =>
    withGuardedCode(async (test, code) => {
      code.write('src/net.ts', 0, [CONNECT, { name: 'dial', text: 'dial a number', from: 11, to: 12 }]);
      await test.ok('memory_store', { content: 'new', kind: 'fact', entities: ['connect()'] });
      await test.ok('memory_store', { content: 'of another', kind: 'fact', entities: ['Telephone'] });
      await test.project.store.transact((sql) =>
        sql.run(
          `INSERT INTO mem_entity_names (ns, folded, entity, alias)
           SELECT 1, 'dial()', seq, 'dial()' FROM mem_nodes WHERE content = 'Telephone'`,
        ),
      );
      await test.ok('memory_store', { content: 'by alias', kind: 'fact', entities: ['TELEPHONE'] });
      await test.ok('memory_store', {
        content: 'elsewhere',
        kind: 'fact',
        entities: ['connect()'],
        namespace: 'other',
      });
      expect(await linksOf(test)).toEqual(['new: connect', 'by alias: dial', 'elsewhere: connect']);
    }));

  it.each([3, 2_100])('by memory_import of %i memories', (count) =>
    withGuardedCode(async (test, code) => {
      code.write('src/net.ts', 0, [CONNECT]);
      const nodes = Array.from({ length: count }, (_, i) => ({
        content: `number ${i}`,
        kind: 'fact',
        entities: [i === 1 ? 'connect()' : 'something else'],
      }));
      expect(await test.ok('memory_import', { nodes })).toMatchObject({ imported: count, errors: [] });
      expect(await linksOf(test)).toEqual(['number 1: connect']);
    }),
  );

  it('by a build that brings code which memories were waiting for', () =>
    withGuardedCode(async (test, code) => {
      await test.ok('memory_store', { content: 'waiting', kind: 'fact', entities: ['connect()'] });
      await test.ok('memory_store', { content: 'of nothing', kind: 'fact', entities: ['nothing'] });
      code.write('src/net.ts', 0, [CONNECT]);
      const project = { ...test.project, graph: undefined, extractor: undefined };
      expect(await followCode(project, undefined)).toEqual({ linked: 1, reanchored: 0 });
      code.remove('src/net.ts');
      code.write('src/socket.ts', 0, [CONNECT]);
      expect(await followCode(project, undefined)).toEqual({ linked: 0, reanchored: 0 });
      const changes = { paths: new Set(['src/net.ts']), names: new Set(['connect']), hashes: new Set<string>() };
      expect(await followCode(project, changes)).toEqual({ linked: 0, reanchored: 0 });
      expect(await linksOf(test)).toEqual(['waiting: connect']);
    }));

  it('by confirming, judging and settling', () =>
    withGuardedCode(async (test, code) => {
      code.write('src/net.ts', 0, [CONNECT]);
      const memory = { content: 'connects', kind: 'fact', entities: ['connect()'] };
      const { node_id } = await test.ok<Stored>('memory_store', memory);
      code.write('src/net.ts', Date.parse('2026-04-01'), [{ ...CONNECT, text: 'something else' }]);
      await test.ok('memory_verify_staleness', {});
      const { entries } = await test.ok<{ entries: { id: number }[] }>('review', {});
      expect(entries).toHaveLength(1);
      await test.ok('settle', { action: 'confirm', entry: entries[0]?.id });
      await test.ok('memory_verify', { node_id, status: 'confirm' });
    }));
});
