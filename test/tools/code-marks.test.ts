import { describe, expect, test } from 'vitest';
import type { TouchKey } from '../../src/server/memory/code/touches';
import { judgeAhead } from '../../src/server/project/judge-ahead';
import { lineOf, OPEN, PATIENCE, store, withDoubts } from '../support/code-doubts';
import { withMemory } from '../support/memory';

const QUERY = { query: 'open waits' };

describe('a memory whose code is not as it was', () => {
  test.each([
    ['memory_recall', QUERY],
    ['memory_recall', { query: 'project context' }],
    ['memory_about', { entity: 'open()' }],
    ['memory_timeline', { topic: 'open waits' }],
  ])('is marked in the line, in %s %j', (tool, input) => {
    const { code } = withDoubts();
    return withMemory(
      async (memory) => {
        code.write('src/open.ts', 1, [OPEN]);
        const id = await store(memory, 'open waits for a lock', 'open()');
        const line = () => lineOf(memory, id, tool, input);
        const items = async () =>
          (await memory.ok<{ items: { id: string; marks?: string[] }[] }>(tool, input)).items.find(
            (one) => one.id === id,
          );
        expect(await line()).toContain('conf 1.00 — open waits');
        code.write('src/open.ts', 2, [{ ...OPEN, text: 'another' }]);
        expect(await line()).toContain('conf 1.00 · code changed — open waits');
        expect(await items()).toMatchObject({ marks: ['code changed'] });
        code.remove('src/open.ts');
        expect(await line()).toContain('conf 1.00 · code gone — open waits');
        code.write('src/open.ts', 3, [OPEN]);
        expect(await line()).toContain('conf 1.00 — open waits');
        expect(await items()).not.toHaveProperty('marks');
      },
      { code },
    );
  });

  test('is judged by the file that it moved to, also by the first answer after an edit there', () => {
    const { code } = withDoubts();
    return withMemory(
      async (memory) => {
        code.write('src/open.ts', 1, [OPEN]);
        const id = await store(memory, 'open waits for a lock', 'open()');
        const line = () => lineOf(memory, id, 'memory_recall', QUERY);
        code.remove('src/open.ts');
        code.write('src/new.ts', 2, [OPEN]);
        expect(await line()).toContain('conf 1.00 — open waits');
        code.write('src/new.ts', 3, [{ ...OPEN, text: 'another' }]);
        expect(await line()).toContain('conf 1.00 · code gone — open waits');
        code.write('src/new.ts', 4, [OPEN]);
        expect(await line()).toContain('conf 1.00 — open waits');
      },
      { code },
    );
  });

  test('is not marked where another time is asked for, or the code has only moved', () => {
    const { code } = withDoubts();
    return withMemory(
      async (memory) => {
        code.write('src/open.ts', 1, [OPEN]);
        await store(memory, 'open waits for a lock', 'open()');
        code.write('src/open.ts', 2, [{ ...OPEN, text: 'another' }]);
        const then = await memory.text('memory_recall', { ...QUERY, as_of: '2026-03-31T12:00:00Z' });
        expect(then).toContain('conf 1.00 — open waits');
        code.remove('src/open.ts');
        code.write('src/other.ts', 3, [OPEN]);
        expect(await memory.text('memory_recall', QUERY)).toContain('conf 1.00 — open waits');
      },
      { code },
    );
  });

  test('has the worst of several marks of code, after proposed', () => {
    const { code } = withDoubts();
    return withMemory(
      async (memory) => {
        code.write('src/open.ts', 1, [OPEN, { ...OPEN, name: 'close', text: 'the other', from: 5, to: 7 }]);
        await store(memory, 'open waits for a lock, and close frees it', 'open()', 'close()');
        code.write('src/open.ts', 2, [{ ...OPEN, text: 'another' }]);
        expect(await memory.text('memory_recall', QUERY)).toContain('conf 1.00 · proposed · code gone — open waits');
      },
      { code, keeping: () => ({ proposed: true, marked: false }) },
    );
  });
});

