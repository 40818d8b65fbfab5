import { describe, expect, it } from 'vitest';
import { bringAsFile } from '../support/imports';
import { type MemoryTest, withMemory } from '../support/memory';
import { storeFact } from '../support/review';

interface Near {
  readonly near?: readonly { readonly id: string; readonly content: string; readonly marks?: readonly string[] }[];
}

interface Pair {
  readonly newer: { readonly id: string };
  readonly older: { readonly id: string };
}

const THERE = 'concatenatePaths returns path1 unchanged when path2 is empty.';
const AGAIN = 'concatenatePaths returns path1 unchanged if path2 is an empty string.';
const OTHERS = ['Backups run at night', 'The parser is written by hand', 'Reviews take a day'];

const nearOf = async (test: MemoryTest, id: string) => (await test.ok<Near>('node', { id })).near;
const pairsOf = async (test: MemoryTest, input: object = {}) => {
  const { near } = await test.ok<{ near: readonly Pair[] }>('review', { only: 'duplicates', ...input });
  return near.map(({ newer, older }) => [newer.id, older.id]);
};

/** A person, a memory among others, and a proposal that nearly repeats it. */
const withProposal = (
  work: (person: MemoryTest, there: string, proposal: string, agent: MemoryTest) => Promise<void>,
  more: (there: string) => object = () => ({}),
): Promise<void> =>
  withMemory(async (agent) => {
    for (const other of OTHERS) await storeFact(agent, other);
    const there = await storeFact(agent, THERE);
    const person = await agent.another({ by: 'person' });
    const { node_ids } = await bringAsFile(person, [{ kind: 'fact', content: AGAIN, ...more(there) }]);
    await work(person, there, node_ids[0] ?? '', agent);
  });

describe('what a memory nearly repeats', () => {
  it('is told with a proposal, where a person decides about it', () =>
    withProposal(async (person, there, proposal) => {
      expect(await nearOf(person, proposal)).toEqual([{ id: there, content: THERE }]);
      expect(await person.text('node', { id: proposal })).toContain(
        `**Says nearly the same as:**\n- [${there}] ${THERE}`,
      );
      const { proposals } = await person.ok<{ proposals: readonly Near[] }>('review', { only: 'proposals' });
      expect(proposals.map(({ near }) => near)).toEqual([[{ id: there, content: THERE }]]);
      const lines = (await person.text('review')).split('\n');
      expect(lines[2]).toMatch(new RegExp(`^ {2}says nearly the same as \\[${there}\\] concatenatePaths returns`));
    }));

  it('is told with any open memory, and says what waits', () =>
    withProposal(async (person, there, proposal) => {
      expect(await nearOf(person, there)).toEqual([{ id: proposal, content: AGAIN, marks: ['proposed'] }]);
      await person.ok('settle', { action: 'keep', node_id: proposal });
      expect(await nearOf(person, there)).toEqual([{ id: proposal, content: AGAIN }]);
      await person.ok('memory_forget', { node_id: proposal });
      expect(await nearOf(person, proposal)).toBeUndefined();
      expect(await nearOf(person, there)).toBeUndefined();
    }));

  it('is known by all of its words, whether or not it states a value', () =>
    withMemory(async (test) => {
      for (const other of OTHERS) await storeFact(test, other);
      const there = await storeFact(test, 'With ValidArgs set, completion stops there, even if no entry matches');
      const content = 'When ValidArgs is set completion stops there, even if none of the entries match';
      expect(await nearOf(test, await storeFact(test, content))).toMatchObject([{ id: there }]);
      // One sentence that both have makes no repetition.
      const said = 'Checked with `npm test`. The lexer keeps comments beside the tokens that follow them.';
      const other = await storeFact(test, said);
      const more = await storeFact(
        test,
        'Checked with `npm test`. Uploads of more than a gigabyte are cut into chunks.',
      );
      expect(await nearOf(test, more)).toBeUndefined();
      expect((await pairsOf(test)).flat()).not.toContain(other);
    }));

  it.each([
    ['`src/a.ts` is generated, do not edit', '`src/b.ts` is generated, do not edit'],
    ['`open()` returns null when the file is missing', '`close()` returns null when the file is missing'],
    ['readConfig throws when the port 80 is taken', '"writeConfig" throws when the port 80 is taken'],
  ])('is about the same code: %s', (content, other) =>
    withMemory(async (test) => {
      for (const beside of OTHERS) await storeFact(test, beside);
      await storeFact(test, content);
      test.later(1_000);
      expect(await nearOf(test, await storeFact(test, other))).toBeUndefined();
      expect(await pairsOf(test)).toEqual([]);
    }),
  );

  it.each([
    ['CI runs on Node 20 only', 'CI runs on Node `22` only'],
    ['Retries wait for 30s before the next one', 'Retries wait for 45s before the next one'],
    ['`open()` and `stat()` return null when the file is missing', '"open" returns null when the file is missing'],
    ['`open()` returns null when the file is missing', 'It returns null when the file is missing'],
  ])('may differ in a number, and in names where one is in both or one text has none: %s', (content, other) =>
    withMemory(async (test) => {
      for (const beside of OTHERS) await storeFact(test, beside);
      const there = await storeFact(test, content);
      test.later(1_000);
      const fresh = await storeFact(test, other);
      expect(await nearOf(test, fresh)).toMatchObject([{ id: there }]);
      expect(await pairsOf(test)).toEqual([[fresh, there]]);
    }),
  );

  it('is told to who stores it, by names of code that begin with a capital, too', () =>
    withMemory(async (test) => {
      for (const other of OTHERS) await storeFact(test, other);
      const there = await storeFact(
        test,
        'FixedCompletions returns a closure over the given choices and the directive',
      );
      const content = 'FixedCompletions returns a closure over given choices and a directive';
      const { similar } = await test.ok<{ similar: object[] }>('memory_store', { content, kind: 'fact' });
      expect(similar).toEqual([{ node_id: there, relation: 'near' }]);
    }));

  it('is not what it takes the place of', () =>
    withProposal(
      async (person, there, proposal) => {
        expect(await person.ok('node', { id: proposal })).toMatchObject({ replaces: [{ id: there }] });
        expect(await nearOf(person, proposal)).toBeUndefined();
        const { proposals } = await person.ok<{ proposals: readonly Near[] }>('review', { only: 'proposals' });
        expect(proposals.map(({ near }) => near)).toEqual([undefined]);
      },
      (there) => ({ supersedes: [there] }),
    ));

  it('is no longer told when a person has kept both', () =>
    withProposal(async (person, there, proposal) => {
      await person.ok('settle', { action: 'keep', node_id: there, other_id: proposal });
      expect(await nearOf(person, proposal)).toBeUndefined();
      expect(await nearOf(person, there)).toBeUndefined();
    }));

  it('is two at most', () =>
    withMemory(async (test) => {
      const ids: string[] = [];
      for (const version of [18, 20, 22, 24]) ids.push(await storeFact(test, `CI runs on Node ${version} only`));
      const near = await nearOf(test, ids[0] ?? '');
      expect(near).toHaveLength(2);
      expect(near?.map(({ id }) => id)).not.toContain(ids[0]);
    }));
});

