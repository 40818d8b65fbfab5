import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MemoryTest, withMemory } from '../support/memory';
import { storeFact, twoFunctions } from '../support/review';
import { note, withShared, write } from '../support/shared';

interface Stored {
  readonly node_id: string;
  readonly linked_entity_ids: readonly string[];
  readonly created_entity_ids: readonly string[];
  readonly similar?: readonly object[];
  readonly path?: string;
}

const WORDS = { content: 'Alpha waits for two seconds', kind: 'fact' };

const aboutOf = async ({ ok }: MemoryTest, id: string): Promise<string[]> =>
  (await ok<{ entities: { content: string }[] }>('node', { id })).entities.map(({ content }) => content).sort();
const codeOf = async ({ ok }: MemoryTest, id: string): Promise<string[]> =>
  (await ok<{ graph_node_id: string }[]>('memory_to_code', { memory_id: id })).map((one) => one.graph_node_id);

/** With a memory about a function and a part. */
function withOne(work: (test: MemoryTest, old: string) => Promise<void>): Promise<void> {
  return withMemory(
    async (test) =>
      work(test, await storeFact(test, 'Alpha waits for a second', { entities: ['alpha()', 'the waiting'] })),
    { code: twoFunctions() },
  );
}

describe('what takes the place of a memory and does not say what it is about', () => {
  it('is about what that one is about, and on its code', () =>
    withOne(async (test, old) => {
      const stored = await test.ok<Stored>('memory_store', { ...WORDS, supersedes: old });
      expect(stored.linked_entity_ids).toHaveLength(2);
      expect(stored.created_entity_ids).toEqual([]);
      expect(await aboutOf(test, stored.node_id)).toEqual(['alpha()', 'the waiting']);
      expect(await codeOf(test, stored.node_id)).toEqual(['function:a.ts:alpha:1']);
      const forCode = await test.text('memory_for_code', { file_path: 'a.ts' });
      expect(forCode).toContain('two seconds');
      expect(forCode).not.toContain('a second');
      expect(await test.text('memory_recall', { query: 'the waiting' })).toContain('two seconds');
    }));

  it('is about nothing where an empty list says so, and about other names where these are given', () =>
    withOne(async (test, old) => {
      const second = await storeFact(test, 'Gamma waits', { supersedes: old, entities: ['gamma()'] });
      expect(await aboutOf(test, second)).toEqual(['gamma()']);
      expect(await codeOf(test, second)).toEqual(['function:b.ts:gamma:1']);
      const third = await storeFact(test, 'Nothing waits', { supersedes: second, entities: [] });
      expect(await aboutOf(test, third)).toEqual([]);
      expect(await codeOf(test, third)).toEqual([]);
      expect(await aboutOf(test, await storeFact(test, 'All waits', { supersedes: third }))).toEqual([]);
    }));

  it('is on code that was known by another name of it, and on code that no name leads to any more', () =>
    withMemory(
      async (test) => {
        await test.ok('memory_import', { nodes: [{ kind: 'entity', content: 'the waiting', aliases: ['alpha()'] }] });
        const old = await storeFact(test, 'It waits for a second', { entities: ['the waiting'] });
        expect(await codeOf(test, old)).toEqual(['function:a.ts:alpha:1']);
        const second = await storeFact(test, 'It waits for two seconds', { supersedes: old });
        expect(await codeOf(test, second)).toEqual(['function:a.ts:alpha:1']);
        const [entity] = (await test.ok<{ entities: { id: string }[] }>('node', { id: second })).entities;
        await test.ok('memory_forget', { node_id: entity?.id, purge: true });
        const third = await storeFact(test, 'It waits for three seconds', { supersedes: second });
        expect(await aboutOf(test, third)).toEqual([]);
        expect(await codeOf(test, third)).toEqual(['function:a.ts:alpha:1']);
      },
      { code: twoFunctions() },
    ));

  it('may replace others that are about the same', () =>
    withMemory(async (test) => {
      const about = { kind: 'decision', entities: ['the store'] };
      const opposed = await storeFact(test, 'Notes lie in SQLite', { ...about, alternatives_rejected: ['Postgres'] });
      const old = await storeFact(test, 'It is asked twice', about);
      const moved = { content: 'We move to Postgres', kind: 'decision', supersedes: old };
      expect((await test.ok<Stored>('memory_store', moved)).similar).toEqual([
        { node_id: opposed, relation: 'supersedes?' },
      ]);
    }));

  it('is taken back, and done again, as one step', () =>
    withOne(async (test, old) => {
      const { node_id } = await test.ok<Stored>('memory_store', { ...WORDS, supersedes: old });
      const { operation } = await test.ok<{ operation: number }>('undo');
      expect(await codeOf(test, old)).toEqual(['function:a.ts:alpha:1']);
      expect(await test.text('memory_for_code', { file_path: 'a.ts' })).not.toContain('two seconds');
      await test.ok('undo', { operation });
      expect(await test.text('memory_for_code', { file_path: 'a.ts' })).toContain('two seconds');
      expect(await aboutOf(test, node_id)).toEqual(['alpha()', 'the waiting']);
    }));

  it('says so of another namespace, too, which the call names', () =>
    withOne(async (test) => {
      const old = await storeFact(test, 'Gamma waits', { namespace: 'other', entities: ['gamma()'] });
      await test.ok('memory_switch_namespace', { namespace: 'default' });
      const fresh = await storeFact(test, 'Gamma waits long', { namespace: 'other', supersedes: old });
      expect(await codeOf(test, fresh)).toEqual(['function:b.ts:gamma:1']);
    }));

  it('has it as a proposal already, and when it is kept', () =>
    withOne(async (test, old) => {
      const held = await test.another({ keeping: () => ({ proposed: true, marked: false }), code: twoFunctions() });
      const fresh = await storeFact(held, WORDS.content, { supersedes: old });
      expect(await codeOf(test, fresh)).toEqual(['function:a.ts:alpha:1']);
      const person = await test.another({ by: 'person', code: twoFunctions() });
      await person.ok('settle', { action: 'keep', node_id: fresh });
      expect(await aboutOf(person, fresh)).toEqual(['alpha()', 'the waiting']);
      expect(await person.text('memory_for_code', { file_path: 'a.ts' })).not.toContain('a second');
    }));

  it('has it in its file where it is shared', () =>
    withShared(
      async (test) => {
        write(test, 'wait.md', note('f_wait', 'fact', 'Alpha waits', 'about:\n  - alpha()\n  - the waiting\n'));
        const { path = '', node_id } = await test.ok<Stored>('memory_store', { ...WORDS, supersedes: 'f_wait' });
        const text = readFileSync(join(test.folder, path), 'utf8');
        expect(text).toContain('about:\n  - "alpha()"\n  - "the waiting"\n');
        expect(text).toMatch(/links:\n {2}- .*"alpha"/);
        expect(await codeOf(test, node_id)).toEqual(['function:a.ts:alpha:1']);
        expect(await test.text('memory_for_code', { file_path: 'a.ts' })).toContain('two seconds');
      },
      { code: twoFunctions() },
    ));
});
