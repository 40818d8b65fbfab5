import { describe, expect, it } from 'vitest';
import { bringAsFile } from '../support/imports';
import { type MemoryTest, withMemory } from '../support/memory';
import { storeFact } from '../support/review';

interface Review {
  readonly proposals: readonly { readonly node: { readonly id: string }; readonly replaces: readonly string[] }[];
  readonly sources: readonly { readonly source: number; readonly waiting: number }[];
}

const reviewOf = (test: MemoryTest): Promise<Review> => test.ok<Review>('review', { only: 'proposals' });
const waitingIn = async (test: MemoryTest): Promise<string[]> =>
  (await reviewOf(test)).proposals.map(({ node }) => node.id);
const isOpen = async (test: MemoryTest, id: string): Promise<boolean> => {
  const { valid_until, tombstoned } = await test.ok<{ valid_until: string | null; tombstoned: 0 | 1 }>('node', { id });
  return valid_until === null && tombstoned === 0;
};
const standingOf = async (test: MemoryTest, id: string): Promise<string> =>
  (await test.ok<{ standing: string }>('node', { id })).standing;

/** A person, and two proposals of one file: a decision in place of an older one, and a fact. */
function withProposals(
  work: (person: MemoryTest, ids: { old: string; decision: string; fact: string }, agent: MemoryTest) => Promise<void>,
): Promise<void> {
  return withMemory(async (agent) => {
    const old = await storeFact(agent, 'The cache is memcached', { kind: 'decision', entities: ['cache'] });
    const person = await agent.another({ by: 'person' });
    const { node_ids } = await bringAsFile(person, [
      { kind: 'decision', content: 'The cache is Redis', entities: ['cache'], rationale: 'Faster', supersedes: [old] },
      { kind: 'fact', content: 'Redis listens on 6379' },
    ]);
    const [decision = '', fact = ''] = node_ids;
    await work(person, { old, decision, fact }, agent);
  });
}

