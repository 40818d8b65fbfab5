import { describe, expect, it } from 'vitest';
import { type MemoryTest, withMemory } from '../support/memory';
import { realTokenizer } from '../support/tokenizer';

const store = async ({ ok }: MemoryTest, content: string, more: object = {}): Promise<string> =>
  (await ok<{ node_id: string }>('memory_store', { content, kind: 'fact', ...more })).node_id;
const recall = ({ text }: MemoryTest, query: string, more: object = {}) => text('memory_recall', { query, ...more });
/** The contents that were recalled, in the order in which they are printed. */
const recalled = async (test: MemoryTest, query: string, more: object = {}): Promise<string[]> =>
  [...(await recall(test, query, more)).matchAll(/^- \[.* — (.*)$/gm)].map(([, content]) => content ?? '');

describe('memory_recall', () => {
  it('prints what it found by kind, then where it comes from', async () =>
    withMemory(
      async (test) => {
        await test.ok('memory_start_session', { name: 'Deployment work' });
        await store(test, 'Deploy with one command', { kind: 'decision', entities: ['Deployment'], confidence: 0.9 });
        await store(test, 'A deployment takes\nfour minutes', { valid_from: '2026-03-01' });
        await store(test, 'Tag, then deploy', { kind: 'procedure' });
        await store(test, 'Deploy on weekdays', { kind: 'preference' });
        await store(test, 'Deployed version 3', { kind: 'action' });
        await store(test, 'The deployment succeeded', { kind: 'outcome' });
        expect(await recall(test, 'deployment')).toMatchInlineSnapshot(`
          "## Memory recall: "deployment" (as of 2026-03-31 · 8 items · 308/500 tokens)
          ### Decisions
          - [d_aaaaaaac] 2026-03-31 · conf 0.90 — Deploy with one command
          ### Facts
          - [f_aaaaaaad] 2026-03-01 · conf 1.00 — A deployment takes four minutes
          ### Procedures
          - [p_aaaaaaae] 2026-03-31 · conf 1.00 — Tag, then deploy
          ### Preferences
          - [pr_aaaaaaaf] 2026-03-31 · conf 1.00 — Deploy on weekdays
          ### Actions
          - [a_aaaaaaag] 2026-03-31 · conf 1.00 — Deployed version 3
          ### Outcomes
          - [o_aaaaaaah] 2026-03-31 · conf 1.00 — The deployment succeeded
          ### Entities
          - [e_aaaaaaab] 2026-03-31 · conf 1.00 — Deployment
          ### Sessions
          - [s_aaaaaaaa] 2026-03-31 · conf 1.00 — Deployment work
          ### Provenance
          o_aaaaaaah ← session s_aaaaaaaa · d_aaaaaaac ← session s_aaaaaaaa · a_aaaaaaag ← session s_aaaaaaaa · pr_aaaaaaaf ← session s_aaaaaaaa"
        `);
      },
      { tokenizer: await realTokenizer() },
    ));

  it('prints the heading and one sentence when there is no hit', async () =>
    withMemory(
      async (test) =>
        expect(await recall(test, 'anything "quoted"?\n')).toMatchInlineSnapshot(`
        "## Memory recall: "anything 'quoted'?" (as of 2026-03-31 · 0 items · 38/500 tokens)
        Nothing is remembered about this yet."
      `),
      { tokenizer: await realTokenizer() },
    ));

  it('cuts the query in the heading at 80 characters', async () =>
    withMemory(
      async (test) => {
        const heading = (await recall(test, 'query '.repeat(40))).split('\n')[0] ?? '';
        expect(/"(.*)"/.exec(heading)?.[1]).toMatch(/^(?:query ){13}…?.*…$/);
        expect(/"(.*)"/.exec(heading)?.[1]?.length).toBeLessThanOrEqual(80);
        const small = (await recall(test, 'query '.repeat(40), { budget_tokens: 100 })).split('\n')[0] ?? '';
        expect((await realTokenizer()).count(small)).toBeLessThanOrEqual(33 + 1);
      },
      { tokenizer: await realTokenizer() },
    ));

  it('leaves out superseded, refuted and forgotten memories and those that are not valid yet', () =>
    withMemory(async (test) => {
      const old = await store(test, 'cache old');
      await store(test, 'cache new', { supersedes: old });
      await test.ok('memory_verify', { node_id: await store(test, 'cache refuted'), status: 'refute' });
      await test.ok('memory_forget', { node_id: await store(test, 'cache forgotten') });
      await store(test, 'cache future', { valid_from: '2026-04-01' });
      expect(await recalled(test, 'cache')).toEqual(['cache new']);
      test.later(86_400_000);
      expect((await recalled(test, 'cache')).sort()).toEqual(['cache future', 'cache new']);
    }));

  describe('as_of', () => {
    it('recalls what was valid then: from valid_from on, until valid_until', () =>
      withMemory(async (test) => {
        const old = await store(test, 'cache one', { valid_from: '2026-01-01T10:00:00Z' });
        await store(test, 'cache two', { valid_from: '2026-02-01T10:00:00Z', supersedes: old });
        const at = (as_of: string) => recalled(test, 'cache', { as_of });
        expect(await at('2026-01-01T09:59:59.999Z')).toEqual([]);
        expect(await at('2026-01-01T10:00:00Z')).toEqual(['cache one']);
        expect(await at('2026-02-01T09:59:59.999Z')).toEqual(['cache one']);
        expect(await at('2026-02-01T10:00:00Z')).toEqual(['cache two']);
      }));

    it('means the end of a bare date, and UTC where no offset is given', () =>
      withMemory(async (test) => {
        await store(test, 'cache', { valid_from: '2026-02-01T23:30:00-01:00' });
        expect(await recalled(test, 'cache', { as_of: '2026-02-01' })).toEqual([]);
        expect(await recalled(test, 'cache', { as_of: '2026-02-02T00:30' })).toEqual(['cache']);
        expect(await recall(test, 'cache', { as_of: '2026-02-02' })).toContain('(as of 2026-02-02 · 1 items');
      }));

    it('sees no forgotten memory', () =>
      withMemory(async (test) => {
        await test.ok('memory_forget', { node_id: await store(test, 'cache', { valid_from: '2026-01-01' }) });
        expect(await recalled(test, 'cache', { as_of: '2026-02-01' })).toEqual([]);
      }));

    it('must be a date', () =>
      withMemory(async ({ refused }) => {
        expect(await refused('memory_recall', { query: 'x', as_of: 'yesterday' })).toMatch(
          /^invalid_input: "as_of" is "yesterday"/,
        );
      }));
  });

  describe('kinds', () => {
    it('filters, and an empty list does not', () =>
      withMemory(async (test) => {
        await store(test, 'cache fact', { entities: ['Cache'] });
        await store(test, 'cache decision', { kind: 'decision' });
        await test.ok('memory_end_session', { summary: 'cache outcome' });
        expect((await recalled(test, 'cache', { kinds: ['decision', 'outcome'] })).sort()).toEqual([
          'cache decision',
          'cache outcome',
        ]);
        expect(await recalled(test, 'cache', { kinds: ['entity'] })).toEqual(['Cache']);
        expect(await recalled(test, 'cache', { kinds: [] })).toHaveLength(4);
      }));

    it('may name all eight, and no other', () =>
      withMemory(async (test) => {
        const kinds = ['fact', 'decision', 'action', 'outcome', 'procedure', 'preference', 'entity', 'session'];
        await test.ok('memory_start_session', { name: 'cache session' });
        expect(await recalled(test, 'cache', { kinds })).toEqual(['cache session']);
        expect(await test.refused('memory_recall', { query: 'x', kinds: ['fact', 'note'] })).toMatch(
          /^invalid_input: "kinds\[1\]" must be one of fact, decision, action, outcome, procedure, preference, entity, session\. /,
        );
      }));
  });

  it('leaves out what is less certain than min_confidence', () =>
    withMemory(async (test) => {
      await store(test, 'cache sure', { confidence: 0.8 });
      await store(test, 'cache unsure', { confidence: 0.79 });
      expect(await recalled(test, 'cache', { min_confidence: 0.8 })).toEqual(['cache sure']);
      expect(await recalled(test, 'cache', { min_confidence: 0 })).toHaveLength(2);
      for (const min_confidence of [-0.1, 1.1]) {
        expect(await test.refused('memory_recall', { query: 'x', min_confidence })).toContain(
          '"min_confidence" must be at',
        );
      }
    }));

  describe('hops', () => {
    /** cache — entity Redis — failover — entity Sentinel — quorum; each stored in another session. */
    const chain = async (test: MemoryTest) => {
      const apart = { namespace: 'default' };
      await store(test, 'The cache is external', { entities: ['Redis'], ...apart, valid_from: '2026-01-01' });
      await store(test, 'Failover works', { entities: ['Redis', 'Sentinel'], ...apart, valid_from: '2026-01-10' });
      await store(test, 'The quorum is two', { entities: ['Sentinel'], ...apart, valid_from: '2026-01-20' });
    };

    it('follows links one step unless told, two at most', () =>
      withMemory(async (test) => {
        await chain(test);
        const contents = (hops: number | null) => recalled(test, 'external cache', { hops });
        expect(await contents(0)).toEqual(['The cache is external']);
        expect(await contents(1)).toEqual(['The cache is external', 'Failover works']);
        expect(await contents(null)).toEqual(await contents(1));
        expect(await contents(2)).toEqual(['The cache is external', 'Failover works', 'The quorum is two']);
        for (const hops of [-1, 3, 0.5]) {
          expect(await test.refused('memory_recall', { query: 'x', hops })).toMatch(/^invalid_input: "hops" must be /);
        }
      }));

    it('reaches what was stored just before and after in the same session', () =>
      withMemory(async (test) => {
        await store(test, 'Alpha');
        await store(test, 'The cache is cold');
        await store(test, 'Omega');
        expect((await recalled(test, 'cold cache')).sort()).toEqual(['Alpha', 'Omega', 'The cache is cold']);
      }));

    it('does not reach over an hour within a session', () =>
      withMemory(async (test) => {
        await store(test, 'Alpha', { valid_from: '2026-03-01T10:00:00Z' });
        await store(test, 'The cache is cold', { valid_from: '2026-03-01T11:00:01Z' });
        expect(await recalled(test, 'cold cache')).toEqual(['The cache is cold']);
      }));
  });

  it('reads another namespace without switching', () =>
    withMemory(async (test) => {
      await store(test, 'cache there', { namespace: 'other' });
      await test.ok('memory_switch_namespace', { namespace: 'default' });
      await store(test, 'cache here');
      expect(await recalled(test, 'cache', { namespace: ' other ' })).toEqual(['cache there']);
      expect(await recalled(test, 'cache')).toEqual(['cache here']);
      expect(await recalled(test, 'cache', { namespace: 'nobody' })).toEqual([]);
      expect(await test.ok('memory_stats')).toMatchObject({ namespaces: ['default', 'other'] });
    }));

  it('counts uses after the answer, but not with as_of or in another namespace', () =>
    withMemory(async (test) => {
      const uses = async () => {
        await test.project.uses.flush();
        return test.memory.sql.all(`SELECT uses FROM mem_nodes WHERE kind = 'fact'`);
      };
      await store(test, 'cache here');
      await recall(test, 'cache', { as_of: '2026-03-31' });
      await test.ok('memory_switch_namespace', { namespace: 'elsewhere' });
      await recall(test, 'cache', { namespace: 'default' });
      expect(await uses()).toEqual([{ uses: 0 }]);
      await test.ok('memory_switch_namespace', { namespace: 'default' });
      await recall(test, 'cache', { namespace: 'default' });
      expect(await uses()).toEqual([{ uses: 1 }]);
    }));

  it('refuses a budget below 50 and a blank query', () =>
    withMemory(async ({ refused }) => {
      expect(await refused('memory_recall', { query: 'x', budget_tokens: 49 })).toMatch(
        /^invalid_input: "budget_tokens" must be at least 50\. /,
      );
      expect(await refused('memory_recall', { query: '\u2028 ' })).toMatch(/^invalid_input: "query" is blank\. /);
    }));
});