describe('pairs that say nearly the same', () => {
  it('are not all that an agent is told to look at', () =>
    withMemory(async (test) => {
      for (const other of OTHERS) await storeFact(test, other);
      await storeFact(test, THERE);
      test.later(1_000);
      const content = 'getFormFieldName returns an empty string when path2 of the group is mapped';
      const { similar, node_id } = await test.ok<{ similar: object[]; node_id: string }>('memory_store', {
        ...{ content, kind: 'fact' },
      });
      expect(similar).toHaveLength(1);
      expect(await nearOf(test, node_id)).toBeUndefined();
      expect(await pairsOf(test)).toEqual([]);
    }));

  it('are listed for who asks for near-duplicates; they wait for nobody, and no consolidation closes one', () =>
    withMemory(async (test) => {
      for (const other of OTHERS) await storeFact(test, other);
      const old = await storeFact(test, THERE);
      test.later(1_000);
      const fresh = await storeFact(test, AGAIN);
      expect(await pairsOf(test)).toEqual([[fresh, old]]);
      expect(await test.ok('review', { only: 'duplicates' })).toMatchObject({ near_duplicates: [], more: false });
      const text = await test.text('review', { only: 'duplicates' });
      expect(text).toContain(`## Say nearly the same (1)\n\n- [${old}] concatenatePaths`);
      expect(await test.text('review')).toBe('Nothing waits for review.');
      expect(await test.ok('review')).toMatchObject({ near: [] });
    }));

  it.each([
    ['keep', 'both stay'],
    ['merge', 'the newer one takes the place of the older'],
  ])('are settled as others are (%s): %s, and undo brings the pair back', (action) =>
    withMemory(async (test) => {
      const old = await storeFact(test, THERE);
      test.later(1_000);
      const fresh = await storeFact(test, AGAIN);
      await test.ok('settle', { action, node_id: old, other_id: fresh });
      expect(await pairsOf(test)).toEqual([]);
      expect((await test.ok<{ valid_until: string | null }>('node', { id: old })).valid_until === null).toBe(
        action === 'keep',
      );
      await test.ok('undo');
      expect(await pairsOf(test)).toEqual([[fresh, old]]);
    }),
  );

  it('are of one kind, open, and wait for nobody; what a consolidation would close is in none', () =>
    withProposal(async (_, there, _proposal, agent) => {
      await storeFact(agent, AGAIN, { kind: 'decision' });
      expect(await pairsOf(agent)).toEqual([]);
      agent.later(1_000);
      const same = await storeFact(agent, 'concatenatePaths returns path1, unchanged, when path2 is empty.');
      expect(await agent.ok('review', { only: 'duplicates' })).toMatchObject({
        ...{ near_duplicates: [{ newer: { id: same }, older: { id: there } }], near: [] },
      });
    }));

  it('are each older memory with the newer one that it is most like, most alike first, as many as are asked for', () =>
    withMemory(async (test) => {
      for (const other of OTHERS) await storeFact(test, other);
      const ids: string[] = [];
      for (const content of [
        'CI runs on Node 18 and nothing else',
        'CI runs on Node 20 only',
        'CI runs on Node 22 only',
      ]) {
        ids.push(await storeFact(test, content));
        test.later(1_000);
      }
      const [far, older, newest] = ids;
      const pairs = await pairsOf(test);
      expect(pairs).toEqual([
        [newest, older],
        [expect.any(String), far],
      ]);
      expect(await pairsOf(test, { limit: 1 })).toEqual([[newest, older]]);
      expect(await test.ok('review', { only: 'duplicates', limit: 1 })).toMatchObject({ more: true });
    }));

  it('are found in each namespace by itself', () =>
    withMemory(async (test) => {
      await storeFact(test, THERE);
      const other = await test.another({ namespace: 'other' });
      await storeFact(other, AGAIN);
      expect(await pairsOf(test, { all_namespaces: true })).toEqual([]);
    }));
});
