import { describe, expect, it } from 'vitest';
import { bring, bringAsFile } from '../support/imports';
import { withMemory } from '../support/memory';
import { drawing } from '../support/planted-secrets';

const VALUE = drawing(1).mixed(36);
const SECRET = `The release pushes with ghp_${VALUE}`;
const REST =
  'holds what looks like a GitHub token, at character 25. Say where it is kept, such as the name of a variable or of an entry in a vault, and leave the value out.';

const FACT = { content: 'The release is tagged', kind: 'fact' };

describe('a secret is refused', () => {
  it.each([
    ['memory_store', { ...FACT, content: SECRET }, '"content"'],
    ['memory_store', { ...FACT, rationale: SECRET }, '"rationale"'],
    ['memory_store', { ...FACT, alternatives_rejected: ['none', SECRET] }, '"alternatives_rejected[1]"'],
    ['memory_store', { ...FACT, entities: [SECRET] }, '"entities[0]"'],
    ['memory_store', { ...FACT, namespace: SECRET }, '"namespace"'],
    ['memory_start_session', { name: SECRET }, '"name"'],
    ['memory_start_session', { name: 'Release', namespace: SECRET }, '"namespace"'],
    ['memory_end_session', { summary: SECRET }, '"summary"'],
    ['memory_switch_namespace', { namespace: SECRET }, '"namespace"'],
  ])('by %s %j, and nothing is written', (tool, input, parameter) =>
    withMemory(async (test) => {
      const { operation } = (await test.call('memory_store', FACT)) as { operation?: number };
      const before = await test.memory.sql.all('SELECT * FROM mem_nodes');
      const said = await test.refused(tool, input);
      expect(said).toBe(`invalid_input: ${parameter} ${REST}`);
      expect(said).not.toContain(VALUE.slice(0, 6));
      expect(await test.memory.sql.all('SELECT * FROM mem_nodes')).toEqual(before);
      expect(await test.call('memory_store', { ...FACT, content: 'Another' })).toMatchObject({
        operation: (operation ?? 0) + 1,
      });
      expect(test.memory.scope.namespace).toBe('default');
    }),
  );

  it('where the namespace that a process works in is called like one', () =>
    withMemory(
      async (test) => {
        expect(await test.refused('memory_store', FACT)).toBe(`invalid_input: The name of the namespace ${REST}`);
        expect(await test.ok('memory_switch_namespace', { namespace: 'other' })).toMatchObject({
          active_namespace: 'other',
        });
      },
      { namespace: SECRET },
    ));

  it.each([
    ['content', { content: SECRET, kind: 'fact' }],
    ['rationale', { ...FACT, rationale: SECRET }],
    ['alternatives_rejected', { ...FACT, alternatives_rejected: [SECRET] }],
    ['entities', { ...FACT, entities: ['CI', SECRET] }],
    ['aliases', { kind: 'entity', content: 'CI', aliases: [SECRET] }],
    ['namespace', { ...FACT, namespace: SECRET }],
    ['content', { kind: 'session', content: SECRET }],
    ['content', { kind: 'entity', content: SECRET }],
    ['touches', { ...FACT, touches: [{ file_path: 'a.ts', code_type: 'function', name: SECRET, hash: 'x' }] }],
  ])('in the %s of an imported object, and the others are kept', (field, object) =>
    withMemory(async (test) => {
      for (const importing of [bring, bringAsFile]) {
        const { imported, errors } = await importing(test, [{ ...FACT }, object, { ...FACT, content: 'Last' }]);
        expect(imported).toBe(2);
        expect(errors).toEqual([{ index: 1, message: `invalid_input: "${field}" ${REST}` }]);
      }
    }),
  );

  it('in a long import, too, and so is what names the object', () =>
    withMemory(async (test) => {
      const many = Array.from({ length: 2_100 }, (_, i) => ({ kind: 'fact', content: `Fact ${i}` }));
      const { imported, errors } = await bring(test, [
        ...many,
        { kind: 'session', id: 's_one', content: SECRET },
        { kind: 'fact', content: 'In it', session_id: 's_one' },
      ]);
      expect(imported).toBe(2_100);
      expect(errors.map(({ index }) => index)).toEqual([2_100, 2_101]);
      expect(errors[0]?.message).toBe(`invalid_input: "content" ${REST}`);
    }));

  it('unless a person insists, who is no parameter of a tool', () =>
    withMemory(async (test) => {
      await test.ok('memory_store', { ...FACT, content: SECRET }, { allowSecret: true });
      expect(await test.text('memory_recall', { query: 'release pushes' })).toContain(VALUE);
      expect(await test.refused('memory_store', { ...FACT, allow_secret: true })).toContain(
        '"allow_secret" is no parameter',
      );
    }));

  it('and is none where it only stands for one, or where words speak of it', () =>
    withMemory(async (test) => {
      await test.ok('memory_store', { ...FACT, content: 'API_KEY=<token> is read from $API_KEY; no key in the build' });
    }));
});