describe('a proposal', () => {
  it('waits in review with its source, and takes the place of nothing until it is kept', () =>
    withProposals(async (person, { old, decision, fact }) => {
      const { proposals, sources } = await reviewOf(person);
      expect(proposals.map(({ node, replaces }) => [node.id, replaces])).toEqual([
        [decision, [old]],
        [fact, []],
      ]);
      expect(sources).toMatchObject([{ waiting: 2, origin: { kind: 'import', name: 'memories.json' } }]);
      expect(await isOpen(person, old)).toBe(true);
      expect(await person.text('review')).toBe(
        [
          '## Proposed by import memories.json (2) · source 2',
          `- [${decision}] decision: The cache is Redis`,
          `  in place of ${old}`,
          `- [${fact}] fact: Redis listens on 6379`,
        ].join('\n'),
      );
    }));

  it('is kept by a person, who confirms it by that; then it takes the place of the older one. Undo takes both back', () =>
    withProposals(async (person, { old, decision, fact }) => {
      await person.ok('settle', { action: 'keep', node_id: decision });
      expect([await standingOf(person, decision), await isOpen(person, old)]).toEqual(['confirmed', false]);
      expect(await waitingIn(person)).toEqual([fact]);
      expect(await person.text('memory_recall', { query: 'project context' })).toContain('The cache is Redis');
      await person.ok('undo');
      expect([await standingOf(person, decision), await isOpen(person, old)]).toEqual(['proposed', true]);
      await person.ok('settle', { action: 'keep', node_id: decision });
      expect(await isOpen(person, old)).toBe(false);
    }));

  it('is kept with all of its source in one act, which is taken back at once', () =>
    withProposals(async (person, { old, decision, fact }) => {
      const { sources } = await reviewOf(person);
      const source = sources[0]?.source;
      expect(await person.ok('settle', { action: 'keep', source })).toMatchObject({ count: 2 });
      expect([await standingOf(person, decision), await standingOf(person, fact)]).toEqual(['stored', 'stored']);
      expect(await isOpen(person, old)).toBe(false);
      await person.ok('undo');
      expect(await waitingIn(person)).toEqual([decision, fact]);
      expect(await isOpen(person, old)).toBe(true);
    }));

  it('is dropped alone or with its source, and comes back by undo', () =>
    withProposals(async (person, { decision, fact }) => {
      await person.ok('settle', { action: 'drop', node_id: fact });
      expect(await waitingIn(person)).toEqual([decision]);
      await person.ok('undo');
      const { sources } = await reviewOf(person);
      await person.ok('settle', { action: 'drop', source: sources[0]?.source });
      expect(await waitingIn(person)).toEqual([]);
      await person.ok('undo');
      expect(await waitingIn(person)).toEqual([decision, fact]);
    }));

  it('is rewritten: a person’s words stand in its place, with what it was about', () =>
    withProposals(async (person, { old, decision }) => {
      const content = 'The cache is Redis 8';
      const { stored } = await person.ok<{ stored: string }>('settle', { action: 'edit', node_id: decision, content });
      expect(await person.ok('node', { id: stored })).toMatchObject({
        ...{ content, kind: 'decision', standing: 'confirmed', rationale: 'Faster' },
        entities: [{ content: 'cache' }],
        origin: { kind: 'person' },
      });
      expect([await isOpen(person, decision), await isOpen(person, old)]).toEqual([false, false]);
      expect(await person.text('memory_recall', { query: 'cache' })).toContain(content);
      await person.ok('undo');
      expect(await isOpen(person, decision)).toBe(true);
      expect(await isOpen(person, old)).toBe(true);
      expect(await isOpen(person, stored)).toBe(false);
      for (const id of [decision, old]) {
        expect(await person.ok('node', { id })).toMatchObject({ superseded_by: [], chain: [] });
      }
      expect(await person.text('memory_timeline', { topic: 'cache' })).not.toContain('superseded');
      await person.ok('settle', { action: 'edit', node_id: decision, content: 'The cache is Redis 9' });
      expect(await person.ok('node', { id: decision })).toMatchObject({
        superseded_by: [{ content: 'The cache is Redis 9' }],
      });
    }));

  it('is rewritten, and rejects no more what is chosen then', () =>
    withProposals(async (person) => {
      const rejected = ['SQLite', 'memory'];
      const { node_ids } = await bringAsFile(person, [
        { kind: 'decision', content: 'Pages are kept in Redis', alternatives_rejected: rejected },
      ]);
      const [node_id] = node_ids;
      const edit = (content: string) => person.ok<{ stored: string }>('settle', { action: 'edit', node_id, content });
      const { stored } = await edit('Pages are kept in Redis and SQLite');
      expect(await person.ok('node', { id: stored })).toMatchObject({ alternatives_rejected: ['memory'] });
      await person.ok('undo');
      expect(await edit('Pages are kept in SQLite')).toMatchObject({ chosen_now: ['SQLite'] });
      await person.ok('undo');
      const same = await edit('Pages are kept in Redis, since SQLite locks');
      expect(same).not.toHaveProperty('chosen_now');
      expect(await person.ok('node', { id: same.stored })).toMatchObject({ alternatives_rejected: rejected });
    }));

  it('whose rewrite was undone is what superseded the old one when it is kept, and nothing when that is refuted', () =>
    withProposals(async (person, { old, decision }) => {
      const told = async (id: string) => {
        const node = await person.ok<{ superseded_by: { id: string }[]; chain: { id: string }[] }>('node', { id });
        return [node.superseded_by, node.chain].map((each) => each.map((one) => one.id));
      };
      const content = 'The cache is Redis 8';
      const { stored } = await person.ok<{ stored: string }>('settle', { action: 'edit', node_id: decision, content });
      expect(await told(old)).toEqual([[stored], [old, decision, stored]]);
      const { operation } = await person.ok<{ operation: number }>('undo');
      await person.ok('settle', { action: 'keep', node_id: decision });
      expect(await told(old)).toEqual([[decision], [old, decision]]);
      expect(await person.text('memory_timeline', { topic: 'cache' })).not.toContain(`superseded by ${stored}`);
      await person.ok('undo');
      // Done again it is as it was.
      await person.ok('undo', { operation });
      expect(await told(old)).toEqual([[stored], [old, decision, stored]]);
      await person.ok('undo');
      await person.ok('memory_verify', { node_id: old, status: 'refute' });
      expect(await told(old)).toEqual([[], []]);
      expect(await person.text('memory_timeline', { topic: 'cache' })).not.toContain('superseded');
    }));

  it('is said to be superseded by the one of its source that took its place', () =>
    withProposals(async (person) => {
      const nodes = [
        { id: 'd_firstone', kind: 'decision', content: 'Queues are in memory', valid_until: '2026-01-02' },
        { id: 'd_nextone', kind: 'decision', content: 'Queues are on disk', supersedes: ['d_firstone'] },
      ];
      await bringAsFile(person, nodes);
      expect(await person.text('memory_timeline', { topic: 'queues' })).toMatch(/superseded by d_\w+\]/);
    }));

  it('is not said to have superseded what holds until it is kept', () =>
    withProposals(async (person, { old, decision }) => {
      const told = async () => {
        const node = await person.ok<{ superseded_by: unknown[]; chain: unknown[] }>('node', { id: old });
        return [node.superseded_by.length, node.chain.length];
      };
      expect(await told()).toEqual([0, 0]);
      expect(await person.ok('node', { id: decision })).toMatchObject({ replaces: [{ id: old }] });
      expect(await person.text('memory_timeline', { topic: 'cache' })).not.toContain('superseded');
      await person.ok('settle', { action: 'keep', node_id: decision });
      expect(await person.ok('node', { id: decision })).toMatchObject({ replaces: [], supersedes: [{ id: old }] });
      expect(await told()).toEqual([1, 2]);
      expect(await person.text('memory_timeline', { topic: 'cache' })).toContain(`superseded by ${decision}`);
    }));

  describe('whose older memory gets other words meanwhile', () => {
    const replacedBy = async (test: MemoryTest, id: string): Promise<string[]> => {
      const listed = (await reviewOf(test)).proposals.find(({ node }) => node.id === id)?.replaces ?? [];
      const { replaces } = await test.ok<{ replaces: { id: string }[] }>('node', { id });
      expect(replaces.map((one) => one.id).sort()).toEqual([...listed].sort());
      return [...listed].sort();
    };
    const rewrite = (test: MemoryTest, supersedes: string) =>
      storeFact(test, 'The cache is memcached 1.6', { kind: 'decision', entities: ['cache'], supersedes });
    const chainOf = async (test: MemoryTest, id: string): Promise<string[]> =>
      (await test.ok<{ chain: { id: string }[] }>('node', { id })).chain.map((one) => one.id);

    it.each(['keep', 'edit', 'confirm'])('takes the place of these (%s); undo and redo follow', (action) =>
      withProposals(async (person, { old, decision }) => {
        const rewritten = await rewrite(person, await rewrite(person, old));
        expect(await replacedBy(person, decision)).toEqual([rewritten]);
        expect(await person.text('node', { id: decision })).toContain(
          `**Kept, this takes the place of:**\n- [${rewritten}] The cache is memcached 1.6`,
        );
        expect(await person.text('node', { id: decision })).not.toContain('Supersedes');
        const why = await person.text('memory_why', { decision_ref: decision });
        expect(why).toContain(`**Kept, this takes the place of:**\n- [${rewritten}] The cache is memcached 1.6`);
        expect(why).not.toContain('Supersedes');
        expect(await chainOf(person, decision)).toEqual([]);
        const content = action === 'edit' ? { content: 'The cache is Redis 8' } : {};
        const settled = await person.ok<{ stored?: string }>('settle', { action, node_id: decision, ...content });
        const kept = settled.stored ?? decision;
        expect(await isOpen(person, rewritten)).toBe(false);
        expect(await chainOf(person, rewritten)).toContain(kept);
        const { operation } = await person.ok<{ operation: number }>('undo');
        expect(await isOpen(person, rewritten)).toBe(true);
        expect(await chainOf(person, rewritten)).not.toContain(kept);
        expect(await replacedBy(person, decision)).toEqual([rewritten]);
        await person.ok('undo', { operation });
        expect([await isOpen(person, rewritten), await isOpen(person, kept)]).toEqual([false, true]);
        expect(await chainOf(person, rewritten)).toContain(kept);
      }),
    );

    it.each(['keep', 'edit'])('takes the place of no other proposal for it that a person took (%s)', (action) =>
      withProposals(async (person, { old, decision }) => {
        const second = { kind: 'decision', content: 'Sessions are cached in memory', supersedes: [old] };
        const [other = ''] = (await bringAsFile(person, [second])).node_ids;
        const content = action === 'edit' ? { content: 'Sessions are cached in RAM' } : {};
        const settled = await person.ok<{ stored?: string }>('settle', { action, node_id: other, ...content });
        const taken = settled.stored ?? other;
        expect(await replacedBy(person, decision)).toEqual([]);
        await person.ok('settle', { action: 'keep', node_id: decision });
        expect([await isOpen(person, taken), await isOpen(person, decision)]).toEqual([true, true]);
      }),
    );

    it.each(['keep', 'edit'])('takes along what a proposal would replace whose place it takes (%s)', (action) =>
      withProposals(async (person, { old, decision }) => {
        const newer = { kind: 'decision', content: 'The cache is Valkey', supersedes: [decision] };
        const [node_id = ''] = (await bringAsFile(person, [newer])).node_ids;
        expect(await replacedBy(person, node_id)).toEqual([decision, old].sort());
        const rewritten = await rewrite(person, old);
        expect(await replacedBy(person, node_id)).toEqual([decision, rewritten].sort());
        const content = action === 'edit' ? { content: 'The cache is Valkey 8' } : {};
        await person.ok('settle', { action, node_id, ...content });
        expect([await isOpen(person, decision), await isOpen(person, rewritten)]).toEqual([false, false]);
        await person.ok('undo');
        expect([await isOpen(person, decision), await isOpen(person, rewritten)]).toEqual([true, true]);
      }),
    );
  });

  it('is kept by no agent, which may drop it', () =>
    withProposals(async (_person, { old, decision, fact }, agent) => {
      const refusal = 'unavailable: Only a person can keep what was proposed.';
      expect(await agent.refused('settle', { action: 'keep', node_id: decision })).toContain(refusal);
      expect(await agent.refused('settle', { action: 'edit', node_id: decision, content: 'x' })).toContain(refusal);
      const none = `conflict: ${old} is not a proposal that waits`;
      expect(await agent.refused('settle', { action: 'keep', node_id: old })).toContain(none);
      expect(await agent.refused('settle', { action: 'edit', node_id: old, content: 'x' })).toContain(none);
      const { sources } = await reviewOf(agent);
      expect(await agent.refused('settle', { action: 'keep', source: sources[0]?.source })).toContain(refusal);
      await agent.ok('memory_verify', { node_id: decision, status: 'confirm' });
      expect(await waitingIn(agent)).toEqual([decision, fact]);
      await agent.ok('settle', { action: 'drop', node_id: fact });
      expect(await waitingIn(agent)).toEqual([decision]);
    }));

  it('that a person confirms is kept', () =>
    withProposals(async (person, { old, decision }) => {
      await person.ok('memory_verify', { node_id: decision, status: 'confirm' });
      expect([await standingOf(person, decision), await isOpen(person, old)]).toEqual(['confirmed', false]);
    }));

  it.each([
    [{ action: 'keep' }, 'conflict: f_aaaaaaa'],
    [{ action: 'drop' }, 'conflict: f_aaaaaaa'],
    [{ action: 'edit' }, 'needs "content"'],
    [{ action: 'confirm', source: 1 }, 'does not take "source"'],
    [{ action: 'keep', content: 'x' }, 'does not take "content"'],
  ])('is what the actions on proposals need: %j', (decision, message) =>
    withMemory(
      async (test) => {
        const node_id = await storeFact(test, 'No proposal');
        expect(await test.refused('settle', { ...decision, node_id })).toContain(message);
      },
      { by: 'person' },
    ),
  );

  it('of a source that has none is not found', () =>
    withMemory(
      async (test) => {
        expect(await test.refused('settle', { action: 'keep', source: 9 })).toContain(
          'not_found: Nothing waits of a source 9',
        );
      },
      { by: 'person' },
    ));
});

