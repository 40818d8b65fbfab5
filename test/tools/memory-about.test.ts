import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { type MemoryTest, withMemory } from '../support/memory';
import { realTokenizer } from '../support/tokenizer';

const store = async ({ ok }: MemoryTest, content: string, more: object = {}): Promise<string> =>
  (await ok<{ node_id: string }>('memory_store', { content, kind: 'fact', ...more })).node_id;
const about = ({ text }: MemoryTest, entity: string, more: object = {}) => text('memory_about', { entity, ...more });

describe('memory_about', () => {
  it("prints an entity's valid memories in the layout of memory_recall", async () =>
    withMemory(
      async (test) => {
        await store(test, 'Redis is version 7', { entities: ['Redis'], valid_from: '2026-01-01' });
        await store(test, 'Redis keeps sessions', { entities: ['redis'], valid_from: '2026-02-01', confidence: 0.5 });
        await store(test, 'Use Redis for locks', { kind: 'decision', entities: ['REDIS'] });
        await store(test, 'Unrelated', { entities: ['Kafka'] });
        expect(await about(test, 'redis')).toMatchInlineSnapshot(`
          "## Memory recall: "about:Redis" (as of 2026-03-31 · 3 items · 153/500 tokens)
          ### Decisions
          - [d_aaaaaaae] 2026-03-31 · conf 1.00 — Use Redis for locks
          ### Facts
          - [f_aaaaaaad] 2026-02-01 · conf 0.50 — Redis keeps sessions
          - [f_aaaaaaac] 2026-01-01 · conf 1.00 — Redis is version 7
          ### Provenance
          d_aaaaaaae ← session s_aaaaaaaa · f_aaaaaaad ← session s_aaaaaaaa · f_aaaaaaac ← session s_aaaaaaaa"
        `);
      },
      { tokenizer: await realTokenizer() },
    ));

  it('takes an id, an alias, and any spelling of the name', () =>
    withMemory(async (test) => {
      const id = await store(test, 'It is fast', { entities: ['Redis'] });
      const [entity] = await test.memory.sql.all<{ id: string; seq: number }>(
        `SELECT id, seq FROM mem_nodes WHERE kind = 'entity'`,
      );
      await test.project.store.transact((sql) =>
        sql.run(`INSERT INTO mem_entity_names VALUES (1, 'cache server', $seq, 'Cache Server')`, {
          seq: entity?.seq ?? 0,
        }),
      );
      for (const name of ['Redis', ' REDIS ', 'ｒｅｄｉｓ', 'cache  SERVER', entity?.id ?? '']) {
        expect(await about(test, name)).toContain(id);
      }
    }));

  it('orders by valid_from, then by recorded_at, newest first', () =>
    withMemory(async (test) => {
      const entities = ['Redis'];
      const b = await store(test, 'b', { entities, valid_from: '2026-02-01' });
      test.later(1000);
      const a = await store(test, 'a', { entities, valid_from: '2026-02-01' });
      const c = await store(test, 'c', { entities, valid_from: '2026-01-01' });
      const ids = [...(await about(test, 'redis')).matchAll(/- \[(f_\w+)\]/g)].map(([, id]) => id);
      expect(ids).toEqual([a, b, c]);
    }));

  it('leaves out what is superseded, refuted, forgotten or not valid yet', () =>
    withMemory(async (test) => {
      const entities = ['Redis'];
      const old = await store(test, 'old', { entities });
      await store(test, 'new', { entities, supersedes: old });
      await test.ok('memory_verify', { node_id: await store(test, 'refuted', { entities }), status: 'refute' });
      await test.ok('memory_forget', { node_id: await store(test, 'forgotten', { entities }) });
      await store(test, 'future', { entities, valid_from: '2027-01-01' });
      const answer = await about(test, 'redis');
      expect([...answer.matchAll(/ — (\w+)$/gm)].map(([, content]) => content)).toEqual(['new']);
    }));

  it('answers with one sentence that names the nearest when there is no such entity', () =>
    withMemory(async (test) => {
      await store(test, 'x', { entities: ['PaymentService', 'PaymentQueue', 'Login'] });
      expect(await about(test, 'payment servce')).toBe(
        'There is no entity "payment servce"; the nearest are "PaymentService", "PaymentQueue".',
      );
    }));

  it('says so when an entity has no valid memory', () =>
    withMemory(async (test) => {
      await test.ok('memory_forget', { node_id: await store(test, 'x', { entities: ['Redis'] }) });
      expect(await about(test, 'redis')).toMatch(
        /^## .* 0 items .*\nNothing that is valid now is remembered about it\.$/,
      );
    }));

  it('names the nearest where proposals alone are about it, and where these were taken back', async () =>
    withMemory(
      async (test) => {
        await store(test, 'Cookies are signed', { entities: ['lib/response.js#res.cookie'] });
        const { node_ids } = await test.ok<{ node_ids: string[] }>('memory_import', {
          nodes: [
            { kind: 'fact', content: 'Cookies are not for APIs', entities: ['res.cookie'], standing: 'proposed' },
          ],
        });
        expect(await about(test, 'res.cookie')).toMatch(
          /^## .* 1 items .*\nOnly proposals are about it; the nearest are "lib\/response\.js#res\.cookie"\.\n[\s\S]*not for APIs/,
        );
        await (await test.another({ by: 'person' })).ok('settle', { action: 'drop', node_id: node_ids[0] });
        expect(await about(test, 'res.cookie')).toMatch(
          /^## .* 0 items .*\nNothing that is valid now is remembered about it; the nearest are "lib\/response\.js#res\.cookie"\.$/,
        );
        const short = await about(test, 'res.cookie', { budget_tokens: 50 });
        expect(short).toMatch(/Nothing that is valid now is remembered about it\.$/);
        expect(countTokens(short)).toBeLessThanOrEqual(50);
      },
      { tokenizer: await realTokenizer() },
    ));

  it('names none where a memory is kept behind more proposals than are read', () =>
    withMemory(async (test) => {
      await store(test, 'Kept long ago', { entities: ['Cache'], valid_from: '2020-01-01' });
      const nodes = Array.from({ length: 80 }, (_, i) => ({
        ...{ kind: 'fact', content: `Proposed ${i}`, entities: ['Cache'], standing: 'proposed' },
      }));
      await test.ok('memory_import', { nodes });
      expect(await about(test, 'cache')).not.toContain('Only proposals');
    }));

  it('keeps to its budget, 500 tokens unless told', async () =>
    withMemory(
      async (test) => {
        for (let i = 0; i < 60; i++) {
          await store(test, `Fact number ${i} about the queue and its many readers`, { entities: ['Queue'] });
        }
        for (const budget_tokens of [undefined, 50, 119, 1000]) {
          const answer = await about(test, 'queue', budget_tokens === undefined ? {} : { budget_tokens });
          const used = countTokens(answer);
          expect(used).toBeLessThanOrEqual(budget_tokens ?? 500);
          expect(answer).toContain(`${used}/${budget_tokens ?? 500} tokens)`);
        }
        expect(await test.refused('memory_about', { entity: 'queue', budget_tokens: 49 })).toBe(
          'invalid_input: "budget_tokens" must be at least 50. The parameters of memory_about are entity (required), budget_tokens.',
        );
      },
      { tokenizer: await realTokenizer() },
    ));

  it('does not know entities of another namespace, by name or id, nor names them', () =>
    withMemory(async (test) => {
      const { created_entity_ids } = await test.ok<{ created_entity_ids: string[] }>('memory_store', {
        content: 'x',
        kind: 'fact',
        entities: ['PaymentService'],
        namespace: 'other',
      });
      await test.ok('memory_switch_namespace', { namespace: 'default' });
      expect(await about(test, 'paymentservice')).toBe('There is no entity "paymentservice".');
      expect(await about(test, created_entity_ids[0] ?? '')).toMatch(/^There is no entity "e_\w+"\.$/);
    }));
});
