import { describe, expect, it } from 'vitest';
import { testCode } from '../support/code-index';
import { type MemoryTest, withMemory } from '../support/memory';

interface Stored {
  readonly node_id: string;
  readonly linked_entity_ids: string[];
  readonly created_entity_ids: string[];
}

const rowOf = (test: MemoryTest, id: string) =>
  test.memory.sql.get<Record<string, unknown>>('SELECT * FROM mem_nodes WHERE id = $id', { id });

const countNodes = async (test: MemoryTest): Promise<number | undefined> =>
  (await test.memory.sql.get<{ n: number }>('SELECT count(*) AS n FROM mem_nodes'))?.n;

const FACT = { content: 'The build takes nine minutes', kind: 'fact' };

describe('memory_store', () => {
  it('answers with the node, the entities it is linked to, and those it had to create', () =>
    withMemory(async ({ ok, text }) => {
      await ok('memory_store', { content: 'SQLite holds the store', kind: 'fact', entities: ['SQLite'] });
      const answer = await text('memory_store', {
        content: 'Use WAL mode',
        kind: 'decision',
        entities: ['sqlite', 'driver.ts'],
        confidence: 0.8,
        rationale: 'Readers must not wait for writers',
        alternatives_rejected: ['rollback journal', 'one connection'],
      });
      expect(answer).toMatchInlineSnapshot(
        `"{"node_id":"d_aaaaaaae","linked_entity_ids":["e_aaaaaaab","e_aaaaaaad"],"created_entity_ids":["e_aaaaaaad"]}"`,
      );
    }));

  it('keeps every field as it was given', () =>
    withMemory(async (test) => {
      const { node_id } = await test.ok<Stored>('memory_store', {
        content: 'Use WAL mode',
        kind: 'decision',
        confidence: 0.8,
        valid_from: '2026-03-01',
        rationale: 'Readers must not wait',
        alternatives_rejected: ['rollback journal'],
      });
      expect(await rowOf(test, node_id)).toMatchObject({
        kind: 'decision',
        content: 'Use WAL mode',
        confidence: 0.8,
        recorded_at: '2026-03-31T12:00:00.000Z',
        valid_from: '2026-03-01T00:00:00.000Z',
        valid_until: null,
        tombstoned: 0,
        rationale: 'Readers must not wait',
        alternatives_rejected: '["rollback journal"]',
      });
    }));

  it('is valid from now and fully confident where nothing else is said', () =>
    withMemory(async (test) => {
      const { node_id } = await test.ok<Stored>('memory_store', FACT);
      expect(await rowOf(test, node_id)).toMatchObject({ confidence: 1, valid_from: '2026-03-31T12:00:00.000Z' });
    }));

  it.each([
    ['fact', /^f_/],
    ['decision', /^d_/],
    ['action', /^a_/],
    ['outcome', /^o_/],
    ['procedure', /^p_/],
    ['preference', /^pr_/],
  ])('gives a %s an id of its own kind with eight characters of base32', (kind, prefix) =>
    withMemory(async ({ ok }) => {
      const { node_id, created_entity_ids } = await ok<Stored>('memory_store', { ...FACT, kind, entities: ['CI'] });
      expect(node_id).toMatch(prefix);
      expect(node_id).toMatch(/_[a-z2-7]{8}$/);
      expect(created_entity_ids).toEqual([expect.stringMatching(/^e_[a-z2-7]{8}$/)]);
    }),
  );

  it.each(['entity', 'session', 'note'])('does not take the kind %s', (kind) =>
    withMemory(async ({ refused }) => {
      expect(await refused('memory_store', { content: 'x', kind })).toBe(
        'invalid_input: "kind" must be one of fact, decision, action, outcome, procedure, preference. The parameters of memory_store are content (required), kind (required), entities, confidence, valid_from, supersedes, session_id, rationale, alternatives_rejected, namespace.',
      );
    }),
  );

  it('draws an id again when it is taken already', () => {
    const suffixes = ['aaaaaaaa', 'bbbbbbbb', 'bbbbbbbb', 'cccccccc'];
    return withMemory(
      async ({ ok }) => {
        await ok('memory_start_session', { name: 'work' });
        expect(await ok('memory_store', FACT)).toMatchObject({ node_id: 'f_bbbbbbbb' });
        expect(await ok('memory_store', { ...FACT, content: 'Another fact' })).toMatchObject({ node_id: 'f_cccccccc' });
      },
      { newSuffix: () => suffixes.shift() ?? '' },
    );
  });

  it('finds entities without regard to case, width, accents and spacing, and links each once', () =>
    withMemory(async ({ ok }) => {
      const first = await ok<Stored>('memory_store', { ...FACT, entities: ['Café  Server'] });
      const again = await ok<Stored>('memory_store', {
        ...FACT,
        entities: ['cafe server', 'CAFÉ SERVER', 'Ｃafe server', first.created_entity_ids[0]],
      });
      expect(again.linked_entity_ids).toEqual(first.created_entity_ids);
      expect(again.created_entity_ids).toEqual([]);
    }));

  it('finds entities by alias', () =>
    withMemory(async (test) => {
      const { created_entity_ids } = await test.ok<Stored>('memory_store', { ...FACT, entities: ['PostgreSQL'] });
      await test.project.store.transact((sql) =>
        sql.run(
          `INSERT INTO mem_entity_names (ns, folded, entity, alias)
           SELECT 1, 'postgres', seq, 'Postgres' FROM mem_nodes WHERE kind = 'entity'`,
        ),
      );
      const again = await test.ok<Stored>('memory_store', { ...FACT, entities: ['postgres'] });
      expect(again).toMatchObject({ linked_entity_ids: created_entity_ids, created_entity_ids: [] });
    }));

  describe('with supersedes', () => {
    it('closes the old node at the moment from which the new one is valid', () =>
      withMemory(async (test) => {
        const old = await test.ok<Stored>('memory_store', { ...FACT, valid_from: '2026-01-01' });
        await test.ok('memory_store', { ...FACT, valid_from: '2026-02-01', supersedes: old.node_id });
        expect(await rowOf(test, old.node_id)).toMatchObject({
          valid_until: '2026-02-01T00:00:00.000Z',
          tombstoned: 0,
        });
      }));

    it('never closes it before it began', () =>
      withMemory(async (test) => {
        const old = await test.ok<Stored>('memory_store', { ...FACT, valid_from: '2026-03-01' });
        await test.ok('memory_store', { ...FACT, valid_from: '2026-02-01', supersedes: old.node_id });
        expect(await rowOf(test, old.node_id)).toMatchObject({ valid_until: '2026-03-01T00:00:00.000Z' });
      }));

    it('excludes it from recall and keeps it, marked, in the timeline', () =>
      withMemory(async ({ ok, text }) => {
        const old = await ok<Stored>('memory_store', FACT);
        const fresh = await ok<Stored>('memory_store', { ...FACT, supersedes: old.node_id });
        expect(await text('memory_recall', { query: 'build minutes' })).not.toContain(old.node_id);
        expect(await text('memory_timeline', { topic: 'build minutes' })).toContain(
          `[${old.node_id}] 2026-03-31 · conf 1.00 [superseded by ${fresh.node_id}] — `,
        );
      }));

    it('refuses an unknown, a closed and a forgotten node, and writes nothing', () =>
      withMemory(async (test) => {
        const { ok, refused } = test;
        const closed = await ok<Stored>('memory_store', FACT);
        await ok('memory_store', { ...FACT, supersedes: closed.node_id });
        const forgotten = await ok<Stored>('memory_store', FACT);
        await ok('memory_forget', { node_id: forgotten.node_id });
        const before = await countNodes(test);
        const storing = (supersedes: string) =>
          refused('memory_store', { ...FACT, entities: ['never made'], namespace: 'default', supersedes });
        expect(await storing('f_zzzzzzzz')).toMatch(/^not_found: .*"f_zzzzzzzz" \(parameter "supersedes"\)/);
        expect(await storing(closed.node_id)).toMatch(/^conflict: .* was closed at 2026-03-31T12:00:00.000Z\. /);
        expect(await storing(forgotten.node_id)).toMatch(/^conflict: .* has been forgotten\. /);
        expect(await countNodes(test)).toBe(before);
      }));

    it('does not see a node of another namespace', () =>
      withMemory(async ({ ok, refused }) => {
        const { node_id } = await ok<Stored>('memory_store', { ...FACT, namespace: 'other' });
        await ok('memory_switch_namespace', { namespace: 'default' });
        expect(await refused('memory_store', { ...FACT, supersedes: node_id })).toMatch(/^not_found: /);
      }));
  });

  it('looks at code before its transaction, so that other writers do not wait for files', () => {
    const code = testCode();
    let meanwhile: () => Promise<unknown> = async () => {};
    const slow = {
      ...code,
      match: async (names: readonly string[]) => {
        await meanwhile();
        return code.match(names);
      },
    };
    return withMemory(
      async (test) => {
        code.write('a.ts', 0, [{ name: 'alpha', text: 'alpha', from: 1, to: 9 }]);
        await test.ok('memory_store', { ...FACT, entities: ['beta'] });
        // Inside the transaction, this would wait for it for ever.
        meanwhile = () => test.ok('memory_store', FACT);
        const { node_id } = await test.ok<Stored>('memory_store', { ...FACT, entities: ['alpha()', 'beta'] });
        expect(await countNodes(test)).toBeGreaterThanOrEqual(5);
        meanwhile = async () => {};
        expect(await test.ok('memory_to_code', { memory_id: node_id })).toHaveLength(1);
      },
      { code: slow },
    );
  });
});