describe('what has to be judged first', () => {
  test('is waited for by the first answer of a process, and where it changed since, but not for ever', () => {
    const { code, slow } = withDoubts('as an agent');
    return withMemory(
      async (memory) => {
        code.write('src/open.ts', 1, [OPEN]);
        await store(memory, 'open waits for a lock', 'open()');
        code.write('src/open.ts', 2, [{ ...OPEN, text: 'another' }]);
        slow.until = new Promise((done) => setTimeout(done, 300));
        expect(await memory.text('memory_recall', QUERY)).toContain('conf 1.00 · code changed — open waits');
        code.write('src/open.ts', 3, [{ ...OPEN, text: 'a third' }]);
        slow.until = new Promise((done) => setTimeout(done, 100));
        expect(await memory.text('memory_recall', QUERY)).toContain('conf 1.00 · code changed — open waits');
        code.write('src/open.ts', 4, [{ ...OPEN, text: 'a fourth' }]);
        // Nothing is known of this state of the file, so it is as it was found last.
        let end = (): void => {};
        slow.until = new Promise((done) => {
          end = done;
        });
        expect(await memory.text('memory_recall', QUERY)).toContain('conf 1.00 · code changed — open waits');
        end();
      },
      { code },
    );
  });

  test('is told when it turns out to be in doubt, and no answer waited for that', async () => {
    let told = 0;
    const { code, slow } = withDoubts(1, () => {
      told += 1;
    });
    await withMemory(
      async (memory) => {
        const asked = async (version: number, text: string): Promise<string> => {
          code.write('src/open.ts', version, [{ ...OPEN, text }]);
          let release = (): void => {};
          slow.until = new Promise((done) => {
            release = done;
          });
          const answer = await memory.text('memory_recall', QUERY);
          release();
          await new Promise((done) => setTimeout(done));
          return answer;
        };
        code.write('src/open.ts', 1, [OPEN]);
        await store(memory, 'open waits for a lock', 'open()');
        expect(await asked(2, 'another')).toContain('conf 1.00 — open waits');
        expect(told).toBe(1);
        expect(await memory.text('memory_recall', QUERY)).toContain('conf 1.00 · code changed — open waits');
        expect(await asked(3, 'a third')).toContain('conf 1.00 · code changed — open waits');
        expect(told, 'what it is still is not told again').toBe(1);
        expect(await asked(4, OPEN.text)).toContain('conf 1.00 · code changed — open waits');
        expect(told, 'that it fits again is').toBe(2);
        expect(await memory.text('memory_recall', QUERY)).toContain('conf 1.00 — open waits');
      },
      { code },
    );
  });

  test('is told again and again where it is in more files than are judged for one answer', async () => {
    let told = 0;
    const { code } = withDoubts(0, () => {
      told += 1;
    });
    const keys = Array.from({ length: 50 }, (_, i) => {
      const file_path = `src/open${i}.ts`;
      code.write(file_path, 1, [{ ...OPEN, text: i === 49 ? 'another' : OPEN.text }]);
      return { file_path, code_type: 'function', name: OPEN.name, hash: `hash of ${OPEN.text}` };
    });
    let last: readonly unknown[] = [];
    const rounds = [];
    for (let i = 0; i < 6; i++) {
      last = (await code.doubts?.(keys)) ?? [];
      await new Promise((done) => setTimeout(done));
      rounds.push(told);
    }
    // The third answer has it.
    expect(rounds).toEqual([1, 2, 2, 2, 2, 2]);
    expect(last[49]).toBe('changed');
  });

  test('is judged before anybody asks, for the newest memories', () => {
    const { code, slow } = withDoubts();
    return withMemory(
      async (memory) => {
        code.write('src/open.ts', 1, [OPEN]);
        await store(memory, 'open waits for a lock', 'open()');
        code.write('src/open.ts', 2, [{ ...OPEN, text: 'another' }]);
        slow.judged.length = 0;
        await judgeAhead(memory.project);
        expect(slow.judged).toEqual([['src/open.ts']]);
        expect(await memory.text('memory_recall', QUERY)).toContain('conf 1.00 · code changed — open waits');
        expect(slow.judged).toHaveLength(1);
      },
      { code },
    );
  });

  test.each([
    ['', 'src/open.ts', 'code changed'],
    [', where it moved to', 'src/new.ts', 'code gone'],
  ])('is judged as soon as it changes%s, where a process follows what was asked about', (_, path, mark) => {
    const ended = new AbortController();
    const { code, slow } = withDoubts(PATIENCE, undefined, ended.signal);
    return withMemory(
      async (memory) => {
        code.write('src/open.ts', 1, [OPEN]);
        await store(memory, 'open waits for a lock', 'open()');
        code.remove('src/open.ts');
        code.write(path, 1, [OPEN]);
        expect(await memory.text('memory_recall', QUERY)).toContain('conf 1.00 — open waits');
        slow.judged.length = 0;
        code.write(path, 2, [{ ...OPEN, text: 'another' }]);
        await expect.poll(() => slow.judged, { timeout: PATIENCE }).toEqual([['src/open.ts']]);
        ended.abort();
        expect(await memory.text('memory_recall', QUERY)).toContain(`conf 1.00 · ${mark} — open waits`);
        expect(slow.judged).toHaveLength(1);
      },
      { code },
    );
  });

  test('is judged before what is only judged again', async () => {
    const { code, slow } = withDoubts();
    const keyOf = (file_path: string): TouchKey => {
      code.write(file_path, 1, [{ ...OPEN, text: 'another' }]);
      return { file_path, code_type: 'function', name: OPEN.name, hash: `hash of ${OPEN.text}` };
    };
    const old = keyOf('src/old.ts');
    await code.doubts?.([old]);
    let files = 0;
    const judged = async (): Promise<string[]> => {
      slow.judged.length = 0;
      expect(await code.doubts?.([old, keyOf(`src/fresh${files++}.ts`)])).toEqual(['changed', 'changed']);
      await new Promise((done) => setTimeout(done));
      return slow.judged.map((paths) => paths.join().replace(/\d+/, ''));
    };
    // What is in doubt may turn up elsewhere: it is looked for again a second later.
    await expect.poll(judged, { timeout: PATIENCE }).toEqual(['src/fresh.ts', 'src/old.ts']);
  });

  test('keeps no answer waiting, and is known to the next one', () => {
    const { code, slow } = withDoubts(1);
    return withMemory(
      async (memory) => {
        code.write('src/open.ts', 1, [OPEN]);
        await store(memory, 'open waits for a lock', 'open()');
        code.write('src/open.ts', 2, [{ ...OPEN, text: 'another' }]);
        let end = (): void => {};
        slow.until = new Promise((done) => {
          end = done;
        });
        expect(await memory.text('memory_recall', QUERY)).toContain('conf 1.00 — open waits');
        expect(await memory.text('memory_recall', QUERY)).toContain('conf 1.00 — open waits');
        expect(slow.judged).toEqual([['src/open.ts']]);
        end();
        await expect
          .poll(() => memory.text('memory_recall', QUERY), { timeout: PATIENCE })
          .toContain('conf 1.00 · code changed — open waits');
      },
      { code },
    );
  });

  test('is as it waits in review, where this process has found nothing yet', () => {
    const { code, slow } = withDoubts(1);
    return withMemory(
      async (memory) => {
        code.write('src/open.ts', 1, [OPEN]);
        const id = await store(memory, 'open waits for a lock', 'open()');
        code.write('src/open.ts', 2, [{ ...OPEN, text: 'another' }]);
        await memory.ok('memory_verify_staleness', {});
        let end = (): void => {};
        slow.until = new Promise((done) => {
          end = done;
        });
        expect(await lineOf(memory, id, 'memory_recall', QUERY)).toContain('conf 1.00 · code changed — open waits');
        code.write('src/open.ts', 3, [OPEN]);
        end();
        // What was judged counts, whatever waits.
        await expect
          .poll(() => lineOf(memory, id, 'memory_recall', QUERY), { timeout: PATIENCE })
          .toContain('conf 1.00 — open waits');
      },
      { code },
    );
  });

  test('are at most 20 files, those of the best hits', () => {
    const { code, slow } = withDoubts();
    return withMemory(
      async (memory) => {
        for (let i = 0; i < 25; i++) {
          code.write(`src/${i}.ts`, 1, [{ ...OPEN, name: `open${i}`, text: `text ${i}` }]);
          await store(memory, `open waits${' and waits'.repeat(25 - i)} ${i}`, `open${i}()`);
        }
        for (let i = 0; i < 25; i++) code.remove(`src/${i}.ts`);
        const answer = (): Promise<string> => memory.text('memory_recall', { ...QUERY, budget_tokens: 4_000 });
        expect((await answer()).match(/code gone/g)).toHaveLength(20);
        expect(slow.judged.map((files) => files.length)).toEqual([20]);
        expect((await answer()).match(/code gone/g)).toHaveLength(25);
      },
      { code },
    );
  });

  test('fails no answer', () => {
    const { code, slow } = withDoubts();
    return withMemory(
      async (memory) => {
        code.write('src/open.ts', 1, [OPEN]);
        await store(memory, 'open waits for a lock', 'open()');
        const deleted = Promise.reject(new Error('the graph was deleted'));
        deleted.catch(() => {});
        slow.until = deleted;
        expect(await memory.text('memory_recall', QUERY)).toContain('conf 1.00 — open waits');
        slow.until = Promise.resolve();
        code.remove('src/open.ts');
        expect(await memory.text('memory_recall', QUERY)).toContain('code gone');
      },
      { code },
    );
  });
});