it('an agent’s proposal closes nothing until a person keeps it', () =>
  withMemory(async (agent) => {
    const old = await storeFact(agent, 'Deploy on Mondays');
    const held = await agent.another({ keeping: () => ({ proposed: true, marked: true }) });
    const fresh = await storeFact(held, 'Deploy on Fridays', { supersedes: old });
    expect(await isOpen(agent, old)).toBe(true);
    expect(await agent.text('node', { id: fresh })).toContain('**From:** agent test after foreign text · proposed');
    const person = await agent.another({ by: 'person' });
    await person.ok('settle', { action: 'keep', node_id: fresh });
    expect(await isOpen(agent, old)).toBe(false);
  }));

it('a proposal is marked where another decision leads to it, and is not offered as a near one', () =>
  withMemory(async (agent) => {
    const decision = await storeFact(agent, 'The cache is Redis', { kind: 'decision', entities: ['cache'] });
    const person = await agent.another({ by: 'person' });
    const { node_ids } = await bringAsFile(person, [
      { kind: 'outcome', content: 'Redis was slow', entities: ['cache'] },
      { kind: 'decision', content: 'Postgres stores queues', id: 'd_older' },
      { kind: 'decision', content: 'Postgres stores everything', supersedes: ['d_older'] },
    ]);
    const [outcome = '', older = '', newer = ''] = node_ids;
    expect(await agent.text('memory_why', { decision_ref: decision })).toContain(
      `- [${outcome}] · proposed Redis was slow`,
    );
    const marked = `- [${older}] · proposed Postgres stores queues`;
    expect(await agent.text('memory_why', { decision_ref: newer })).toContain(marked);
    expect(await agent.text('node', { id: newer })).toContain(marked);
    expect(await agent.text('graph', { around: 'cache' })).toContain(
      `- [${outcome}] outcome · proposed: Redis was slow`,
    );
    expect(await agent.text('memory_why', { decision_ref: 'Postgrez storez' })).not.toContain('Postgres');
  }));
