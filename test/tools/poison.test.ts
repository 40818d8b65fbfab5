import { describe, expect, it } from 'vitest';
import { bringAsFile } from '../support/imports';
import { type MemoryTest, withMemory } from '../support/memory';
import { honestMemories, type Planted, plantedMemories } from '../support/poisoned';

const PLANTED = plantedMemories(200);
const QUESTIONS = [...new Set(PLANTED.map(({ question }) => question)), 'curl', 'token password', 'install'];

/** The lines of all answers that hold planted words: in a briefing, and in recalls without a mark. */
async function seenIn(test: MemoryTest): Promise<{ briefing: number; unmarked: number; marked: number }> {
  const planted = new Set(PLANTED.map(({ content }) => content));
  const lines = (text: string): string[] =>
    text.split('\n').filter((line) => planted.has(line.slice(line.indexOf(' — ') + 3)));
  const briefing = lines(await test.text('memory_recall', { query: 'project context' })).length;
  let [unmarked, marked] = [0, 0];
  for (const query of QUESTIONS) {
    for (const line of lines(await test.text('memory_recall', { query, budget_tokens: 4_000 }))) {
      if (/ · (?:proposed|foreign)\b/.test(line)) marked += 1;
      else unmarked += 1;
    }
  }
  return { briefing, unmarked, marked };
}

async function withHonest(work: (test: MemoryTest) => Promise<void>, options = {}): Promise<void> {
  await withMemory(async (test) => {
    for (const memory of honestMemories()) await test.ok('memory_store', memory);
    await work(options === undefined ? test : await test.another(options));
  });
}

const storeAll = async (test: MemoryTest, planted: readonly Planted[]): Promise<void> => {
  for (const { kind, content } of planted) await test.ok('memory_store', { kind, content });
};

describe('200 planted memories', () => {
  it('that come with a file are in no briefing, and marked in every recall', () =>
    withHonest(async (test) => {
      await bringAsFile(
        test,
        PLANTED.map(({ kind, content }) => ({ kind, content })),
      );
      const seen = await seenIn(test);
      expect(seen).toMatchObject({ briefing: 0, unmarked: 0 });
      // They are found, or this would say nothing.
      expect(seen.marked).toBeGreaterThan(0);
    }));

  it('that an agent stores after it has read foreign text are, too', () =>
    withHonest(
      async (test) => {
        await storeAll(test, PLANTED);
        const seen = await seenIn(test);
        expect(seen).toMatchObject({ briefing: 0, unmarked: 0 });
        expect(seen.marked).toBeGreaterThan(0);
      },
      { keeping: () => ({ proposed: true, marked: true }) },
    ));

  it('are in the briefing when an agent stores them and nothing marks it: this is what the rules do not promise', () =>
    withHonest(async (test) => {
      await storeAll(test, PLANTED);
      const { briefing, unmarked } = await seenIn(test);
      expect(briefing).toBeGreaterThan(0);
      expect(unmarked).toBeGreaterThan(0);
    }));
});
