import { describe, expect, test } from 'vitest';
import { lineOf, OPEN, store, withDoubts } from '../support/code-doubts';
import { withMemory } from '../support/memory';

const TOPIC = { topic: 'open waits' };

describe('a decision whose code is not as it was', () => {
  test.each(['an id', 'words'])('is marked where %s ask why it was made', (how) => {
    const { code } = withDoubts();
    return withMemory(
      async (memory) => {
        code.write('src/open.ts', 1, [OPEN]);
        const id = await store(memory, 'open waits for a lock', 'open()');
        const asked = { decision_ref: how === 'an id' ? id : 'open waits' };
        const text = () => memory.text('memory_why', asked);
        const items = async () => (await memory.ok<{ items: { marks?: string[] }[] }>('memory_why', asked)).items;
        expect(await text()).toMatch(/conf 1\.00$/);
        code.write('src/open.ts', 2, [{ ...OPEN, text: 'another' }]);
        expect(await text()).toMatch(/conf 1\.00 · code changed$/);
        expect(await items()).toMatchObject([{ id, marks: ['code changed'] }]);
        code.remove('src/open.ts');
        expect(await text()).toMatch(/conf 1\.00 · code gone$/);
        code.write('src/open.ts', 3, [OPEN]);
        expect(await text()).toMatch(/conf 1\.00$/);
        expect((await items())[0]).not.toHaveProperty('marks');
      },
      { code },
    );
  });

  test('is not marked where it holds no longer, and what has taken its place is', () => {
    const { code } = withDoubts();
    return withMemory(
      async (memory) => {
        code.write('src/open.ts', 1, [OPEN]);
        const old = await store(memory, 'open waits for a lock', 'open()');
        const { node_id: fresh } = await memory.ok<{ node_id: string }>('memory_store', {
          ...{ content: 'open waits a second', kind: 'decision', entities: ['open()'], supersedes: old },
        });
        const wrong = await store(memory, 'open waits for nobody', 'open()');
        await memory.ok('memory_verify', { node_id: wrong, status: 'refute' });
        const dropped = await store(memory, 'open waits for ever', 'open()');
        await memory.ok('memory_forget', { node_id: dropped });
        code.write('src/open.ts', 2, [{ ...OPEN, text: 'another' }]);
        const inTimeline = (id: string) => lineOf(memory, id, 'memory_timeline', TOPIC);
        expect(await inTimeline(old)).toContain(`conf 1.00 [superseded by ${fresh}] — `);
        expect(await inTimeline(fresh)).toContain('conf 1.00 · code changed — ');
        expect(await inTimeline(wrong)).toContain('conf 0.50 — ');
        expect(await inTimeline(dropped)).toContain('conf 1.00 — ');
        const { entries } = await memory.ok<{ entries: { id: string; marks?: string[] }[] }>('chronicle', TOPIC);
        const marks = new Map(entries.map((entry) => [entry.id, entry.marks]));
        expect([old, wrong, dropped, fresh].map((id) => marks.get(id))).toEqual([
          ...[undefined, undefined, undefined],
          ['code changed'],
        ]);
        const why = (id: string) => memory.text('memory_why', { decision_ref: id });
        for (const id of [old, wrong, dropped]) expect(await why(id)).not.toContain('code changed');
        expect(await why(fresh)).toContain('conf 1.00 · code changed');
      },
      { code },
    );
  });

  test.each([
    // Below a heading, the oldest first.
    ['memory_timeline', Array.from({ length: 26 }, (_, i) => i > 5)],
    ['chronicle', Array.from({ length: 25 }, (_, i) => i < 20)],
  ])('is judged for %s in at most 20 files, those of the newest', (tool, gone) => {
    const { code, slow } = withDoubts();
    return withMemory(
      async (memory) => {
        for (let i = 0; i < 25; i++) {
          code.write(`src/${i}.ts`, 1, [{ ...OPEN, name: `open${i}`, text: `text ${i}` }]);
          await store(memory, `open waits ${i}`, `open${i}()`);
          memory.later(1_000);
        }
        for (let i = 0; i < 25; i++) code.remove(`src/${i}.ts`);
        slow.judged.length = 0;
        const text = await memory.text(tool, TOPIC);
        expect(slow.judged).toEqual([Array.from({ length: 20 }, (_, i) => `src/${24 - i}.ts`)]);
        expect(text.split('\n').map((line) => line.includes(' · code gone — '))).toEqual(gone);
      },
      { code },
    );
  });
});
