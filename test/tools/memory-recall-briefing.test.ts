import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { type MemoryTest, withMemory } from '../support/memory';
import { realTokenizer } from '../support/tokenizer';

const store = async ({ ok }: MemoryTest, content: string, kind: string, more: object = {}): Promise<string> =>
  (await ok<{ node_id: string }>('memory_store', { content, kind, ...more })).node_id;
const brief = ({ text }: MemoryTest, more: object = {}) => text('memory_recall', { query: 'project context', ...more });
const contents = (answer: string): string[] =>
  [...answer.matchAll(/^- \[.* — (.*)$/gm)].map(([, content]) => content ?? '');
/** As they were chosen; the text has them by kind. */
const order = async ({ ok }: MemoryTest): Promise<string[]> =>
  (await ok<{ items: { content: string }[] }>('memory_recall', { query: 'project context' })).items.map(
    ({ content }) => content,
  );

describe('the briefing', () => {
  it('holds decisions, procedures, preferences and the latest outcome of a session', async () =>
    withMemory(
      async (test) => {
        await store(test, 'Use SQLite', 'decision', { valid_from: '2026-03-20' });
        await store(test, 'Run the checks before a commit', 'procedure', { valid_from: '2026-03-25' });
        await store(test, 'Answer briefly', 'preference', { valid_from: '2026-03-28' });
        await store(test, 'The build takes nine minutes', 'fact');
        await store(test, 'Looked around', 'action');
        await test.ok('memory_end_session', { summary: 'The parser is done, the printer is next' });
        expect(await brief(test)).toMatchInlineSnapshot(`
          "## Memory recall: "project context" (as of 2026-03-31 · 4 items · 166/500 tokens)
          ### Decisions
          - [d_aaaaaaab] 2026-03-20 · conf 1.00 — Use SQLite
          ### Procedures
          - [p_aaaaaaac] 2026-03-25 · conf 1.00 — Run the checks before a commit
          ### Preferences
          - [pr_aaaaaaad] 2026-03-28 · conf 1.00 — Answer briefly
          ### Outcomes
          - [o_aaaaaaag] 2026-03-31 · conf 1.00 — The parser is done, the printer is next
          ### Provenance
          o_aaaaaaag ← session s_aaaaaaaa"
        `);
      },
      { tokenizer: await realTokenizer() },
    ));

  it.each(['Project Context', '  project   context\n', 'PROJECT CONTEXT'])('is what %j asks for', (query) =>
    withMemory(async (test) => {
      await store(test, 'Use tabs', 'preference');
      expect(contents(await test.text('memory_recall', { query }))).toEqual(['Use tabs']);
    }),
  );

  it.each(['project context?', 'the project context', 'context'])('is not what %j asks for', (query) =>
    withMemory(async (test) => {
      await store(test, 'Use tabs', 'preference');
      expect(await test.text('memory_recall', { query })).toContain('0 items');
    }),
  );

  it('stays below 200 tokens whatever the budget, and within a smaller one', async () =>
    withMemory(
      async (test) => {
        for (let i = 0; i < 40; i++)
          await store(test, `Decision number ${i} is about the ${i}th part of it`, 'decision');
        for (const budget_tokens of [50, 120, 199, 200, 500, 5000]) {
          const answer = await brief(test, { budget_tokens });
          const used = countTokens(answer);
          expect(used).toBeLessThan(200);
          expect(used).toBeLessThanOrEqual(budget_tokens);
          expect(answer).toContain(`${used}/${budget_tokens} tokens)`);
        }
        expect(contents(await brief(test)).length).toBeGreaterThanOrEqual(4);
      },
      { tokenizer: await realTokenizer() },
    ));

  it('prefers the last 30 days, and takes older standing decisions while there is room', async () =>
    withMemory(
      async (test) => {
        await store(test, 'Old and standing', 'decision', { valid_from: '2020-01-01' });
        for (const day of ['05', '10', '15'])
          await store(test, `New on the ${day}`, 'decision', { valid_from: `2026-03-${day}` });
        expect(contents(await brief(test))).toEqual([
          'New on the 15',
          'New on the 10',
          'New on the 05',
          'Old and standing',
        ]);
        for (const day of ['20', '21', '22', '23', '24', '25']) {
          await store(test, `New on the ${day}`, 'decision', { valid_from: `2026-03-${day}` });
        }
        expect(contents(await brief(test))).not.toContain('Old and standing');
      },
      { tokenizer: await realTokenizer() },
    ));

  it('leaves out old outcomes, outcomes of no session end, and what is superseded or forgotten', () =>
    withMemory(async (test) => {
      await store(test, 'An outcome along the way', 'outcome');
      const old = await store(test, 'superseded', 'decision');
      await store(test, 'standing', 'decision', { supersedes: old });
      await test.ok('memory_forget', { node_id: await store(test, 'forgotten', 'decision') });
      await test.ok('memory_end_session', { summary: 'ended long ago' });
      test.later(31 * 86_400_000);
      expect(contents(await brief(test))).toEqual(['standing']);
    }));

  it('of an empty store says so', () =>
    withMemory(async (test) => {
      expect(await brief(test)).toMatch(
        /^## Memory recall: "project context" .* 0 items .*\nNo decisions or conventions are remembered yet\.$/,
      );
    }));

  it('can be had of another namespace and of another time', () =>
    withMemory(async (test) => {
      await store(test, 'theirs', 'decision', { namespace: 'other', valid_from: '2026-02-01' });
      await test.ok('memory_switch_namespace', { namespace: 'default' });
      expect(contents(await brief(test, { namespace: 'other' }))).toEqual(['theirs']);
      expect(contents(await brief(test, { namespace: 'other', as_of: '2026-01-31' }))).toEqual([]);
      // From the moment on at which it became valid.
      const moment = '2026-02-01T00:00:00.000Z';
      expect(contents(await brief(test, { namespace: 'other', as_of: moment }))).toEqual(['theirs']);
    }));

  it('begins with what a person has confirmed, however much is newer, and takes decisions and conventions by turns', async () =>
    withMemory(
      async (test) => {
        const person = await test.another({ by: 'person' });
        await store(person, 'Postgres is the only database', 'decision', { valid_from: '2025-01-10' });
        await store(person, 'Hotfixes start at the tag', 'procedure', { valid_from: '2025-02-10' });
        const nodes = Array.from({ length: 100 }, (_, i) => ({ kind: 'decision', content: `Form ${i} has a frame` }));
        await test.ok('memory_import', { nodes });
        await store(test, 'Ask before deleting', 'preference');
        expect((await order(test)).slice(0, 4)).toEqual([
          'Postgres is the only database',
          'Hotfixes start at the tag',
          'Form 99 has a frame',
          'Ask before deleting',
        ]);
      },
      { tokenizer: await realTokenizer() },
    ));

  it('has the latest outcome first, then one decision and one convention, then more of them, then other outcomes', () =>
    withMemory(async (test) => {
      await test.ok('memory_end_session', { summary: 'The parser is done' });
      test.later(1_000);
      for (const content of ['Use SQLite', 'Use Go']) await store(test, content, 'decision');
      for (const content of ['Small commits', 'Answer briefly']) await store(test, content, 'preference');
      test.later(1_000);
      await test.ok('memory_end_session', { summary: 'The printer is done' });
      expect(await order(test)).toEqual([
        'The printer is done',
        'Use Go',
        'Answer briefly',
        'Use SQLite',
        'Small commits',
        'The parser is done',
      ]);
    }));

  it('says of each memory why it is there', () =>
    withMemory(async (test) => {
      await test.ok('memory_end_session', { summary: 'The parser is done' });
      test.later(1_000);
      await store(test, 'Use Go', 'decision');
      await store(await test.another({ by: 'person' }), 'Small commits', 'preference');
      await test.ok('memory_end_session', { summary: 'The printer is done' });
      const { items } = await test.ok<{ items: { content: string; reasons: string[] }[] }>('memory_recall', {
        query: 'project context',
      });
      expect(Object.fromEntries(items.map(({ content, reasons }) => [content, reasons]))).toEqual({
        'The printer is done': ['last session'],
        'Use Go': ['standing'],
        'Small commits': ['confirmed'],
        'The parser is done': ['recent session'],
      });
    }));

  it('takes what is said with little confidence last', () =>
    withMemory(async (test) => {
      await store(test, 'Drop the cache', 'decision', { confidence: 0.3 });
      await store(test, 'Use SQLite', 'decision', { valid_from: '2020-01-01' });
      expect(await order(test)).toEqual(['Use SQLite', 'Drop the cache']);
    }));

  it('leaves out what a newer one says with another value, but for what a person has confirmed', () =>
    withMemory(async (test) => {
      await store(test, 'CI runs on Node 22 only', 'decision');
      test.later(1_000);
      await store(test, 'CI runs on Node 24 only', 'decision');
      expect(contents(await brief(test))).toEqual(['CI runs on Node 24 only']);
      const person = await test.another({ by: 'person' });
      await store(person, 'CI runs on Node 22 only', 'decision');
      expect(contents(await brief(test))).toEqual(['CI runs on Node 22 only', 'CI runs on Node 24 only']);
    }));

  it('has both of two that a person keeps beside each other', () =>
    withMemory(async (test) => {
      const older = await store(test, 'CI runs on Node 22 only', 'decision');
      test.later(1_000);
      const newer = await store(test, 'CI runs on Node 24 only', 'decision');
      await test.ok('settle', { action: 'keep', node_id: older, other_id: newer });
      expect(contents(await brief(test))).toEqual(['CI runs on Node 24 only', 'CI runs on Node 22 only']);
    }));

  it('cuts a long line, so that it does not take the place of the others', async () =>
    withMemory(
      async (test) => {
        const long = `We settled on one file for each tenant${', because a backup is simpler then'.repeat(20)}`;
        for (const letter of ['a', 'b']) await store(test, `${letter}: ${long}`, 'decision');
        await store(test, 'Answer briefly', 'preference');
        const shown = contents(await brief(test));
        expect(shown).toHaveLength(3);
        for (const line of shown.slice(0, 2)) expect(line).toMatch(/^[ab]: We settled on one file .*…$/);
        // Elsewhere it is whole.
        expect(await test.text('memory_recall', { query: 'tenant', budget_tokens: 2000 })).toContain(`a: ${long}`);
      },
      { tokenizer: await realTokenizer() },
    ));
});
