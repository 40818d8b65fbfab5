import { describe, expect, it } from 'vitest';
import { MEMORY_TOOLS } from '../../src/server/tools/registry';
import { HOSTILE_TEXTS } from '../support/hostile-texts';
import { type MemoryTest, withMemory } from '../support/memory';

const store = async ({ ok }: MemoryTest, content: string, more: object = {}): Promise<string> =>
  (await ok<{ node_id: string }>('memory_store', { content, kind: 'fact', ...more })).node_id;

/** Input that is right but for one parameter. */
const RIGHT: Record<string, Record<string, unknown>> = {
  memory_store: { content: 'A fact', kind: 'fact' },
  memory_recall: { query: 'fact' },
  memory_about: { entity: 'CI' },
  memory_why: { decision_ref: 'fact' },
  memory_timeline: { topic: 'fact' },
  memory_end_session: { summary: 'done' },
  memory_verify: { node_id: 'f_zzzzzzzz', status: 'confirm' },
  memory_start_session: { name: 'work' },
  memory_clear_session: { session_id: 's_zzzzzzzz' },
  memory_for_code: { file_path: 'a.ts' },
  memory_to_code: { memory_id: 'f_zzzzzzzz' },
  memory_switch_namespace: { namespace: 'default' },
};

const LISTS = ['entities', 'alternatives_rejected', 'kinds'];
const STRINGS = MEMORY_TOOLS.filter(({ name }) => name in RIGHT || name === 'memory_forget').flatMap(
  ({ name, input }) =>
    Object.keys(input.shape)
      .filter(
        (parameter) => !/^(?:budget_tokens|hops|min_confidence|confidence|limit|line|purge|queue)$/.test(parameter),
      )
      .map((parameter) => [name, parameter] as const),
);

describe('hostile text', () => {
  it.each(STRINGS)('in %s %s gets a right answer or a clear error', (name, parameter) =>
    withMemory(async (test) => {
      await store(test, 'A fact about CI', { entities: ['CI'] });
      for (const text of HOSTILE_TEXTS) {
        // A session is ended once.
        if (name === 'memory_end_session') await test.ok('memory_start_session', { name: 'work' });
        const answer = await test.call(name, {
          ...RIGHT[name],
          [parameter]: LISTS.includes(parameter) ? [text] : text,
        });
        if (!answer.ok) {
          expect(['invalid_input', 'not_found']).toContain(answer.code);
          expect(answer.text).toMatch(/^\w+: .*\. .*\.$/);
          expect(answer.text.length).toBeLessThan(600);
        }
        expect(answer.text).not.toMatch(/SQLITE|syntax|fts5|undefined|\[object/i);
        expect(answer.text).not.toMatch(/(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/);
        expect(answer.text).not.toContain('\0');
      }
    }),
  );

  it('is stored whole, but for what nobody sees and what UTF-8 and JSON cannot hold', () =>
    withMemory(async (test) => {
      for (const text of HOSTILE_TEXTS) {
        const id = await store(test, `x${text}y`, { rationale: `x${text}y`, alternatives_rejected: [`x${text}y`] });
        const [row] = await test.memory.sql.all<Record<string, string>>(
          'SELECT content, rationale, alternatives_rejected FROM mem_nodes WHERE id = $id',
          { id },
        );
        const kept = Buffer.from(`x${text}y`)
          .toString()
          .replaceAll('\0', '\ufffd')
          .replace(/[\u202c\u202e\ufeff\u200b]|\u200d(?= zero)/g, '');
        expect(row).toEqual({ content: kept, rationale: kept, alternatives_rejected: JSON.stringify([kept]) });
      }
    }));

  it('as an entity name is found again by the same name, and apart from all others', () =>
    withMemory(async (test) => {
      const names = HOSTILE_TEXTS.filter((text) => text.length <= 500);
      for (const name of names) {
        const id = await store(test, 'about it', { entities: [name] });
        expect(await test.text('memory_about', { entity: name, budget_tokens: 5000 })).toContain(id);
        expect(await test.ok('memory_store', { content: 'x', kind: 'fact', entities: [name] })).toMatchObject({
          created_entity_ids: [],
        });
      }
      const { seen } = (await test.memory.sql.get<{ seen: number }>(
        `SELECT count(*) AS seen FROM mem_nodes WHERE kind = 'entity'`,
      )) ?? { seen: 0 };
      expect(seen).toBe(new Set(names.map((name) => Buffer.from(name).toString().toLowerCase().trim())).size);
    }));

  it('after a NUL counts as much as before it', () =>
    withMemory(async (test) => {
      const id = await store(test, 'before\0 zebra', { entities: ['a\0b'] });
      expect(await test.text('memory_recall', { query: 'zebra' })).toContain(id);
      expect(await test.text('memory_about', { entity: 'a' })).toMatch(/^There is no entity "a"/);
    }));
});
