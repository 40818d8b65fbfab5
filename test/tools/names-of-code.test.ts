import { describe, expect, it, test } from 'vitest';
import { testCode } from '../support/code-index';
import { type MemoryTest, NOON, withMemory } from '../support/memory';

interface Stored {
  readonly node_id: string;
  readonly linked_entity_ids: readonly string[];
  readonly created_entity_ids: readonly string[];
}

const store = ({ ok }: MemoryTest, content: string, ...entities: string[]) =>
  ok<Stored>('memory_store', { content, kind: 'fact', entities });
const about = ({ text }: MemoryTest, entity: string) => text('memory_about', { entity });

describe('names of code', () => {
  test.each([
    ['parseLine()', 'ParseLine()'],
    ['src/View.ts', 'src/view.ts'],
    ['./View', './view'],
    ['src\\View.ts', 'src\\view.ts'],
    ['src/a.js#sendFile', 'src/a.js#sendfile'],
    ['res.sendFile', 'res.sendfile'],
    ['Store::Get', 'Store::get'],
  ])('%s and %s are two entities', (one, other) =>
    withMemory(async (memory) => {
      const first = await store(memory, 'The first.', one);
      const second = await store(memory, 'The second.', other);
      expect(second.created_entity_ids).toHaveLength(1);
      expect(second.linked_entity_ids).not.toEqual(first.linked_entity_ids);
      expect(await about(memory, one)).toContain('The first.');
      expect(await about(memory, one)).not.toContain('The second.');
      expect(await about(memory, other)).toContain('The second.');
      expect(await about(memory, other)).not.toContain('The first.');
      expect((await store(memory, 'The third.', one)).linked_entity_ids).toEqual(first.linked_entity_ids);
    }),
  );

  test.each([
    ['GitHub', 'Github'],
    ['CI/CD', 'ci/cd'],
    ['C#', 'c#'],
    ['acme/tool#12', 'Acme/Tool#12'],
    ['Node 20.1', 'node 20.1'],
    ['parseLine', 'ParseLine'],
  ])('%s and %s are one entity', (one, other) =>
    withMemory(async (memory) => {
      const first = await store(memory, 'The first.', one);
      expect((await store(memory, 'The second.', other)).linked_entity_ids).toEqual(first.linked_entity_ids);
    }),
  );

  it('are looked up in another spelling where nothing is spelled like that', () =>
    withMemory(async (memory) => {
      await store(memory, 'The first.', 'parseLine()');
      await store(memory, 'The second.', 'ParseLine()');
      expect(await about(memory, 'PARSELINE()')).toContain('The first.');
      expect(await about(memory, 'PARSELINE()')).not.toContain('The second.');
    }));

  it('are two in one call, too', () =>
    withMemory(async (memory) => {
      expect((await store(memory, 'Both.', 'parseLine()', 'ParseLine()')).created_entity_ids).toHaveLength(2);
    }));

  it('are two in an import, beside those that the store has', () =>
    withMemory(async (memory) => {
      await store(memory, 'Stored.', 'api.open');
      await memory.ok('memory_import', {
        nodes: [
          { content: 'api.Open', kind: 'entity' },
          { content: 'Imported.', kind: 'fact', entities: ['API.open'] },
          { content: 'Imported, too.', kind: 'fact', entities: ['api.open'] },
        ],
      });
      const names = await memory.memory.sql.all<{ content: string }>(
        `SELECT content FROM mem_nodes WHERE kind = 'entity' ORDER BY content`,
      );
      expect(names.map(({ content }) => content)).toEqual(['API.open', 'api.Open', 'api.open']);
      expect(await about(memory, 'api.open')).toContain('2 items');
    }));

  it('stay what they are where an earlier version took two for one', () =>
    withMemory(async (memory) => {
      const first = await store(memory, 'The first.', 'src/a.js#sendFile');
      await memory.project.store.transact((sql) =>
        sql.run(`UPDATE mem_entity_names SET folded = 'src/a.js#sendfile'`, {}),
      );
      expect(await about(memory, 'src/a.js#sendfile')).toContain('The first.');
      expect((await store(memory, 'More.', 'src/a.js#sendFile')).linked_entity_ids).toEqual(first.linked_entity_ids);
      expect((await store(memory, 'Other.', 'src/a.js#sendfile')).created_entity_ids).toHaveLength(1);
      expect(await about(memory, 'src/a.js#sendFile')).toContain('2 items');
      expect(await about(memory, 'src/a.js#sendfile')).toContain('1 items');
    }));

  it('put memories on the function that they name', () => {
    const code = testCode();
    code.write('src/a.js', NOON, [
      { name: 'sendFile', text: 'one body', from: 1, to: 3, type: 'function' },
      { name: 'sendfile', text: 'another body', from: 5, to: 9, type: 'function' },
    ]);
    return withMemory(
      async (memory) => {
        const one = await store(memory, 'The first.', 'sendFile()');
        const other = await store(memory, 'The second.', 'sendfile()');
        const answer = await memory.text('memory_for_code', { file_path: 'src/a.js' });
        const [, ofFirst, ofSecond] = answer.split('### ');
        expect(ofFirst).toContain(one.node_id);
        expect(ofFirst).not.toContain(other.node_id);
        expect(ofSecond).toContain(other.node_id);
        expect(ofSecond).not.toContain(one.node_id);
      },
      { code },
    );
  });
});
